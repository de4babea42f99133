import { analyseBash } from '../analyse-bash.ts';
import { type Generated, quote } from './generate.ts';
import { Chance } from './random.ts';
import { Scratch } from './scratch.ts';

export type TreeReport = {
  /** Commands that were called read-only and changed something. */
  readonly faults: readonly string[];
  readonly ran: number;
  readonly asked: number;
  /** Share of the commands without a hidden change that were recognised. */
  readonly recognised: number;
};

/**
 * Generates commands and runs, in a scratch folder, those that `analyseBash` calls read-only. The others are not run:
 * they may do anything.
 */
export function watchTree(how: {
  readonly seed: number;
  readonly count: number;
  readonly make: (chance: Chance) => Generated | string;
}): TreeReport {
  const chance = new Chance(how.seed);
  const faults: string[] = [];
  let scratch = new Scratch();
  let before = scratch.fingerprint();
  let asked = 0;
  let harmless = 0;
  let recognised = 0;
  for (let i = 0; i < how.count; i += 1) {
    const made = how.make(chance);
    // A bare text says nothing about whether it changes something; most of it does, or is no command at all.
    const { command, changed } = typeof made === 'string' ? { command: made, changed: true } : made;
    const { readOnly } = analyseBash(command);
    if (!changed) harmless += 1;
    if (!changed && readOnly) recognised += 1;
    if (!readOnly) {
      asked += 1;
      continue;
    }
    scratch.run(command);
    if (scratch.fingerprint() === before) continue;
    faults.push(command);
    scratch[Symbol.dispose]();
    scratch = new Scratch();
    before = scratch.fingerprint();
  }
  scratch[Symbol.dispose]();
  return { faults, asked, ran: how.count - asked, recognised: harmless === 0 ? 1 : recognised / harmless };
}

const letters = [...'ab /.,:;&|<>()[]{}#$`"\'\\*?!~=-%@^\t', 'é', '日', '😀', '$x', '\\\n'];
const decoders = ["'", '"', '', '\\', "$'"];

/**
 * Quotes random texts in random ways, lets bash print the words, and compares them with our decoding. Only words that
 * we say are exact are compared; none of them holds a substitution, as those are refused by `readOnly`.
 */
export function runWords(how: { readonly seed: number; readonly count: number }) {
  const chance = new Chance(how.seed);
  const faults: string[] = [];
  let compared = 0;
  using scratch = new Scratch();
  for (let i = 0; i < how.count; i += 1) {
    const words = Array.from({ length: 1 + chance.below(4) }, () => randomWord(chance)).join(' ');
    const command = `printf '%s\\0' ${words}`;
    const { readOnly, commands } = analyseBash(command);
    const [only] = commands;
    if (!readOnly || commands.length !== 1 || only === undefined || !only.exact || only.redirections.length > 0)
      continue;
    compared += 1;
    const ours = only.argv
      .slice(2)
      .map((word) => `${word}\0`)
      .join('');
    const { stdout } = scratch.run(command);
    if (stdout !== (ours === '' ? '\0' : ours))
      faults.push(`${command} gave ${JSON.stringify(stdout)}, not ${JSON.stringify(ours)}`);
  }
  return { faults, compared };
}

function randomWord(chance: Chance): string {
  const text = Array.from({ length: 1 + chance.below(6) }, () => chance.pick(letters)).join('');
  if (chance.oneIn(2)) return quote(chance, text);
  const pieces = Array.from({ length: 1 + chance.below(3) }, () => {
    const mark = chance.pick(decoders);
    const piece = Array.from({ length: 1 + chance.below(4) }, () => chance.pick(letters)).join('');
    return mark === "'" || mark === '"' ? mark + piece + mark : mark === "$'" ? `$'${piece}'` : mark + piece;
  });
  return pieces.join('');
}
