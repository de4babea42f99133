import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runVault } from '../vault/run-vault.ts';
import { SessionIndex } from './session-index.ts';
import { updateIndex } from './update-index.ts';

let root: string;
let projects: string;
let vault: string;
let index: SessionIndex;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-library-')));
  projects = join(root, 'projects');
  vault = join(root, 'vault');
  mkdirSync(join(projects, '-work-shop'), { recursive: true });
  mkdirSync(vault);
  index = new SessionIndex(join(root, 'library.sqlite'));
});
afterEach(() => {
  index.close();
  rmSync(root, { recursive: true, force: true });
});

function lay(folder: string, name: string, prompt: string): string {
  const message = { role: 'user', content: prompt };
  const line = { type: 'user', uuid: 'u', sessionId: name, cwd: '/work', timestamp: '2026-01-02T03:04:00Z', message };
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  return path;
}
const signal = new AbortController().signal;
const update = (facts: { folders?: readonly string[]; vault?: string | undefined; onlyThere?: boolean } = {}) =>
  updateIndex(index, { folders: [projects], vault, signal, onProgress: () => undefined, ...facts });
const copy = () =>
  runVault({
    folder: vault,
    sources: [{ program: 'claude-code', path: projects, onlyTranscripts: false }],
    now: Date.now,
    signal,
    onProgress: () => undefined,
    makeAs: 'vault_1',
    calm: false,
  });
const paths = (): readonly string[] =>
  index
    .list()
    .map(({ path }) => path)
    .sort();

test('a session whose own file is gone is found in the vault, searched there, and leaves it when it is back', async () => {
  const folder = join(projects, '-work-shop');
  const [one, two] = [lay(folder, 'one', 'Fix the rounding'), lay(folder, 'two', 'Fix the cart')];
  await copy();
  await update();
  expect(paths()).toEqual([one, two].sort());

  rmSync(one);
  await update();
  const kept = join(vault, 'claude-code/projects/-work-shop/one.jsonl');
  expect(paths()).toEqual([kept, two].sort());
  const found = index.search({ text: 'rounding', kinds: [], project: '', order: 'best', limit: 10 });
  expect(found.sessions.map(({ session }) => session.path)).toEqual([kept]);

  lay(folder, 'one', 'Fix the rounding');
  await update();
  expect(paths()).toEqual([one, two].sort());
  rmSync(one);
  await update({ vault: undefined });
  expect(paths()).toEqual([two]);
});

test('looking into one folder alone forgets nothing of the others', async () => {
  const one = lay(join(projects, '-work-shop'), 'one', 'Fix the rounding');
  const mount = join(root, 'mount');
  mkdirSync(mount);
  const far = lay(mount, 'far', 'Fix the cart');
  const lost = lay(mount, 'lost', 'Fix the tax');
  await update();
  await update({ folders: [mount], onlyThere: true });
  expect(paths()).toEqual([one, far, lost].sort());
  rmSync(lost);
  await update({ folders: [mount], onlyThere: true });
  expect(paths()).toEqual([one, far].sort());
});
