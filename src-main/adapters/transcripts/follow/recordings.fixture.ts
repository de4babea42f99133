import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a recorded session: where it lies below the session's folder, and its bytes. */
export type RecordedFile = { readonly path: string; readonly bytes: Buffer };

export const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** All files below a folder, by name. */
export async function filesBelow(folder: string): Promise<readonly RecordedFile[]> {
  const found: RecordedFile[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const full = join(entry.parentPath, entry.name);
    found.push({ path: full.slice(folder.length + 1), bytes: await readFile(full) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Writes a session again, bit by bit, as its program did. */
export class Rewriter {
  readonly #folder: string;
  readonly #files: readonly RecordedFile[];
  readonly #written = new Map<string, number>();

  constructor(folder: string, files: readonly RecordedFile[]) {
    this.#folder = folder;
    this.#files = files;
  }

  get left(): readonly RecordedFile[] {
    return this.#files.filter(({ path, bytes }) => (this.#written.get(path) ?? -1) < bytes.length);
  }

  /** Appends the next `count` bytes of a file, which is made when it is not there. @returns how many it were. */
  async append({ path, bytes }: RecordedFile, count: number): Promise<number> {
    const from = this.#written.get(path) ?? 0;
    const piece = bytes.subarray(from, from + count);
    const file = join(this.#folder, path);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, piece);
    this.#written.set(path, from + piece.length);
    return piece.length;
  }

  async appendAll(): Promise<void> {
    for (const file of this.left) await this.append(file, file.bytes.length);
  }
}
