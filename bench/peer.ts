import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A library to compare with, fetched from the registry into `out/bench/peers` and kept there. Undefined where the
 * registry is not reached: a benchmark then leaves its column empty.
 * @param entry its main file, below its own folder.
 */
export async function peer(name: string, version: string, entry: string): Promise<unknown> {
  const file = await peerFile(name, version, entry);
  return file === undefined ? undefined : await import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** The same, as the path of its main file: for scripts of a page. */
export async function peerFile(name: string, version: string, entry: string): Promise<string | undefined> {
  const folder = join(process.cwd(), 'out', 'bench', 'peers', `${name}-${version}`);
  const file = join(folder, 'node_modules', name, entry);
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', `${name}@${version}`];
    await run('npm', words).catch(() => undefined);
  }
  return existsSync(file) ? file : undefined;
}
