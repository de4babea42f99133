import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureElectron, runtimeEnvironment } from './electron-runtime.mjs';
import { exitCodeOf, forwardSignals, projectRoot, runMain, SetupError, say } from './process.mjs';
import { electronSwitches, ensureSystemLibraries, hasDisplay, startVirtualDisplay } from './system.mjs';

const SHOW_LIMIT_MS = 120_000;

/**
 * `npm start [-- FILE]`. With a display: opens the app and ends with its exit code. Without one: the app plays
 * its first scenario (or opens FILE) on a virtual display, writes a screenshot and quits.
 */
await runMain(async () => {
  const file = requestedFile(process.argv.slice(2));
  const runtime = await ensureElectron();
  await ensureSystemLibraries(runtime.path);
  await ensureBuilt();
  const virtualDisplay = !hasDisplay();
  const args = [...electronSwitches({ virtualDisplay }), projectRoot, ...(file === undefined ? [] : [file])];
  const env = { ...process.env, ...runtimeEnvironment(runtime) };
  return virtualDisplay ? await showApp(runtime.path, args, env) : await openApp(runtime.path, args, env);
});

/**
 * @param {readonly string[]} args
 * @returns {string | undefined} an absolute path
 */
function requestedFile(args) {
  const [name, ...more] = args;
  if (name === undefined) return undefined;
  if (more.length > 0 || name.startsWith('-')) throw new SetupError('usage: npm start [-- FILE]', 2);
  // npm runs scripts in the project's folder; the person typed the path where they were.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), name);
  if (!existsSync(file)) throw new SetupError(`there is no file ${file}. Give the path of a transcript.`, 2);
  return file;
}

/**
 * @param {string} electron
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function openApp(electron, args, env) {
  // Electron before 38 speaks Wayland only when told to.
  const hint = process.env.DISPLAY ? {} : { ELECTRON_OZONE_PLATFORM_HINT: 'auto' };
  return runApp(electron, args, { ...hint, ...env });
}

/**
 * @param {string} electron
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
async function showApp(electron, args, env) {
  const screenshot = env.GANTRY_SCREENSHOT
    ? resolve(process.env.INIT_CWD ?? process.cwd(), env.GANTRY_SCREENSHOT)
    : join(projectRoot, 'out', 'screenshot.png');
  await mkdir(dirname(screenshot), { recursive: true });
  await rm(screenshot, { force: true });
  say('No display: the app runs on a virtual one, for a screenshot.');
  const { display, stop } = await startVirtualDisplay();
  try {
    const shown = { ...env, DISPLAY: display, GANTRY_AUTOPLAY: '1', GANTRY_SCREENSHOT: screenshot };
    // Chromium would report each bus and GPU that a bare machine lacks.
    const code = await runApp(electron, ['--log-level=3', ...args], shown, SHOW_LIMIT_MS);
    if (code !== 0) throw new SetupError(`the app ended with exit code ${code} before its screenshot was done.`);
    if (!existsSync(screenshot)) throw new SetupError(`the app ended without writing ${screenshot}.`);
    process.stdout.write(`Screenshot: ${screenshot}\n`);
    return 0;
  } finally {
    stop();
  }
}

/**
 * @param {string} electron
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} [limitMs] the app is ended after it
 * @returns {Promise<number>} the exit code
 * @throws {SetupError} when it cannot be started or the limit is reached
 */
function runApp(electron, args, env, limitMs) {
  return new Promise((resolve, reject) => {
    const app = spawn(electron, args, { cwd: projectRoot, env: withoutNodeMode(env), stdio: 'inherit' });
    const stopForwarding = forwardSignals(app);
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            app.kill('SIGKILL');
            reject(new SetupError(`the app did not finish within ${limitMs / 1000} s and was ended.`));
          }, limitMs);
    app.on('error', (error) => reject(new SetupError(`cannot start ${electron}: ${error.message}`)));
    app.on('close', (code, signal) => {
      clearTimeout(timer);
      stopForwarding();
      resolve(exitCodeOf(code, signal));
    });
  });
}

/**
 * A shell inside an Electron-based editor sets this, and Electron would start as plain Node.
 * @param {NodeJS.ProcessEnv} env
 */
function withoutNodeMode({ ELECTRON_RUN_AS_NODE: _, ...env }) {
  return env;
}
