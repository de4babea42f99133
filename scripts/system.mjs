import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { run, SetupError, say, which } from './process.mjs';

/** What Electron and its tests need of Debian; as one line in docs/development.md too. */
const DEBIAN_PACKAGES = [
  'xvfb',
  'xauth',
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libnotify4',
  'libatk-bridge2.0-0',
  'xdg-utils',
  'fonts-dejavu-core',
  'git',
  'procps',
];
/** Packages that only serve a machine without a display of its own. */
const HEADLESS_ONLY = new Set(['xvfb', 'xauth']);

export function isRoot() {
  return process.getuid?.() === 0;
}

/** Whether a window can be shown: always on macOS and Windows. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Switches that a start of Electron needs here.
 * @param {{virtualDisplay: boolean}} where
 * @returns {string[]}
 */
export function electronSwitches({ virtualDisplay }) {
  return [
    // Chromium's sandbox refuses to run as root.
    ...(process.platform === 'linux' && isRoot() ? ['--no-sandbox'] : []),
    // Xvfb has no GPU. Left to find that out, Chromium starts its GPU process two or three times, and what was
    // asked meanwhile is lost: 5 of 20 starts never answered capturePage, and 0 of 20 with the switch.
    ...(virtualDisplay ? ['--disable-gpu'] : []),
  ];
}

/**
 * Makes sure that Electron can start: as root on Debian and its kin, missing packages are installed.
 * @param {string} executable the Electron to start
 * @throws {SetupError} when something is missing that this user cannot install; it names the line to run
 */
export async function ensureSystemLibraries(executable) {
  if (process.platform !== 'linux') return;
  const debian = which('apt-get') !== undefined && which('dpkg-query') !== undefined;
  const packages = debian ? await missingDebianPackages() : [];
  if (packages.length > 0 && isRoot()) await aptInstall(packages);

  const lacking = await missingParts(executable);
  if (lacking.length > 0) {
    const names = packages.length > 0 ? packages : DEBIAN_PACKAGES;
    const line = `apt-get update && apt-get install -y ${names.join(' ')}`;
    const advice = debian ? `Run: sudo sh -c '${line}'` : `Install what Debian calls: ${names.join(' ')}`;
    throw new SetupError(`this system lacks ${lacking.join(', ')}. ${advice}`);
  }
  if (!isRoot()) checkUserNamespaces(executable);
}

/** @returns {Promise<string[]>} */
async function missingDebianPackages() {
  const format = '$' + '{db:Status-Abbrev} $' + '{Package}\n';
  // Newer Debian and Ubuntu renamed some libraries for the 64-bit time type.
  const names = DEBIAN_PACKAGES.flatMap((name) => [name, `${name}t64`]);
  const { output } = await run('dpkg-query', ['-W', '-f', format, ...names]);
  const installed = new Set([...output.matchAll(/^ii\s+(\S+)$/gm)].map((match) => match[1]));
  return DEBIAN_PACKAGES.filter((name) => {
    if (HEADLESS_ONLY.has(name) && hasDisplay()) return false;
    if (name.startsWith('fonts-') && hasFonts()) return false;
    return !installed.has(name) && !installed.has(`${name}t64`);
  });
}

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  say(`Installing system packages: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  // A stale list names versions that the mirror no longer has, so it is always refreshed first.
  const update = await run('apt-get', [...wait, 'update'], { env });
  const names = await Promise.all(
    packages.map(async (name) => {
      const renamed = await run('apt-cache', ['show', `${name}t64`]);
      return renamed.code === 0 ? `${name}t64` : name;
    }),
  );
  const install = await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...names], { env });
  if (install.code !== 0) {
    const said = `${update.code === 0 ? '' : update.output}${install.output}`.trim().split('\n').slice(-5).join('\n');
    throw new SetupError(`apt-get could not install ${names.join(' ')}:\n${said}`);
  }
}

/**
 * What keeps Electron and the tests from running, whatever the package manager says.
 * @param {string} executable
 * @returns {Promise<string[]>}
 */
async function missingParts(executable) {
  const { output } = await run('ldd', [executable]);
  const libraries = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => String(match[1]));
  const programs = ['git', ...(hasDisplay() ? [] : ['Xvfb'])].filter((program) => which(program) === undefined);
  return [...new Set([...libraries, ...programs])];
}

function hasFonts() {
  try {
    return readdirSync('/usr/share/fonts', { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/.test(String(name)));
  } catch {
    return false;
  }
}

/**
 * Without root, Chromium's sandbox needs user namespaces; some systems (Ubuntu since 23.10) forbid them.
 * @param {string} executable
 */
function checkUserNamespaces(executable) {
  const forbidden =
    readSwitch('/proc/sys/kernel/unprivileged_userns_clone') === '0' ||
    readSwitch('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1';
  const helper = executable.replace(/[^/]+$/, 'chrome-sandbox');
  if (!forbidden || !existsSync(helper) || process.env.CHROME_DEVEL_SANDBOX) return;
  say(`This system forbids user namespaces to programs. If Electron ends with a sandbox error, run:
  sudo sh -c 'chown root:root "${helper}" && chmod 4755 "${helper}"'`);
}

/** @param {string} file */
function readSwitch(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

const XVFB_START_MS = 20_000;

/**
 * Starts a virtual X server on a display that is free. It ends with this process.
 * @returns {Promise<{display: string, stop: () => void}>} `display` is a value for DISPLAY
 * @throws {SetupError} when it does not come up
 */
export function startVirtualDisplay() {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'];
  return new Promise((resolve, reject) => {
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    let said = '';
    const stop = () => void server.kill('SIGTERM');
    const timer = setTimeout(() => fail('it did not name its display'), XVFB_START_MS);
    /** @param {string} why */
    const fail = (why) => {
      clearTimeout(timer);
      stop();
      reject(new SetupError(`Xvfb did not start: ${why}. ${said.trim().split('\n')[0] ?? ''}`.trimEnd()));
    };
    process.once('exit', stop);
    endOnSignals();
    server.on('error', (error) => fail(error.message));
    server.on('exit', (code) => fail(`exit code ${code}`));
    server.stderr?.on('data', (chunk) => {
      if (said.length < 4_000) said += chunk;
    });
    server.stdio[3]?.once('data', (chunk) => {
      clearTimeout(timer);
      // Neither the server nor its pipes may keep this process alive once its work is done.
      server.unref();
      for (const stream of [server.stderr, server.stdio[3]]) /** @type {any} */ (stream)?.unref?.();
      resolve({ display: `:${String(chunk).trim()}`, stop });
    });
  });
}

/**
 * `exit` listeners run only on an orderly exit, so the usual signals are turned into one. Where another listener
 * is there too (it passes the signal on to a running program), that program's end decides.
 */
function endOnSignals() {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}
