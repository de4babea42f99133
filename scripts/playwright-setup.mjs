import { ensureBuilt } from './build.mjs';
import { ensureElectron, runtimeEnvironment } from './electron-runtime.mjs';
import { electronSwitches, ensureSystemLibraries, hasDisplay, startVirtualDisplay } from './system.mjs';

/**
 * Playwright's global set-up. Its changes of the environment reach the workers: the electron package finds the runtime
 * by them, and a test starts it with `JSON.parse(GANTRY_ELECTRON_SWITCHES)` and the project's folder as arguments, on
 * its worker's display of `JSON.parse(GANTRY_DISPLAYS)` where the displays are virtual.
 * @param {{readonly workers: number}} config
 * @returns {Promise<() => void>} the tear-down
 */
export default async function setUp({ workers }) {
  const runtime = await ensureElectron();
  await ensureSystemLibraries(runtime.path);
  await ensureBuilt();
  Object.assign(process.env, runtimeEnvironment(runtime));
  process.env.GANTRY_ELECTRON_VERSION = runtime.version;
  // Software rendering on a desktop too, so that the tests see the same picture everywhere.
  process.env.GANTRY_ELECTRON_SWITCHES = JSON.stringify(electronSwitches({ virtualDisplay: true }));
  if (hasDisplay()) return () => {};
  // A display has one focus: windows of two tests on one display would take it from each other.
  const displays = await Promise.all(Array.from({ length: workers }, () => startVirtualDisplay()));
  process.env.GANTRY_DISPLAYS = JSON.stringify(displays.map(({ display }) => display));
  return () => {
    for (const { stop } of displays) stop();
  };
}
