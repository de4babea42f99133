import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { RecentChoices } from '../../ports/recent-choices.ts';

const RecentFile = z.object({ version: z.literal(1), folders: z.array(z.string()), model: ModelChoice.optional() });
type RecentFile = z.output<typeof RecentFile>;

const MOST_FOLDERS = 12;

/** The last choices in a file of Gantry's home. It is a convenience: a damaged one is as good as none. */
export class RecentChoicesFile implements RecentChoices {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): ReturnType<RecentChoices['read']> {
    const { folders, model } = this.#file();
    return { folders: folders.filter(isFolder), model };
  }

  remember({ folder, model }: Parameters<RecentChoices['remember']>[0]): void {
    const { folders } = this.#file();
    const newest = [folder, ...folders.filter((other) => other !== folder)].slice(0, MOST_FOLDERS);
    const file: RecentFile = { version: 1, folders: newest, model };
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      writeFileAtomic.sync(this.#path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600 });
    } catch {
      // A full disk shows elsewhere; a session is not kept from starting for this.
    }
  }

  #file(): RecentFile {
    try {
      return RecentFile.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return { version: 1, folders: [] };
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
