import type { TouchedFiles } from '../../../src-shared/what-if/touched.ts';
import { analyseBash } from '../bash/analyse-bash.ts';
import type { FileUse } from './bash-files.ts';
import { wordsOf } from './bash-script.ts';
import { BashFacts } from './call-facts.ts';
import { FILE_PROGRAMS, NAME_NO_FILES } from './file-programs.ts';
import type { Ground } from './ground.ts';
import { hasWildcard } from './path-wildcards.ts';
import { nativePath } from './paths.ts';
import { withoutWrappers } from './wrapped-commands.ts';

/** More files than this are not told one by one. */
const MOST_FILES = 50;
/** Beyond this a command is not taken apart. */
const MOST_CHARACTERS = 5_000;

const NOTHING_KNOWN: Omit<TouchedFiles, 'readOnly'> = { reads: [], folders: [], writes: [], complete: false };

/**
 * The files a Bash command is known to read and to write, for finding calls that would have raced. Nothing is looked up:
 * the same text in the same folder always gives the same answer.
 */
export function touchedFiles(command: string, ground: Ground): TouchedFiles {
  const { readOnly } = analyseBash(command);
  if (command.length > MOST_CHARACTERS) return { readOnly, ...NOTHING_KNOWN };
  const facts = new BashFacts(command, ground);
  const sorted: Sorted = { reads: new Set(), folders: new Set(), writes: new Set(), isVague: false };
  for (const { uses, redirected } of facts.files) {
    for (const use of [...uses, ...redirected]) if (use.certain) sort(use, facts, sorted);
  }
  const { reads, folders, writes, isVague } = sorted;
  const first = (paths: ReadonlySet<string>) => [...paths].slice(0, MOST_FILES);
  const isWhole = reads.size <= MOST_FILES && folders.size <= MOST_FILES && writes.size <= MOST_FILES;
  return {
    readOnly,
    reads: first(reads),
    folders: first(folders),
    writes: first(writes),
    complete: readOnly || (isWhole && !isVague && facts.isClear && isKnown(facts)),
  };
}

type Sorted = {
  readonly reads: Set<string>;
  readonly folders: Set<string>;
  readonly writes: Set<string>;
  /** Some file cannot be told. */
  isVague: boolean;
};

function sort(use: FileUse, facts: BashFacts, into: Sorted): void {
  const places = facts.places(use);
  if (places === undefined) {
    into.isVague = true;
    return;
  }
  for (const place of places) {
    const [name] = place.names;
    if (name === undefined || !place.certain || hasWildcard(place)) {
      into.isVague = true;
      continue;
    }
    const path = nativePath(name, facts.ground.platform);
    if (use.access === 'write') into.writes.add(path);
    else if (use.below === 'nothing') into.reads.add(path);
    else into.folders.add(path);
  }
}

/** Every program in it is one whose files are described, and it hands nothing on to another shell. */
const isKnown = (facts: BashFacts): boolean =>
  facts.handed.length === 0 &&
  facts.files.every(({ step }) => {
    if (step.command.readOnly) return true;
    const name = withoutWrappers(wordsOf(step.node))[0]?.text;
    return name !== undefined && (FILE_PROGRAMS.has(name) || NAME_NO_FILES.has(name));
  });
