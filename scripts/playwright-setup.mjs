import { ensureBuilt } from './build.mjs';
import { ensureElectron, runtimeEnvironment } from './electron-runtime.mjs';
import { electronSwitches, ensureSystemLibraries, hasDisplay, startVirtualDisplay } from './system.mjs';

/**
 * Playwright's global set-up. Its changes of the environment reach the workers: a test starts
 * `ELECTRON_EXEC_PATH` with `JSON.parse(GANTRY_ELECTRON_SWITCHES)` and the project's folder as arguments.
 * @returns {Promise<() => void>} the tear-down
 */
export default async function setUp() {
  const runtime = await ensureElectron();
  await ensureSystemLibraries(runtime.path);
  await ensureBuilt();
  Object.assign(process.env, runtimeEnvironment(runtime));
  process.env.GANTRY_ELECTRON_VERSION = runtime.version;
  // Software rendering on a desktop too, so that the tests see the same picture everywhere.
  process.env.GANTRY_ELECTRON_SWITCHES = JSON.stringify(electronSwitches({ virtualDisplay: true }));
  if (hasDisplay()) return () => {};
  const { display, stop } = await startVirtualDisplay();
  process.env.DISPLAY = display;
  return stop;
}
