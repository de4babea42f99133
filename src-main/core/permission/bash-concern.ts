import type { SimpleCommand } from '../bash/analyse-bash.ts';
import type { FileUse } from './bash-files.ts';
import type { BashFacts } from './call-facts.ts';
import { matchesFolder, mayMatchBelow, mayMatchNames, type PathPattern } from './path-rules.ts';
import { hasWildcard } from './path-wildcards.ts';
import { mayMatch, UNKNOWN, wordPatterns } from './wildcard.ts';
import { innerWords } from './wrapped-commands.ts';

/** Whether a restriction is meant. `perhaps`: it cannot be told from the text, and the answer is never an allow. */
export type Concern = 'yes' | 'perhaps' | 'no';

/** The strongest of several. */
export function strongest(concerns: Iterable<Concern>): Concern {
  let found: Concern = 'no';
  for (const concern of concerns) {
    if (concern === 'yes') return 'yes';
    if (concern === 'perhaps') found = 'perhaps';
  }
  return found;
}

/**
 * Does a deny or ask rule for Bash concern the command? One simple command in it is enough, also behind wrappers (`sudo`,
 * `env`, `xargs`) or with the folder of its program. What only bash or another shell can work out is `perhaps`.
 */
export function commandConcern(specifier: string, facts: BashFacts): Concern {
  const patterns = wordPatterns(specifier, 'restrict');
  const { steps } = facts.script;
  if (patterns.some((pattern) => mayMatch(pattern, facts.command.trim()))) return 'yes';
  const found = strongest(steps.map(({ command }) => concernOf(patterns, command, facts.command)));
  if (found !== 'no') return found;
  // How another shell reads a text is its own affair.
  if (facts.handed.some((text) => commandConcern(specifier, text) !== 'no')) return 'perhaps';
  // A command that cannot be taken apart may hide what the rule is about.
  return facts.isClear ? 'no' : 'perhaps';
}

function concernOf(patterns: readonly string[], simple: SimpleCommand, command: string): Concern {
  const matches = (text: string): boolean => patterns.some((pattern) => mayMatch(pattern, text));
  if (matches(command.slice(simple.span.start, simple.span.end).trim())) return 'yes';
  const inner = innerWords(simple.argv.map((text) => ({ text }))).map(({ argv, certain }) => ({
    argv: argv.map(({ text }) => text),
    certain,
  }));
  if (inner.some(({ argv, certain }) => certain && matches(plainText(argv)))) return 'yes';
  if (inner.some(({ argv, certain }) => !certain && matches(plainText(argv)))) return 'perhaps';
  const unknown = (words: readonly string[]) => words.map((word) => (isUnknown(word, simple) ? UNKNOWN : word));
  if (inner.some(({ argv }) => matches(plainText(unknown(argv))))) return 'perhaps';
  return inner.some(({ argv }) => matches(plainText(withoutGitOptions(argv)))) ? 'perhaps' : 'no';
}

/** The words with the program's name alone, wherever it lies. */
const plainText = ([name = '', ...args]: readonly string[]): string =>
  [name.slice(name.lastIndexOf('/') + 1), ...args].join(' ');

/** `git -C . -c a=b push` pushes, though nobody writes rules in this way. */
function withoutGitOptions(argv: readonly string[]): readonly string[] {
  const [name = '', ...args] = argv;
  if (!/(?:^|\/)git$/.test(name)) return argv;
  let at = 0;
  while (args[at]?.startsWith('-')) at += /^-[Cc]$/.test(args[at] ?? '') ? 2 : 1;
  return [name, ...args.slice(at)];
}

/** Expansions stand in the words as they are written; what they become is not known. */
const isUnknown = (word: string, { exact }: SimpleCommand): boolean => !exact && /[$`*?[\]{}~]|[<>]\(/.test(word);

/**
 * Does a deny or ask rule for paths concern what the command opens? For `read` rules whatever is written counts too: who
 * may not read a file may not put another one in its place.
 */
export function fileConcern(pattern: PathPattern, access: 'read' | 'write', facts: BashFacts): Concern {
  if (!facts.isClear) return 'perhaps';
  const isMeant = (use: FileUse): boolean => access === 'read' || use.access === 'write';
  const own = facts.files.flatMap(({ uses, redirected }) => [...uses, ...redirected].filter(isMeant));
  const found = strongest(own.map((use) => useConcern(pattern, access, use, facts)));
  if (found !== 'no') return found;
  return facts.handed.some((text) => fileConcern(pattern, access, text) !== 'no') ? 'perhaps' : 'no';
}

function useConcern(pattern: PathPattern, access: 'read' | 'write', use: FileUse, facts: BashFacts): Concern {
  // Programs that nobody has described are asked about for what they may show, not for what they may change.
  if (!use.certain && access === 'write') return 'no';
  const places = facts.places(use);
  if (places === undefined) return use.certain ? 'perhaps' : 'no';
  const found = strongest(
    places.map((place): Concern => {
      // A wildcard is a name like another one here: a rule that matches it matches whatever bash puts there.
      if (matchesFolder(pattern, place)) return 'yes';
      if (!place.certain) return 'perhaps';
      if (use.below !== 'nothing' && mayMatchBelow(pattern, place, use.below)) return 'perhaps';
      return hasWildcard(place) && mayMatchNames(pattern, place) ? 'perhaps' : 'no';
    }),
  );
  return use.certain || found === 'no' ? found : 'perhaps';
}
