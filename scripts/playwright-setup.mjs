import { ensureBuilt } from './build.mjs';
import { ensureElectron, runtimeEnvironment } from './electron-runtime.mjs';
import { ensureSystemLibraries, hasDisplay, startVirtualDisplay } from './system.mjs';

/**
 * Playwright's global set-up: after it a test can start `ELECTRON_EXEC_PATH` on the built app. Its changes of
 * the environment reach the workers.
 * @returns {Promise<() => void>} the tear-down
 */
export default async function setUp() {
  const runtime = await ensureElectron();
  await ensureSystemLibraries(runtime.path);
  await ensureBuilt();
  Object.assign(process.env, runtimeEnvironment(runtime));
  process.env.GANTRY_ELECTRON_VERSION = runtime.version;
  if (hasDisplay()) return () => {};
  const { display, stop } = await startVirtualDisplay();
  process.env.DISPLAY = display;
  return stop;
}
