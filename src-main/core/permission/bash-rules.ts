import { analyseBash, type SimpleCommand } from '../bash/analyse-bash.ts';
import { mayMatch, UNKNOWN, wordPatterns } from './wildcard.ts';
import { innerCommand, innerTexts, innerWords, isNeverWidened } from './wrapped-commands.ts';

/** Beyond these a command is always asked about (spec 3.1), whatever rules there are. */
const MOST_CHARACTERS = 10_000;
const MOST_COMMANDS = 50;

/**
 * Which of the allow rules cover the whole command together, or nothing when a part of it is left. Every simple command,
 * wherever it stands, is covered or only reads; a covered one writes no file and sets no variable that could change what
 * it does. Fail closed: what cannot be read for certain is not covered.
 */
export function bashCover(specifiers: readonly string[], command: string): readonly string[] | undefined {
  if (command.length > MOST_CHARACTERS) return undefined;
  const { parsed, commands } = analyseBash(command);
  if (!parsed || commands.length === 0 || commands.length > MOST_COMMANDS) return undefined;
  // The very text that a person has allowed.
  const same = specifiers.find((specifier) => specifier.trim() === command.trim());
  if (same !== undefined) return [same];
  const used = new Set<string>();
  for (const simple of commands) {
    const covering = specifiers.find((specifier) => isCovered(specifier, simple, command));
    if (covering !== undefined) used.add(covering);
    else if (!simple.readOnly) return undefined;
  }
  return [...used];
}

function isCovered(specifier: string, simple: SimpleCommand, command: string): boolean {
  const { argv, env, redirections, span } = simple;
  if (argv.length === 0 || isUnknown(argv[0] ?? '', simple)) return false;
  if (!env.every(({ name }) => isHarmless(name)) || !redirections.every(isHarmlessRedirection)) return false;
  const patterns = wordPatterns(specifier);
  if (specifier.includes('*')) {
    const inner = innerCommand(argv);
    return !isNeverWidened(inner) && patterns.some((pattern) => mayMatch(pattern, textOf(inner)));
  }
  const written = command.slice(span.start, span.end).trim();
  return patterns.some((pattern) => pattern === textOf(argv) || pattern === written);
}

/** Names that change what is printed, never what is run. The analysis has judged the values of read-only commands only. */
const isHarmless = (name: string): boolean => /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|NODE_ENV)$/.test(name);

/** `2>&1`, `>/dev/null`. `>&word` without a number writes to a file of that name. */
const isHarmlessRedirection = ({ op, target }: SimpleCommand['redirections'][number]): boolean =>
  target === '/dev/null'
    ? /^\d?(?:>>?|>\||&>>?|>&|<)$/.test(op)
    : /^\d?[<>]&$/.test(op) && /^(?:\d{1,2}|-)$/.test(target);

/** Words as a rule says them. A word with a blank in it is no two words. */
const textOf = (argv: readonly string[]): string =>
  argv.map((word) => (/^[^\s'"\\]+$/.test(word) ? word : JSON.stringify(word))).join(' ');

/** Whether a restriction is meant. `perhaps`: it cannot be told from the text, and the answer is never an allow. */
export type Concern = 'yes' | 'perhaps' | 'no';

/**
 * Does a deny or ask rule concern the command? One simple command in it is enough, also behind wrappers (`sudo`, `env`,
 * `xargs`) or with the folder of its program. What only bash or another shell can work out is `perhaps`.
 */
export function bashConcern(specifier: string, command: string): Concern {
  const patterns = wordPatterns(specifier);
  if (patterns.some((pattern) => mayMatch(pattern, command.trim()))) return 'yes';
  const { parsed, commands } = analyseBash(command);
  const concerns = commands.map((simple) => concernOf(patterns, simple, command));
  if (concerns.includes('yes')) return 'yes';
  // A command that cannot be taken apart may hide what the rule is about.
  return !parsed || commands.length === 0 || concerns.includes('perhaps') ? 'perhaps' : 'no';
}

function concernOf(patterns: readonly string[], simple: SimpleCommand, command: string): Concern {
  const matches = (text: string): boolean => patterns.some((pattern) => mayMatch(pattern, text));
  if (matches(command.slice(simple.span.start, simple.span.end).trim())) return 'yes';
  const inner = innerWords(simple.argv);
  if (inner.some(({ argv, certain }) => certain && matches(plainText(argv)))) return 'yes';
  if (inner.some(({ argv, certain }) => !certain && matches(plainText(argv)))) return 'perhaps';
  const unknown = (words: readonly string[]) => words.map((word) => (isUnknown(word, simple) ? UNKNOWN : word));
  if (inner.some(({ argv }) => matches(plainText(unknown(argv))))) return 'perhaps';
  return inner.some(({ argv }) => innerTexts(argv).some((text) => shellConcern(patterns, text))) ? 'perhaps' : 'no';
}

/** A text for another shell: whether it concerns is looked at in the same way, but how that shell reads it is its own. */
const shellConcern = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => bashConcern(pattern, text) !== 'no');

/** The words with the program's name alone, wherever it lies. */
const plainText = ([name = '', ...args]: readonly string[]): string =>
  [name.slice(name.lastIndexOf('/') + 1), ...args].join(' ');

/** Expansions stand in the words as they are written; what they become is not known. */
const isUnknown = (word: string, { exact }: SimpleCommand): boolean => !exact && /[$`*?[\]{}~]|[<>]\(/.test(word);
