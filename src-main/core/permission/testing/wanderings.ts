import type { Chance } from '../../bash/testing/random.ts';

/** Names in the folder that `opened-files.ts` lays: folders, a link to one of them, files with and without a dot. */
const FOLDERS = [
  'a',
  'a/b',
  'c',
  './a',
  'a/../c',
  'link',
  'link/..',
  '..',
  '.',
  'nowhere',
  '$PWD/a',
  '"$HOME"',
  '~',
  '"a/b"',
];
const FILES = ['f', 'g.txt', '.env', 'a/f', 'a/b/k', 'c/.env', 'link/k', 'link/../f', '../f', './f', 'a//f', 'no-such'];
const WILD = ['*', '*.txt', '?', '[fg]', '.e*', 'a/*', 'a/b/*', './*', 'c/.*', '{f,g.txt}', 'a/{f,b/k}', '.{env,x}'];
const NAMES = ['v', 'w', 'x'];

/** A command of bash in which only `cat` opens files. Most of it runs; all of it is meant to be followed. */
export function wander(chance: Chance): string {
  return statements(chance, 3);
}

function statements(chance: Chance, depth: number): string {
  const count = 1 + chance.below(4);
  let text = statement(chance, depth);
  for (let at = 1; at < count; at++) {
    text += chance.pick([' && ', ' || ', '; ', '\n', ' & ', ' | ']) + statement(chance, depth);
  }
  return text;
}

function statement(chance: Chance, depth: number): string {
  const simple = [cd, cd, assign, cat, cat, cat, () => 'true', () => 'false', catInput];
  const nested = depth > 0 ? [group, subshell, branch, loop, repeat, substitution, wrapped, functions] : [];
  return chance.pick([...simple, ...nested])(chance, depth - 1);
}

const cd = (chance: Chance): string => `${chance.oneIn(6) ? 'builtin ' : ''}cd ${chance.pick(FOLDERS)}`;
const assign = (chance: Chance): string => {
  const name = chance.pick(NAMES);
  const value = chance.oneIn(4) ? chance.pick(['a/b', '""', '"f g.txt"', '*', '~/f', '$v']) : chance.pick(FILES);
  return chance.oneIn(8) ? `export ${name}=${value}` : `${name}=${value}`;
};
const cat = (chance: Chance): string =>
  `cat ${chance.oneIn(5) ? '-- ' : ''}${Array.from({ length: 1 + chance.below(2) }, () => word(chance)).join(' ')}`;
const catInput = (chance: Chance): string => `cat < ${quoted(chance, chance.pick(FILES))}`;
const wrapped = (chance: Chance): string => `${chance.pick(['command', 'X=1', '!', 'time'])} ${cat(chance)}`;

function word(chance: Chance): string {
  switch (chance.below(6)) {
    case 0:
      return chance.pick(WILD);
    case 1:
      return chance.pick(['$v', '"$v"', '"$w"', 'a/$v', '"$v/k"', '$PWD/f', '"$PWD"/.env', '$HOME/f', '~/f']);
    default:
      return quoted(chance, chance.pick(FILES));
  }
}

function quoted(chance: Chance, file: string): string {
  switch (chance.below(6)) {
    case 0:
      return `'${file}'`;
    case 1:
      return `"${file}"`;
    case 2:
      return `\\${file}`;
    case 3:
      return `$'${file}'`;
    default:
      return file;
  }
}

const group = (chance: Chance, depth: number): string => `{ ${statements(chance, depth)}; }`;
const subshell = (chance: Chance, depth: number): string => `( ${statements(chance, depth)} )`;
const branch = (chance: Chance, depth: number): string =>
  `if ${statement(chance, depth)}; then ${statements(chance, depth)}; else ${statements(chance, depth)}; fi`;
const loop = (chance: Chance, depth: number): string =>
  `for ${chance.pick(NAMES)} in ${word(chance)} ${word(chance)}; do ${statements(chance, depth)}; done`;
const repeat = (chance: Chance, depth: number): string =>
  chance.oneIn(2)
    ? `for i in 1 2; do ${statements(chance, depth)}; done`
    : `while true; do ${statements(chance, depth)}; break; done`;
const substitution = (chance: Chance, depth: number): string => `echo "$(${statements(chance, depth)})"`;
/** Each with a name of its own, or one that is defined in a pipeline would leave its name to an outer one. */
function functions(chance: Chance, depth: number): string {
  const name = `f${chance.below(1_000_000_000)}`;
  return `${name}() { ${statements(chance, depth)}; }; ${name}`;
}
