import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProcessHost, type HostBundle } from '../adapters/process/host-bundle.fixture.ts';
import { type ProcessHost, startProcessHost } from '../adapters/process/process-host-client.ts';
import { differencesOf, differencesTable, type Explained, explain, REASONS } from './testing/recorded/differences.ts';
import { play } from './testing/recorded/play.ts';
import { openRecording, recordingNames } from './testing/recorded/recording.ts';

let bundle: HostBundle;
let host: ProcessHost;
let folder: string;
beforeAll(async () => {
  bundle = await bundleProcessHost();
  host = startProcessHost({ execPath: process.execPath, entryPath: bundle.hostPath, env: process.env });
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-recorded-')));
});
afterAll(async () => {
  await host.close();
  bundle.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const seen: Explained[] = [];

// At once: most of the time is the commands' own, and `sleep 4` is one of them.
test.concurrent.each(recordingNames)('%s: each call ends as it was recorded, but for what is meant', async (name) => {
  const recording = await openRecording(name);
  const ends = await play(recording, host, join(folder, name));
  expect(ends.calls.size).toBeGreaterThan(0);
  const { explained, unexplained } = explain(differencesOf(name, recording.ends, ends), ends);
  expect(unexplained).toEqual([]);
  seen.push(...explained);
});

// `npx vitest run src-main/app/recorded-calls.test.ts -u` puts a new table into the page.
test('what is meant to differ is all there is, and stands in the docs', async () => {
  expect(REASONS.filter((reason) => !seen.some((one) => one.reason === reason)).map(({ title }) => title)).toEqual([]);
  const page = join(import.meta.dirname, '../../docs/differences.md');
  const withTable = readFileSync(page, 'utf8').replace(
    /(<!-- seen -->\n)[\s\S]*(<!-- \/seen -->)/,
    (_, before, after) => `${before}${differencesTable(seen)}\n${after}`,
  );
  expect(withTable).toContain(differencesTable(seen));
  await expect(withTable).toMatchFileSnapshot(page);
});
