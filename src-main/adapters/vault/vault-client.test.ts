import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { VaultProgress } from '../../ports/vault-keeper.ts';
import { bundleForNode } from '../process/bundle.fixture.ts';
import { vaultKeeper } from './vault-client.ts';

let bundle: string;
beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'gantry-bundle-'));
  await bundleForNode({ host: fileURLToPath(new URL('./host.ts', import.meta.url)) }, bundle);
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

let root: string;
let source: string;
let vault: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-vault-')));
  source = join(root, 'projects');
  vault = join(root, 'vault');
  mkdirSync(source);
  mkdirSync(vault);
  for (let n = 0; n < 300; n++) writeFileSync(join(source, `${n}.jsonl`), `${n}\n`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const keeper = (entry = 'host.mjs') =>
  vaultKeeper({
    execPath: process.execPath,
    entryPath: join(bundle, entry),
    sources: () => [{ program: 'claude-code', path: source, onlyTranscripts: false }],
  });
const watch = (onProgress: (progress: VaultProgress) => void = () => undefined) => ({
  onProgress,
  signal: new AbortController().signal,
});

test('work goes on in a process of its own, tells how far it is, and is stopped with what it has done', async () => {
  const host = keeper();
  await host.start(vault);
  const stop = new AbortController();
  const stopped = await host.run(vault, false, { onProgress: () => stop.abort(), signal: stop.signal });
  expect(stopped).toMatchObject({ work: 'run', done: true, message: expect.stringMatching(/^Stopped\. /) });
  const { files, waiting } = await host.status(vault);
  expect(files + waiting.files).toBe(300);
  expect(waiting.files).toBeGreaterThan(0);
  const told: VaultProgress[] = [];
  await host.run(
    vault,
    false,
    watch((progress) => told.push(progress)),
  );
  expect(told.at(-1)).toMatchObject({ files: waiting.files, ofFiles: waiting.files });
  expect((await host.verify(vault, watch())).message).toMatch(/^300 files, .*: each is what was copied\.$/);
});

test('what fails there is told here in the same words, also when the process cannot be started', async () => {
  await expect(keeper().run(vault, false, watch())).rejects.toMatchObject({ failure: { kind: 'not-found' } });
  await expect(keeper().start(source)).rejects.toMatchObject({ failure: { kind: 'bad-input' } });
  expect(readdirSync(vault)).toEqual([]);
  await expect(keeper('absent.mjs').status(vault)).rejects.toThrow('The vault’s process cannot be used');
});
