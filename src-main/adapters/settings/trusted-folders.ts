import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { FailureError } from '../../../src-shared/failure.ts';
import {
  confirming,
  type FolderRecord,
  readTrustedFolders,
  refusing,
  trustedFoldersText,
  without,
} from '../../core/settings/trusted-folders.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderAnswer, FolderTrust } from '../../ports/settings.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import type { SettingsText } from './read-settings.ts';
import { WatchedFile } from './watched-file.ts';

const NO_ANSWER: FolderAnswer = { answer: 'none', confirms: () => false };

/** What was said of folders, in a file of Gantry's home. A list that cannot be read trusts nobody. */
export class TrustedFolders implements FolderTrust {
  readonly #file: WatchedFile;
  #answers = new Map<string, FolderAnswer>();
  #answersOf: readonly FolderRecord[] = [];
  #content: SettingsText | undefined;
  #parsed: Records = { ok: true, value: [] };

  /** @param path of the list, absolute. Need not be there. */
  constructor(path: string, clock: Clock) {
    this.#file = new WatchedFile(path, clock);
  }

  /** The same object as before when nothing has changed. */
  answerFor(folder: string): FolderAnswer {
    const real = realFolder(folder);
    const folders = this.#read();
    if (real === undefined || !folders.ok) return NO_ANSWER;
    if (folders.value !== this.#answersOf) {
      this.#answersOf = folders.value;
      this.#answers = new Map(folders.value.map((record) => [record.path, answerOf(record)]));
    }
    return this.#answers.get(real) ?? NO_ANSWER;
  }

  trust(folder: string, keys: readonly string[]): void {
    this.#write(confirming(this.#records(), existingFolder(folder), keys, 'trusted'));
  }

  confirm(folder: string, keys: readonly string[]): void {
    this.#write(confirming(this.#records(), existingFolder(folder), keys));
  }

  refuse(folder: string): void {
    this.#write(refusing(this.#records(), existingFolder(folder)));
  }

  untrust(folder: string): void {
    const folders = this.#records();
    // A folder that is gone can be taken off by the path it was listed with.
    const real = realFolder(folder);
    const kept = without(folders, folder, ...(real === undefined ? [] : [real]));
    if (kept.length < folders.length) this.#write(kept);
  }

  list(): readonly string[] {
    return this.#records().flatMap(({ path, answer }) => (answer === 'trusted' ? [path] : []));
  }

  #records(): readonly FolderRecord[] {
    const folders = this.#read();
    if (folders.ok) return folders.value;
    throw new FailureError({
      kind: 'not-readable',
      message: `The list of trusted folders ${this.#file.path} cannot be read: ${folders.why}.`,
      hint: 'Mend or delete it. Until then no folder is trusted.',
    });
  }

  /** What is wrong with the list, as the end of a sentence; undefined when it is in order. */
  get problem(): string | undefined {
    const folders = this.#read();
    return folders.ok ? undefined : folders.why;
  }

  get path(): string {
    return this.#file.path;
  }

  #read(): Records {
    const content = this.#file.look();
    if (content !== this.#content) {
      this.#content = content;
      this.#parsed = recordsIn(content);
    }
    return this.#parsed;
  }

  #write(folders: readonly FolderRecord[]): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileAtomic.sync(this.path, trustedFoldersText(folders), { mode: 0o600 });
    } catch (cause) {
      throw new FailureError(
        { kind: 'not-writable', message: `${this.path} cannot be written: ${diskTrouble(cause)}.` },
        { cause },
      );
    }
  }
}

type Records =
  | { readonly ok: true; readonly value: readonly FolderRecord[] }
  | { readonly ok: false; readonly why: string };

function recordsIn(content: SettingsText): Records {
  switch (content.kind) {
    case 'missing':
      return { ok: true, value: [] };
    case 'unreadable':
      return { ok: false, why: content.why };
    case 'text': {
      const folders = readTrustedFolders(content.text);
      return folders.ok ? folders : { ok: false, why: folders.error };
    }
  }
}

function answerOf({ answer, confirmed }: FolderRecord): FolderAnswer {
  const keys = new Set(confirmed);
  return { answer: answer ?? 'none', confirms: (key) => keys.has(key) };
}

/** @throws FailureError when it is none. */
function existingFolder(folder: string): string {
  const real = realFolder(folder);
  if (real !== undefined && statSync(real).isDirectory()) return real;
  throw new FailureError({ kind: 'not-found', message: `${folder} is no folder.`, hint: 'Check the path.' });
}

/** Behind all links, in the spelling of the file system. Undefined when it is not there. */
function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}
