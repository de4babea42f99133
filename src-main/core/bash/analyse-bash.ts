import type { BashAnalysis } from './analysis.ts';
import { type Refusal, refuse } from './arguments.ts';
import { findBrokenContinuation, findUndecidableCharacter } from './characters.ts';
import { type Reading, readBash } from './grammar.ts';
import { backgroundRefusals } from './judge-structure.ts';
import { hidesCommands, type Listed, listCommands } from './list-commands.ts';
import type { CommandNode, Script } from './syntax.ts';

export type { BashAnalysis, SimpleCommand } from './analysis.ts';
export type { Span } from './syntax.ts';

/** Beyond these nothing is decided; `commands` is still complete, so that deny rules keep seeing all of them. */
const mostCharacters = 10_000;
const mostCommands = 50;
/** Beyond this the text is not even read. */
const mostReadCharacters = 50_000;

/**
 * Whether a Bash command only reads, and every simple command in it (spec 3.1). Pure, and total: any string gives
 * an answer. What is not proved to be read-only is not read-only.
 *
 * Assumed: the command runs in a trusted project folder, with a non-interactive bash without user rc files, and
 * standard output is no terminal. Which files may be read is another question (spec 3.3).
 */
export const analyseBash = (command: string): BashAnalysis => readAndAnalyse(command).analysis;

/** The analysis together with the syntax it was made from. */
export type AnalysedScript = {
  readonly analysis: BashAnalysis;
  readonly script: Script;
  /** `nodes[i]` is what `analysis.commands[i]` stands for. */
  readonly nodes: readonly CommandNode[];
  /** Every command, those around others included. */
  readonly found: readonly CommandNode[];
};

/** One parse for safety and for rules: those also look at folders and files (spec 3.1). */
export function readAndAnalyse(command: string): AnalysedScript {
  if (command.length > mostReadCharacters) {
    const analysis = { readOnly: false, reason: 'The command is too long to be read.', commands: [], parsed: false };
    return { analysis, script: { items: [] }, nodes: [], found: [] };
  }
  const reading = readBash(command);
  const doubts = doubtsAbout(command, reading);
  const general = firstOf([...doubts, ...limitsOf(command, reading)]);
  const listed = listCommands(reading.found, general);
  const commands = listed.map((one) => one.command);
  const refusal =
    general ?? firstOf([...listed.flatMap(({ refusal: own }) => own ?? []), ...backgroundRefusals(reading.script)]);
  const parsed = doubts.length === 0 && !hidesCommands(reading.found);
  const decided =
    refusal === undefined
      ? { readOnly: true, reason: summary(listed) }
      : { readOnly: false, reason: refusal.reason, ...(refusal.span === undefined ? {} : { decides: refusal.span }) };
  return {
    analysis: { ...decided, commands, parsed },
    script: reading.script,
    nodes: listed.map(({ node }) => node),
    found: reading.found,
  };
}

/** Why the text may say something else than what was read in it. */
function doubtsAbout(command: string, { trouble, script }: Reading): readonly Refusal[] {
  const doubts: Refusal[] = [];
  const character = findUndecidableCharacter(command);
  if (character !== undefined) doubts.push(character);
  const continuation = findBrokenContinuation(command);
  if (continuation !== undefined) doubts.push(refuse('A word is continued on the next line.', { span: continuation }));
  if (trouble !== undefined) doubts.push(refuse(`${trouble.message}.`, trouble));
  else if (script.items.length === 0) doubts.push(refuse('There is no command.'));
  return doubts;
}

function limitsOf(command: string, { found }: Reading): readonly Refusal[] {
  const limits: Refusal[] = [];
  if (command.length > mostCharacters) limits.push(refuse('The command is longer than 10,000 characters.'));
  const count = found.filter(({ kind }) => kind === 'simple').length;
  if (count > mostCommands) limits.push(refuse('There are more than 50 commands.'));
  return limits;
}

/** The refusal that stands earliest; those without a place come first. */
function firstOf(refusals: readonly Refusal[]): Refusal | undefined {
  const start = ({ span }: Refusal) => span?.start ?? -1;
  return refusals.reduce<Refusal | undefined>(
    (first, next) => (first === undefined || start(next) < start(first) ? next : first),
    undefined,
  );
}

function summary(listed: readonly Listed[]): string {
  const names = [...new Set(listed.map(({ names: run }) => run.at(-1) ?? ''))].filter(Boolean);
  if (names.length === 0) return 'Nothing is changed by this command.';
  return names.length > 6
    ? `${names.slice(0, 6).join(', ')} and others only read here.`
    : `Only reads: ${names.join(', ')}.`;
}
