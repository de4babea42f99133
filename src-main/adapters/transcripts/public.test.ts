import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { countTranscript, differences } from '../../../scripts/count-transcript.mjs';
import { inspect } from '../../core/inspect/inspect.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';

/**
 * Public fixtures of other projects, read in place: they are not ours to copy. `GANTRY_SHARED` names the folder that
 * holds `transcripts/public`; by default it lies beside this project.
 */
const shared = process.env.GANTRY_SHARED ?? resolve(import.meta.dirname, '../../../../shared');
const folder = join(shared, 'transcripts', 'public');
const missing = !existsSync(folder);
if (missing) console.warn(`Skipped: the public transcripts are not at ${folder}. Set GANTRY_SHARED to read them.`);

const filesOf = (name: string): readonly string[] =>
  missing
    ? []
    : readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(jsonl|txt)$/.test(file))
        .map((file) => join(name, file))
        .sort();

const open = async (file: string) => {
  const opened = await openTranscript(join(folder, file));
  expect(faultsOf(opened.events)).toEqual([]);
  return { ...opened, inspection: inspect(opened.events, opened.findings, { calls: true }) };
};

test.skipIf(missing)('all public Claude Code transcripts open as sound sessions', async () => {
  const files = filesOf('claude-code');
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) expect((await open(file)).format, file).toBe('claude-code');
});

test.skipIf(missing)('all public streams open as sound sessions', async () => {
  const files = filesOf('claude-stream-json');
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) expect((await open(file)).format, file).toBe('claude-stream-json');
});

test.skipIf(missing)('their calls and results are those of another count', async () => {
  for (const file of filesOf('claude-code')) {
    const { inspection } = await open(file);
    const counted = countTranscript(join(folder, file));
    const withIds = inspection.callList?.filter(({ id }) => !id.startsWith('call-without-id')) ?? [];
    expect([file, withIds.length, inspection.results]).toEqual([file, counted.calls.length, counted.results.length]);
    const about = differences(counted, inspection).filter((one) => /^(?:end|start|cancelled|persisted)/.test(one));
    expect([file, ...about]).toEqual([file]);
  }
});
