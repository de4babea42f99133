/*
 * Runs inside Electron, not in Node: packed as `default_app.asar` into a runtime that came without one.
 * `electron [-r FILE] FOLDER [ARGUMENT…]` starts the app in FOLDER, as the official default app does.
 * Top-level await matters: Electron holds back `ready` until this module has settled, and the app must be
 * able to register its schemes before it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app as publicApp } from 'electron';

/** Two setters that Electron keeps for default apps and leaves out of its types. */
const app =
  /** @type {import('electron').App & { setVersion(version: string): void, setAppPath(path: string): void }} */ (
    publicApp
  );
const args = process.argv.slice(1);
/** @type {string[]} */
const preloaded = [];
/** @type {string | undefined} */
let folder;
while (folder === undefined && args.length > 0) {
  const arg = /** @type {string} */ (args.shift());
  if (arg === '-r' || arg === '--require') preloaded.push(resolve(args.shift() ?? ''));
  else if (!arg.startsWith('-')) folder = resolve(arg);
}

if (folder === undefined) {
  process.stderr.write('electron: no app folder was given\n');
  process.exit(2);
}

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const name = manifest.productName ?? manifest.name;
if (name) {
  app.setName(name);
  app.setPath('userData', join(app.getPath('appData'), name));
}
if (manifest.version) app.setVersion(manifest.version);
app.setAppPath(folder);

const require = createRequire(import.meta.url);
for (const file of preloaded) require(file);
await import(pathToFileURL(join(folder, manifest.main ?? 'index.js')).href);
