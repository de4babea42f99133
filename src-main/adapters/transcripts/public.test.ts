import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countTranscript, differences } from '../../../scripts/count-transcript.mjs';
import { inspect } from '../../core/inspect/inspect.ts';
import { TranscriptUnreadable } from './importer.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';
import { publicFolder as folder, missing, publicFiles, publicIndex } from './public.fixture.ts';

/** Beside them lie notes of sub-agents. */
const TRANSCRIPTS = /\.(?:jsonl|txt)$/;

const open = async (file: string) => {
  const opened = await openTranscript(join(folder, file));
  expect(faultsOf(opened.events)).toEqual([]);
  return { ...opened, inspection: inspect(opened.events, opened.findings, { calls: true }) };
};

test.skipIf(missing)('all public Claude Code transcripts open as sound sessions', async () => {
  const files = publicFiles('claude-code', TRANSCRIPTS);
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) expect((await open(file)).format, file).toBe('claude-code');
});

test.skipIf(missing)('all public streams open as sound sessions', async () => {
  const files = publicFiles('claude-stream-json', TRANSCRIPTS);
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) expect((await open(file)).format, file).toBe('claude-stream-json');
});

test.skipIf(missing)('their calls and results are those of another count', async () => {
  for (const file of publicFiles('claude-code', TRANSCRIPTS)) {
    const { inspection } = await open(file);
    const counted = countTranscript(join(folder, file));
    const withIds = inspection.callList?.filter(({ id }) => !id.startsWith('call-without-id')) ?? [];
    expect([file, withIds.length, inspection.results]).toEqual([file, counted.calls.length, counted.results.length]);
    const about = differences(counted, inspection).filter((one) => /^(?:end|start|cancelled|persisted)/.test(one));
    expect([file, ...about]).toEqual([file]);
  }
});

/** Files whose calls the index of the collection counts otherwise, and why. */
const OTHERWISE: readonly (readonly [file: RegExp, calls: number, why: string])[] = [
  [/integrity_progress_nested_content/, 2, 'Calls of a sub-agent stand within progress lines; the index counts lines'],
  [
    /codex\/.*v2026_09_reconstructed.*000000000001\.jsonl$/,
    13,
    'Four commands that scripts ran have bars of their own',
  ],
  [/codex_large\.jsonl$/, 1, 'An item of type tool_call has no call id, and is a call all the same'],
  [/codex_simple_session\.jsonl$/, 1, 'The item of the call has no type; its fields say what it is'],
  [/rollout-tool-call\.jsonl$/, 1, 'The call stands in an event, not in an item'],
];
/** Only names of events are left in it, without any of their content. */
const REFUSED = /pi-cli-host-env\.wrapped-stream\.jsonl$/;
const FORMATS = ['claude-code', 'claude-stream-json', 'codex', 'copilot-cli', 'pi'];

test.skipIf(missing)('calls are as many as the index of the collection says, or it is known why not', async () => {
  let read = 0;
  for (const { file, format, calls } of publicIndex()) {
    if (!FORMATS.includes(format) || file.endsWith('.meta.json')) continue;
    if (REFUSED.test(file)) {
      await expect(openTranscript(join(folder, file)), file).rejects.toThrow(TranscriptUnreadable);
      continue;
    }
    const opened = await open(file);
    const expected = OTHERWISE.find(([pattern]) => pattern.test(file))?.[1] ?? calls;
    expect([file, opened.format, opened.inspection.calls]).toEqual([file, format, expected]);
    read++;
  }
  expect(read).toBeGreaterThan(85);
});
