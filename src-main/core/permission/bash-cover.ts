import type { Arg } from '../bash/arguments.ts';
import { readBash } from '../bash/grammar.ts';
import { judgeCommand } from '../bash/judge-command.ts';
import { shellQuoteAgrees } from '../bash/second-opinion.ts';
import type { SimpleNode } from '../bash/syntax.ts';
import { judgePrefix } from '../bash/variables.ts';
import { isAcceptedEdit, isAcceptedTarget, isPlainTarget } from './accepted-edits.ts';
import { type FileUse, redirectedFiles } from './bash-files.ts';
import { type Step, wordsOf } from './bash-script.ts';
import type { BashFacts, StepFiles } from './call-facts.ts';
import type { Place } from './ground.ts';
import { matchesFolder, matchesPlace, type PathPattern } from './path-rules.ts';
import type { SourcedRule } from './rules.ts';
import { mayMatch, wordPatterns } from './wildcard.ts';
import { isNeverWidened, takesMoreArguments, withoutWrappers } from './wrapped-commands.ts';

/** Beyond these a command is always asked about (spec 3.1), whatever rules there are. */
const MOST_CHARACTERS = 10_000;
const MOST_COMMANDS = 50;

/** The allow rules that may cover parts of a command. */
export type CommandRules = {
  readonly words: readonly { readonly specifier: string; readonly rule: SourcedRule }[];
  readonly reads: readonly { readonly pattern: PathPattern; readonly rule: SourcedRule }[];
  readonly edits: readonly { readonly pattern: PathPattern; readonly rule: SourcedRule }[];
};
export const NO_COMMAND_RULES: CommandRules = { words: [], reads: [], edits: [] };

/**
 * Which of the allow rules cover the whole command together, or nothing when a part of it is left. Every simple command,
 * wherever it stands, is covered by its words, only reads where it may, or is an edit that the mode accepts; and every
 * redirection leads to where it may. Fail closed: what cannot be read for certain is not covered.
 */
export function coverCommand(
  facts: BashFacts,
  rules: CommandRules,
  acceptsEdits: boolean,
): readonly SourcedRule[] | undefined {
  const { analysis, steps, text } = facts.script;
  if (text.length > MOST_CHARACTERS || !analysis.parsed) return undefined;
  if (steps.length === 0 || steps.length > MOST_COMMANDS) return undefined;
  // The very text that a person has allowed.
  const same = rules.words.find(({ specifier }) => specifier.trim() === text.trim());
  if (same !== undefined) return [same.rule];
  const used = new Set<SourcedRule>();
  for (const step of facts.files) {
    const covering = coverStep(step, facts, rules, acceptsEdits);
    if (covering === undefined) return undefined;
    for (const rule of covering) used.add(rule);
  }
  return [...used];
}

function coverStep(
  files: StepFiles,
  facts: BashFacts,
  rules: CommandRules,
  acceptsEdits: boolean,
): readonly SourcedRule[] | undefined {
  const words = coverWords(files, facts, rules, acceptsEdits);
  if (words === undefined) return undefined;
  const used = [...words];
  for (const redirection of files.step.redirections) {
    const { heredoc } = redirection;
    if (heredoc !== undefined && heredoc.body?.closed !== true) return undefined;
    const [use] = redirectedFiles([redirection], files.step.folders, facts.values);
    if (use === undefined) continue;
    if (use.access === 'write' && !isPlainTarget(redirection)) return undefined;
    const covering = use.access === 'read' ? coverRead(use, facts, rules) : coverWrite(use, facts, rules, acceptsEdits);
    if (covering === undefined) return undefined;
    used.push(...covering);
  }
  return used;
}

/** The command without its redirections. */
function coverWords(
  files: StepFiles,
  facts: BashFacts,
  rules: CommandRules,
  acceptsEdits: boolean,
): readonly SourcedRule[] | undefined {
  const { step, uses } = files;
  if (onlyReads(step, facts)) {
    const reads = uses.map((use) => coverRead(use, facts, rules));
    if (!reads.includes(undefined)) return reads.flatMap((covering) => covering ?? []);
  }
  if (step.node.kind !== 'simple' || !isReadForCertain(step.node)) return undefined;
  if (acceptsEdits && isAcceptedEdit(files, facts)) return [];
  const node = step.node;
  const covering = rules.words.find(({ specifier }) => isCovered(specifier, node, facts.command));
  return covering === undefined ? undefined : [covering.rule];
}

/** Both readers agree about its parts, and the variables in front of it only change how things are printed. */
function isReadForCertain(node: SimpleNode): boolean {
  const name = wordsOf(node)[0]?.text ?? '';
  // Of a substitution shell-quote makes something of its own; the commands in it are looked at for themselves.
  const isComparable = node.words.every(({ parts }) => parts.every(({ kind }) => kind !== 'substitution'));
  return (
    node.assignments.every((each) => judgePrefix(each, name) === undefined) &&
    (!isComparable || shellQuoteAgrees(node.pieces))
  );
}

/** By its words alone; where they lead is another question. */
function onlyReads({ command, node }: Step, facts: BashFacts): boolean {
  if (command.readOnly) return true;
  if (node.kind !== 'simple' || command.redirections.length === 0) return false;
  const pieces = node.pieces.filter(({ kind }) => kind === 'word');
  const { refusal, names } = judgeCommand({ ...node, pieces, redirections: [] });
  // These depend on what surrounds them, which only the whole analysis knows.
  const isAlone = !names.some((name) => name === 'read' || (/git$/.test(name) && facts.script.changesFolder));
  return refusal === undefined && isAlone;
}

/** Devices that hold nothing of anybody. */
const EMPTY_DEVICES = new Set(['/dev/null', '/dev/zero', '/dev/stdin', '/dev/fd/0']);
/** bash opens these as connections, and others may act when they are opened. */
const isDevice = ({ names }: Place): boolean =>
  names.some((name) => name.startsWith('/dev/') && !EMPTY_DEVICES.has(name));

function coverRead(use: FileUse, facts: BashFacts, rules: CommandRules): readonly SourcedRule[] | undefined {
  const places = facts.places(use);
  // A word of a program that is not known to open files may be anything.
  if (places === undefined) return use.certain && use.access === 'read' ? undefined : [];
  const used: SourcedRule[] = [];
  for (const place of places) {
    if (facts.ground.isInside(place) || EMPTY_DEVICES.has(place.names[0] ?? '')) continue;
    const covering = isDevice(place) ? undefined : rules.reads.find(({ pattern }) => matchesFolder(pattern, place));
    if (covering === undefined) return undefined;
    used.push(covering.rule);
  }
  return used;
}

function coverWrite(
  use: FileUse,
  facts: BashFacts,
  rules: CommandRules,
  acceptsEdits: boolean,
): readonly SourcedRule[] | undefined {
  if (acceptsEdits && isAcceptedTarget(use, facts)) return [];
  // After a change of folder nobody is sure which file is meant.
  if (facts.script.changesFolder) return undefined;
  const places = facts.places(use);
  if (places === undefined) return undefined;
  const used = places.map((place) =>
    isDevice(place) ? undefined : rules.edits.find(({ pattern }) => matchesPlace(pattern, place))?.rule,
  );
  return used.includes(undefined) ? undefined : used.flatMap((rule) => rule ?? []);
}

/** Do the words of a rule mean this command? */
function isCovered(specifier: string, node: SimpleNode, command: string): boolean {
  const words = wordsOf(node);
  const inner = withoutWrappers(words);
  if (inner[0]?.fixed !== true) return false;
  const patterns = wordPatterns(specifier, 'allow');
  if (specifier.includes('*')) {
    const texts = [textOf(inner), ...writtenAs(inner, command)];
    return !isNeverWidened(inner) && patterns.some((pattern) => texts.some((text) => mayMatch(pattern, text)));
  }
  const texts = [textOf(words), command.slice(node.span.start, node.span.end).trim()];
  if (!takesMoreArguments(words)) texts.push(textOf(inner), ...writtenAs(inner, command));
  return patterns.some((pattern) => texts.includes(pattern)) || isSameCommand(specifier, words);
}

/** Words as a rule says them. A word with a blank in it is no two words. */
const textOf = (words: readonly Arg[]): string =>
  words.map(({ text }) => (/^[^\s'"\\]+$/.test(text) ? text : JSON.stringify(text))).join(' ');

/** With its quotes, as people write rules too; blanks outside of quotes are one blank. */
function writtenAs(words: readonly Arg[], command: string): readonly string[] {
  const [first] = words;
  const parts = words.map(({ span }) => command.slice(span.start, span.end));
  return first !== undefined && parts[0] === first.text ? [parts.join(' ')] : [];
}

/** The rule, read as a command, has these very words. */
function isSameCommand(specifier: string, words: readonly Arg[]): boolean {
  const { found, trouble } = readBash(specifier.trim());
  const [only, ...more] = found;
  if (trouble !== undefined || only?.kind !== 'simple' || more.length > 0) return false;
  if (only.assignments.length > 0 || only.redirections.length > 0) return false;
  const own = wordsOf(only);
  const isExact = [...own, ...words].every(({ fixed }) => fixed);
  return isExact && own.length === words.length && own.every(({ text }, at) => text === words[at]?.text);
}
