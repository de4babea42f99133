import { join } from 'node:path';
import type { RunEnvironment } from '../../ports/tool.ts';
import { runRipgrep } from './ripgrep.ts';
import { parsePaths } from './search-lines.ts';
import type { ToolServices } from './services.ts';

/** Between these many questions the app gets to do other things. */
const AT_ONCE = 500;
/** The whole command is one word of the system's list of arguments, which has a limit of 128 KB on Linux. */
const MOST_CHARACTERS = 48 * 1024;

export type LeftOut = {
  /** Paths as ripgrep prints them. */
  readonly files: ReadonlySet<string>;
  /** Options that keep ripgrep from opening them, as far as these can be said. They go behind all other globs. */
  readonly options: readonly string[];
  /** Nothing is left to be searched. */
  readonly everything: boolean;
  /** Asked of what the search has found: a file may have come since they were listed. */
  readonly mayShow: (path: string) => boolean;
};

const NOTHING: LeftOut = { files: new Set(), options: [], everything: false, mayShow: () => true };

/** What a search is about: where ripgrep is told to look, and by what name that was permitted. */
export type Scope = {
  /** Which files are meant at all: globs and types. */
  readonly filters: readonly string[];
  /** As ripgrep is told; free of links. */
  readonly target: string;
  readonly cwd: string;
  /** The same place as it was written, absolute. */
  readonly written: string;
};

/**
 * The files that a search would look at, but may not show. They are asked about one by one, by the name they have below
 * the place as it was written: rules may speak of that and of what it links to. Lists files only when a rule could mean
 * something there.
 */
export async function filesLeftOut(services: ToolServices, scope: Scope, run: RunEnvironment): Promise<LeftOut> {
  const { filters, target, cwd, written } = scope;
  if (run.host.mayReadAll(written)) return NOTHING;
  const options = ['--files', '--null', ...filters];
  const { text, cut } = await runRipgrep(services, { options, operands: [target], cwd }, run);
  const paths = parsePaths(text, cut);
  const ask = (path: string): boolean =>
    run.host.mayRead(path === target ? written : join(written, belowTarget(path, target)), written);
  const files = new Set<string>();
  for await (const path of unreadable(paths, ask)) files.add(path);
  const listed = new Set(paths);
  return {
    files,
    options: exclusions(paths, files),
    everything: files.size > 0 && files.size === paths.length && !cut,
    mayShow: (path) => (listed.has(path) ? !files.has(path) : ask(path)),
  };
}

/** ripgrep puts what it was told in front of each path. */
const belowTarget = (path: string, target: string): string =>
  path.startsWith(`${target}/`) ? path.slice(target.length + 1) : path;

/** Those of the paths that may not be read. */
export async function* unreadable(
  paths: readonly string[],
  mayRead: (path: string) => boolean,
): AsyncGenerator<string, void, undefined> {
  for (const [at, path] of paths.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    if (!mayRead(path)) yield path;
  }
}

/** A folder by its files: all that are meant below it, and those of them that are left out. */
type Folder = {
  readonly path: string;
  all: number;
  out: number;
  readonly folders: Map<string, Folder>;
  readonly files: string[];
};

/** Globs for whole folders where everything is left out, and for single files elsewhere. */
export function exclusions(paths: readonly string[], leftOut: ReadonlySet<string>): readonly string[] {
  // On Windows a backslash is a separator, and what it would have to quote may stand in names.
  if (process.platform === 'win32') return [];
  const globs: string[] = [];
  let characters = 0;
  const add = (path: string): void => {
    const glob = `--glob=!${path.startsWith('./') ? path.slice(1) : path}`.replace(/[*?[\]{}\\]/g, '\\$&');
    characters += glob.length + 3 + (glob.match(/'/g)?.length ?? 0) * 3;
    if (characters <= MOST_CHARACTERS) globs.push(glob);
  };
  const visit = (folder: Folder): void => {
    if (folder.out === 0) return;
    for (const file of folder.files) if (leftOut.has(file)) add(file);
    for (const below of folder.folders.values()) {
      if (below.out === below.all) add(below.path);
      else visit(below);
    }
  };
  visit(treeOf(paths, leftOut));
  return globs;
}

function treeOf(paths: readonly string[], leftOut: ReadonlySet<string>): Folder {
  const root: Folder = { path: '', all: 0, out: 0, folders: new Map(), files: [] };
  for (const path of paths) {
    const isOut = leftOut.has(path) ? 1 : 0;
    let folder = root;
    folder.all++;
    folder.out += isOut;
    for (let slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const name = path.slice(0, slash);
      let below = folder.folders.get(name);
      if (below === undefined) {
        below = { path: name, all: 0, out: 0, folders: new Map(), files: [] };
        folder.folders.set(name, below);
      }
      folder = below;
      folder.all++;
      folder.out += isOut;
    }
    folder.files.push(path);
  }
  return root;
}

/** `(3 files were left out by permission rules.)`; nothing when there are none. They are not named. */
export const leftOutNotes = (count: number): readonly string[] =>
  count === 0 ? [] : [`(${count} ${count === 1 ? 'file was' : 'files were'} left out by permission rules.)`];
