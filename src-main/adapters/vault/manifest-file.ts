import { existsSync } from 'node:fs';
import { constants, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import {
  isWordy,
  MANIFEST_NAME,
  MANIFEST_VERSION,
  type Manifest,
  ManifestFold,
  type ManifestLine,
  shortest,
} from '../../core/vault/manifest.ts';
import { PARTS } from './copy-in.ts';
import { syncFolder } from './folders.ts';
import { codeOf, noVault, vaultDown } from './trouble.ts';

/** Lines that may wait for the disk together: what is lost of them in a power cut is found out by the next run. */
const LINES_AT_ONCE = 64;

/** What the manifest of a vault says. @throws FailureError where there is none, or one of a later version */
export async function readManifest(root: string): Promise<Manifest & { readonly isTorn: boolean }> {
  const path = join(root, MANIFEST_NAME);
  const manifest = new ManifestFold();
  let isTorn = false;
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const text = await handle.readFile('utf8');
      isTorn = text !== '' && !text.endsWith('\n');
      for (const line of text.split('\n')) manifest.takeText(line);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw hasNone(root);
    throw vaultDown(root, cause);
  }
  const { header } = manifest;
  if (header !== undefined && header.v > MANIFEST_VERSION) {
    throw new FailureError({
      kind: 'unsupported',
      message: `The vault in ${root} was written by a later version of Gantry.`,
      hint: 'Nothing was changed. Use that version.',
    });
  }
  if (header === undefined && manifest.files.size === 0) {
    throw new FailureError({
      kind: 'not-readable',
      message: `${path} is damaged: none of its lines can be read.`,
      hint: 'Rename it and start the vault anew in the same folder: copies that are there are found again.',
    });
  }
  return Object.assign(manifest, { isTorn });
}

const hasNone = (root: string): FailureError => noVault(root, `it holds no ${MANIFEST_NAME}`);

/** @throws FailureError where there is no vault. Nothing is written before this is known. */
export function ensureManifest(root: string): void {
  if (!existsSync(join(root, MANIFEST_NAME))) throw hasNone(root);
}

/** Makes the manifest of a new vault. Leaves one that is there as it is. */
export async function makeManifest(root: string, id: string, now: number): Promise<void> {
  try {
    const handle = await open(join(root, MANIFEST_NAME), 'wx', 0o600);
    try {
      const header: ManifestLine = { kind: 'vault', v: MANIFEST_VERSION, id, madeAt: now };
      await handle.writeFile(textOf(header));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(root);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw vaultDown(root, cause);
  }
}

const textOf = (line: ManifestLine): string => `${JSON.stringify(line)}\n`;

/** The manifest of a vault that is written to. Only whoever holds the vault's lock has one. */
export class ManifestFile {
  readonly manifest: ManifestFold;
  readonly #root: string;
  readonly #handle: FileHandle;
  #waiting = 0;
  /** The last line breaks off: what follows begins on a line of its own. */
  #gap: string;

  private constructor(root: string, handle: FileHandle, manifest: ManifestFold, isTorn: boolean) {
    this.#root = root;
    this.#handle = handle;
    this.manifest = manifest;
    this.#gap = isTorn ? '\n' : '';
  }

  static async open(root: string): Promise<ManifestFile> {
    const manifest = await readManifest(root);
    const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    try {
      const handle = await open(join(root, MANIFEST_NAME), flags);
      return new ManifestFile(
        root,
        handle,
        manifest as ManifestFold & Manifest & { readonly isTorn: boolean },
        manifest.isTorn,
      );
    } catch (cause) {
      throw vaultDown(root, cause);
    }
  }

  /** Adds a line; with `safe` it is on the disk when this settles. @throws FailureError when it cannot be written */
  async record(line: ManifestLine, safe?: 'safe'): Promise<void> {
    try {
      const gap = this.#gap;
      // Should the write break off half way, the next line begins anew.
      this.#gap = '\n';
      await this.#handle.appendFile(gap + textOf(line));
      this.#gap = '';
      this.manifest.take(line);
      this.#waiting++;
      if (safe === 'safe' || this.#waiting >= LINES_AT_ONCE) await this.#sync();
    } catch (cause) {
      throw vaultDown(this.#root, cause);
    }
  }

  /** Puts everything on the disk, and writes the file anew where it has become long for what it says. */
  async finish(): Promise<void> {
    try {
      await this.#sync();
      if (isWordy(this.manifest)) await this.#shorten();
    } catch (cause) {
      throw vaultDown(this.#root, cause);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }

  async #sync(): Promise<void> {
    await this.#handle.sync();
    this.#waiting = 0;
  }

  async #shorten(): Promise<void> {
    const beside = join(this.#root, PARTS, 'manifest.part');
    try {
      const handle = await open(beside, 'w', 0o600);
      try {
        const lines: string[] = [];
        for (const line of shortest(this.manifest)) lines.push(textOf(line));
        await handle.writeFile(lines.join(''));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(beside, join(this.#root, MANIFEST_NAME));
      await syncFolder(this.#root);
    } finally {
      await rm(beside, { force: true }).catch(() => undefined);
    }
  }
}
