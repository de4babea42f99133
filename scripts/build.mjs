import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainModule, projectRoot, run, runMain, SetupError, say, withLock } from './process.mjs';

/** What the build is made of. Tests are not part of it. */
const SOURCES = [
  'src-main',
  'src-renderer',
  'src-shared',
  'electron.vite.config.ts',
  'viewer.vite.config.ts',
  'package.json',
  'package-lock.json',
];
const OUTPUT = join(projectRoot, 'out');
/** Holds the time at which the sources of the last good build were read. */
const STAMP = join(OUTPUT, 'built-at');

/**
 * Builds main, preload, renderer and the page of exported sessions unless `out/` is newer than every source.
 * @param {{force?: boolean}} [options]
 * @throws {SetupError} with the bundler's output when the build fails
 */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && (await isFresh())) return;
  const cache = join(projectRoot, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  await withLock(join(cache, 'gantry-build.lock'), async () => {
    if (!force && (await isFresh())) return;
    await build();
  });
}

/** For whoever writes to `out/` by other means: the next caller of `ensureBuilt` builds anew. */
export async function forgetBuild() {
  await rm(STAMP, { force: true });
}

async function build() {
  const startedAt = Date.now();
  say('Building the app.');
  await forgetBuild();
  const bin = join(projectRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { code, output } = await run(process.execPath, [bin, 'build', '--logLevel', 'warn']);
  if (code !== 0) throw new SetupError(`the build failed:\n${output.trim()}`);
  // The bundler takes long to load, and most callers only ask whether there is anything to build.
  const { buildViewer } = await import('./build-viewer.mjs');
  await buildViewer();
  await writeFile(STAMP, String(startedAt));
}

/** Half a millisecond per source file, so that the command line can afford to ask. */
async function isFresh() {
  const builtAt = existsSync(STAMP) ? Number(await readFile(STAMP, 'utf8')) : 0;
  const isThere = ['main/index.js', 'viewer/viewer.html'].every((path) => existsSync(join(OUTPUT, path)));
  if (!builtAt || !isThere) return false;
  const times = await Promise.all(SOURCES.map((path) => newestChange(join(projectRoot, path))));
  return Math.max(...times) < builtAt;
}

/**
 * @param {string} path
 * @returns {Promise<number>} ms since the epoch; 0 for what is not there
 */
async function newestChange(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path, { withFileTypes: true });
  const inside = entries
    .filter((entry) => entry.isDirectory() || !/\.test\.tsx?$|\.md$/.test(entry.name))
    .map((entry) => newestChange(join(path, entry.name)));
  // The folder's own time tells of files that were removed.
  return Math.max(found.mtimeMs, ...(await Promise.all(inside)));
}

if (isMainModule(import.meta.url)) {
  await runMain(async () => {
    await ensureBuilt({ force: true });
    return 0;
  });
}
