import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { FailureError } from '../../../src-shared/failure.ts';
import { readTrustedFolders, trustedFoldersText } from '../../core/settings/trusted-folders.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderTrust } from '../../ports/settings.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { WatchedFile } from './watched-file.ts';

/** The trusted folders in a file of Gantry's home. A list that cannot be read trusts nobody. */
export class TrustedFolders implements FolderTrust {
  readonly #file: WatchedFile;

  /** @param path of the list, absolute. Need not be there. */
  constructor(path: string, clock: Clock) {
    this.#file = new WatchedFile(path, clock);
  }

  isTrusted(folder: string): boolean {
    const real = realFolder(folder);
    const folders = this.#read();
    return real !== undefined && folders.ok && folders.value.includes(real);
  }

  trust(folder: string): void {
    const real = realFolder(folder);
    if (real === undefined || !statSync(real).isDirectory()) {
      throw new FailureError({ kind: 'not-found', message: `${folder} is no folder.`, hint: 'Check the path.' });
    }
    const folders = this.list();
    if (!folders.includes(real)) this.#write([...folders, real]);
  }

  untrust(folder: string): void {
    const folders = this.list();
    // A folder that is gone can be taken off by the path it was listed with.
    const names = [realFolder(folder), folder];
    const kept = folders.filter((each) => !names.includes(each));
    if (kept.length < folders.length) this.#write(kept);
  }

  list(): readonly string[] {
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

  #read(): { readonly ok: true; readonly value: readonly string[] } | { readonly ok: false; readonly why: string } {
    const content = this.#file.look();
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

  #write(folders: readonly string[]): void {
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

/** Behind all links, in the spelling of the file system. Undefined when it is not there. */
function realFolder(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}
