import { filePrograms } from '../programs/files.ts';
import { gitCommands } from '../programs/git-commands.ts';
import type { ProgramTable } from '../programs/program.ts';
import { searchPrograms } from '../programs/search.ts';
import { systemPrograms } from '../programs/system.ts';
import { textPrograms } from '../programs/text.ts';
import type { Chance } from './random.ts';

/** These wait, or print without end. */
const slow = new Set(['sleep', 'top', 'vmstat', 'free', 'man', 'journalctl', 'dmesg', 'lsof']);

const values = ['PWNED', '1', 'a.txt', 'HEAD', 'x', '%s', 'auto', 'src', 'never', ':', 'v1', 'HEAD~1'];
const operands = [
  ...['a.txt', 'b.txt', 'PWNED', 'HEAD', 'v1', 'src', 'a.tar', 'b.txt.gz', '-', '.', 'package.json', '--', '*.txt'],
  ...['list', 'show', 'log', 'status', 'get-url', 'user.name', 'main', 'HEAD:a.txt', '1'],
];

type Option = { readonly name: string; readonly mark: string };

const programs: readonly { readonly name: string; readonly options: readonly Option[] }[] = [
  ...[textPrograms, filePrograms, searchPrograms, systemPrograms].flatMap(tableEntries),
  ...[...gitCommands].map(([verb, { options }]) => ({ name: `git ${verb}`, options: optionsIn(options) })),
];

function tableEntries(table: ProgramTable) {
  return Object.entries(table).flatMap(([name, program]) =>
    'options' in program && !slow.has(name) ? [{ name, options: optionsIn(program.options) }] : [],
  );
}

function optionsIn(text: string): readonly Option[] {
  return [...text.matchAll(/(--[^\s:?~]+)([:?~]?)|-([^-\s]\S*)/g)].flatMap(([, long, mark = '', letters = '']) =>
    long === undefined
      ? [...letters.matchAll(/(.)([:?]?)/g)].map(([, letter, after = '']) => ({ name: `-${letter}`, mark: after }))
      : [{ name: long, mark }],
  );
}

/**
 * A program of the tables with options that its table accepts, and with files to write to if it wanted: this finds
 * options that are listed and write, and options whose value the program takes for something else.
 */
export function optionSoup(chance: Chance): string {
  const { name, options } = chance.pick(programs);
  const words = [name];
  for (let i = chance.below(4); i > 0 && options.length > 0; i -= 1)
    words.push(...spelled(chance, chance.pick(options)));
  for (let i = chance.below(4); i > 0; i -= 1) words.splice(1 + chance.below(words.length), 0, chance.pick(operands));
  return words.join(' ');
}

function spelled(chance: Chance, { name, mark }: Option): readonly string[] {
  const value = chance.pick(values);
  const attached = name.startsWith('--') ? `${name}=${value}` : name + value;
  if (mark === '') return [name];
  if (mark === '?') return [chance.oneIn(2) ? name : attached];
  return chance.oneIn(2) ? [attached] : [name, value];
}
