import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ResultFiles } from '../../ports/result-files.ts';

/** Whole outputs as files of one folder, one a call (spec 2.8). */
export class ResultFolder implements ResultFiles {
  readonly #folder: string;

  /** @param folder absolute; made when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  pathFor(callId: string): string {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch {
      // A folder that cannot be made shows when something is written to it, with the call that wanted to.
    }
    return join(this.#folder, `${fileNameOf(callId)}.txt`);
  }

  async save(callId: string, text: string): Promise<{ readonly path: string; readonly bytes: number }> {
    const path = this.pathFor(callId);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const bytes = Buffer.from(text, 'utf8');
      await writeFile(path, bytes, { mode: 0o600 });
      return { path, bytes: bytes.length };
    } catch (cause) {
      await rm(path, { force: true }).catch(() => undefined);
      throw new Error(`${this.#folder} ${reasonOf(cause)}`, { cause });
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

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}

/** An id comes from a model and may hold anything; a name made from it stays in the folder and is unique. */
export function fileNameOf(callId: string): string {
  const plain = callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100);
  if (plain === callId) return plain;
  return `${plain}-${createHash('sha256').update(callId).digest('hex').slice(0, 12)}`;
}

function reasonOf(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOSPC':
      return 'has no space left on its disk';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'is not writable';
    default:
      return `cannot be written to (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}
