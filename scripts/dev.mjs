import { join } from 'node:path';
import { forgetBuild } from './build.mjs';
import { ensureElectron, runtimeEnvironment } from './electron-runtime.mjs';
import { projectRoot, run, runMain, SetupError } from './process.mjs';
import { electronSwitches, ensureSystemLibraries, hasDisplay } from './system.mjs';

/** `npm run dev`: the app with hot reload; with `--gallery`, the page of all components in all states. */
await runMain(async () => {
  const args = process.argv.slice(2);
  const gallery = args.includes('--gallery');
  if (!hasDisplay()) throw new SetupError('no display (DISPLAY is not set). Run it on a desktop, or under xvfb-run.');
  const runtime = await ensureElectron();
  await ensureSystemLibraries(runtime.path);
  await forgetBuild();
  const bin = join(projectRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const rest = [...electronSwitches({ virtualDisplay: false }), ...args.filter((arg) => arg !== '--gallery')];
  const env = { ...process.env, ...runtimeEnvironment(runtime), ...(gallery ? { GANTRY_GALLERY: '1' } : {}) };
  const { code } = await run(process.execPath, [bin, 'dev', '--watch', '--', ...rest], { env, output: 'show' });
  return code;
});
