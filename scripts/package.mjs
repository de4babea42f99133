import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { isMainModule, projectRoot, run, runMain, SetupError, say } from './process.mjs';

/*
 * `npm run package`: builds the app and its installers for this system into dist/ (electron-builder.config.mjs). The
 * Electron that goes into them is the official one that package.json names, which the builder fetches.
 */

const USAGE = 'usage: npm run package [-- --dir]';

/**
 * Packs the app into an unpacked folder with the Electron that tests run in. For tests: with the registry's runtime, which
 * is another app's, the result is never to leave this machine.
 * @param {string} output the folder to make it in
 * @returns {Promise<string>} the folder with the executable
 */
export async function packForTests(output) {
  const { path, version } = await ensureElectron();
  await ensureBuilt();
  await build([
    '--dir',
    `-c.directories.output=${output}`,
    `-c.electronDist=${dirname(path)}`,
    `-c.electronVersion=${version}`,
  ]);
  return join(
    output,
    `${process.platform === 'win32' ? 'win' : process.platform === 'darwin' ? 'mac' : 'linux'}-unpacked`,
  );
}

/** @param {readonly string[]} args */
async function build(args) {
  const bin = join(projectRoot, 'node_modules', 'electron-builder', 'cli.js');
  const words = [bin, '--config', 'electron-builder.config.mjs', '--publish', 'never', ...args];
  const { code, output } = await run(process.execPath, words);
  if (code !== 0) throw new SetupError(`electron-builder failed (exit code ${code}):\n${output.trim()}`);
}

if (isMainModule(import.meta.url)) {
  await runMain(async () => {
    const args = process.argv.slice(2);
    if (args.some((arg) => arg !== '--dir')) throw new SetupError(USAGE, 2);
    await ensureBuilt({ force: true });
    const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    say(`Packing with the official Electron ${devDependencies.electron}.`);
    await rm(resolve(projectRoot, 'dist'), { recursive: true, force: true });
    await build(args);
    say('The packages are in dist/.');
    return 0;
  });
}
