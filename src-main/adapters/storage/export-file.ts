import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { ExportFile, OpenExportFile } from '../../ports/export-file.ts';
import { diskTrouble } from './disk-trouble.ts';

/** So much text is gathered before it is written. */
const GATHER = 64 * 1024;

/** Opens a file beside the one that is wanted; it gets its name when it is whole. */
export const openExportFile: OpenExportFile = async (path, { replace }) => {
  const known = await stat(path).catch(() => undefined);
  if (known?.isDirectory() === true) throw notWritable(path, 'it is a folder');
  if (known !== undefined && !replace) throw isThere(path);
  const beside = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(4).toString('hex')}.part`);
  try {
    return new PartFile(await open(beside, 'wx', 0o644), { path, beside, replace });
  } catch (cause) {
    throw notWritable(path, diskTrouble(cause), cause);
  }
};

type Place = { readonly path: string; readonly beside: string; readonly replace: boolean };

class PartFile implements ExportFile {
  readonly #handle: FileHandle;
  readonly #place: Place;
  #gathered: string[] = [];
  #length = 0;

  constructor(handle: FileHandle, place: Place) {
    this.#handle = handle;
    this.#place = place;
  }

  async write(text: string): Promise<void> {
    this.#gathered.push(text);
    this.#length += text.length;
    if (this.#length >= GATHER) await this.#flush();
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.#flush();
    await this.#try(() => this.#handle.writeFile(bytes));
  }

  async #flush(): Promise<void> {
    if (this.#length === 0) return;
    const text = this.#gathered.join('');
    this.#gathered = [];
    this.#length = 0;
    await this.#try(() => this.#handle.writeFile(text));
  }

  async keep(): Promise<void> {
    const { path, beside, replace } = this.#place;
    await this.#flush();
    await this.#try(async () => {
      await this.#handle.sync();
      await this.#handle.close();
    });
    if (replace) {
      await this.#try(() => rename(beside, path));
      return;
    }
    try {
      // Unlike a rename this does not replace what somebody has put there meanwhile.
      await link(beside, path);
      await rm(beside, { force: true });
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') throw isThere(path);
      // Some file systems have no links.
      await this.#try(() => rename(beside, path));
    }
  }

  async drop(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#place.beside, { force: true }).catch(() => undefined);
  }

  async #try(step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (cause) {
      throw notWritable(this.#place.path, diskTrouble(cause), cause);
    }
  }
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;

const notWritable = (path: string, why: string, cause?: unknown): FailureError =>
  new FailureError(
    { kind: 'not-writable', message: `${path} cannot be written: ${why}.`, hint: 'Choose another place.' },
    { cause },
  );

const isThere = (path: string): FailureError =>
  new FailureError({
    kind: 'not-writable',
    message: `${path} is there already.`,
    hint: 'Choose another name, or allow it to be replaced (--force).',
  });
