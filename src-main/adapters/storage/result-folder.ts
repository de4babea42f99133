import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultFiles } from '../../ports/result-files.ts';
import { diskTrouble } from './disk-trouble.ts';

/** Whole outputs as files of one folder, one a call (spec 2.8). */
export class ResultFolder implements ResultFiles {
  readonly #folder: string;

  /** @param folder absolute; made when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  pathFor(callId: string): string {
    try {
      // Looking costs a quarter of making a folder that is there.
      if (!existsSync(this.#folder)) mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch {
      // A folder that cannot be made shows when something is written to it, with the call that wanted to.
    }
    return join(this.#folder, `${fileNameOf(callId)}.txt`);
  }

  async save(callId: string, text: string): Promise<{ readonly path: string; readonly bytes: number }> {
    const path = join(this.#folder, `${fileNameOf(callId)}.txt`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const bytes = Buffer.from(text, 'utf8');
      await writeFile(path, bytes, { mode: 0o600 });
      return { path, bytes: bytes.length };
    } catch (cause) {
      // A part of it would be taken for the whole.
      await rm(path, { force: true }).catch(() => undefined);
      throw new Error(`${this.#folder} cannot be written to, ${diskTrouble(cause)}`, { cause });
    }
  }

  async head(path: string, bytes: number): Promise<Uint8Array> {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async text(path: string): Promise<string> {
    return readFile(path, 'utf8');
  }

  async mtimeOf(path: string): Promise<number | undefined> {
    return (await stat(path).catch(() => undefined))?.mtimeMs;
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}

/** What may stand as a file's name on all systems; those that look like one of ours with a hash may not. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z0-9_-]{1,100}$/.test(name) &&
  !/-[0-9a-f]{16}$/.test(name) &&
  !/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);

/** An id comes from a model and may hold anything; the name made from it stays in the folder, and no other id has it. */
export function fileNameOf(callId: string): string {
  if (isPlain(callId)) return callId;
  const readable = callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80);
  return `${readable}-${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`;
}
