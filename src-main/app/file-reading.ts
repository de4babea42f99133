import { lstatSync } from 'node:fs';
import { ReadableFiles } from '../core/permission/readable-files.ts';
import type { RuleSet } from '../core/permission/rules.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolContext } from '../ports/tool.ts';
import { worldOf } from './permission-world.ts';

/** Links are looked at again after this long; a search asks about thousands of files in less. */
const GOOD_FOR_MS = 1_000;

export type FileReadingDeps = {
  /** The same object while nothing changes. */
  readonly rules: () => RuleSet;
  readonly context: () => ToolContext;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** Answers file by file what the rules of now let a search show, without working the rules out for each. */
export class FileReading {
  readonly #deps: FileReadingDeps;
  #made:
    | { readonly rules: RuleSet; readonly context: ToolContext; readonly at: number; readonly files: ReadableFiles }
    | undefined;

  constructor(deps: FileReadingDeps) {
    this.#deps = deps;
  }

  mayRead(path: string, within?: string): boolean {
    return this.#files().mayRead(path, within);
  }

  mayReadAll(folder: string): boolean {
    return this.#files().mayReadAll(folder);
  }

  #files(): ReadableFiles {
    const rules = this.#deps.rules();
    const context = this.#deps.context();
    const now = this.#deps.clock.monotonic();
    const made = this.#made;
    const isGood =
      made !== undefined &&
      made.rules === rules &&
      made.context.cwd === context.cwd &&
      made.context.directories === context.directories &&
      now - made.at < GOOD_FOR_MS;
    if (isGood) return made.files;
    const files = new ReadableFiles(rules, { ...worldOf(context), isLink });
    this.#made = { rules, context, at: now, files };
    return files;
  }
}

/** What cannot be looked at is taken for a link: then all its names are worked out with care. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return true;
  }
}
