import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { mkdir, open, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ResultFiles } from '../../ports/result-files.ts';
import { diskTrouble } from './disk-trouble.ts';

/** With less room than this a disk is taken for full before a call begins: what it prints had better go elsewhere. */
const LEAST_ROOM = 1024 * 1024;
/** With less room than this after a call something of its output may be missing. */
const NO_ROOM = 64 * 1024;

/** Whole outputs as files of one folder, one a call (spec 2.8). */
export class ResultFolder implements ResultFiles {
  readonly #folder: string;
  /** Where outputs go that cannot stay, and why they cannot. */
  #spare: { readonly folder: string; readonly why: string } | undefined;
  readonly #inSpare = new Set<string>();

  /** @param folder absolute; made when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  pathFor(callId: string): string {
    const why = refusalOf(this.#folder);
    const folder = why === undefined ? this.#folder : this.#spareFolder(why);
    if (folder === this.#spare?.folder) this.#inSpare.add(callId);
    return join(folder, `${fileNameOf(callId)}.txt`);
  }

  /** The folder itself when there is no better one: then the call says what the disk says. */
  #spareFolder(why: string): string {
    try {
      const folder = this.#spare?.folder ?? mkdtempSync(join(tmpdir(), 'gantry-outputs-'));
      this.#spare = { folder, why };
      if (roomIn(statfsSync(folder)) >= LEAST_ROOM) return folder;
    } catch {
      // No spare folder either.
    }
    return this.#folder;
  }

  async keep(path: string): Promise<void> {
    if (this.#spare === undefined || dirname(path) !== this.#spare.folder) return;
    throw new Error(`${this.#folder} cannot be written to, ${this.#spare.why}`);
  }

  async shortage(callId: string): Promise<string | undefined> {
    const folder = this.#inSpare.has(callId) ? this.#spare?.folder : this.#folder;
    const disk = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
    return disk !== undefined && roomIn(disk) < NO_ROOM ? diskTrouble({ code: 'ENOSPC' }) : undefined;
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

/** Why a folder takes no outputs; undefined when it does. It is made when it is not there. */
function refusalOf(folder: string): string | undefined {
  try {
    // Looking costs a quarter of making a folder that is there.
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The dot is refused where a file lies in the folder's place.
    accessSync(`${folder}/.`, constants.W_OK);
    return roomIn(statfsSync(folder)) < LEAST_ROOM ? diskTrouble({ code: 'ENOSPC' }) : undefined;
  } catch (cause) {
    return diskTrouble(cause);
  }
}

/** Bytes that may still be written. */
const roomIn = (disk: { readonly bavail: number; readonly bsize: number }): number => disk.bavail * disk.bsize;

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
