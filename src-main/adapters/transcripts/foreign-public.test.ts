import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspect } from '../../core/inspect/inspect.ts';
import { TranscriptUnreadable } from './importer.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';
import { publicFiles as filesOf, publicFolder as folder, missing, publicIndex } from './public.fixture.ts';

/** Where our count is another one, and why. A file of OpenCode opens the session around it, so all its calls count. */
const OTHERWISE: readonly (readonly [file: RegExp, calls: number, why: string])[] = [
  [/storage_(?:v2|legacy)\//, 1, 'The session around the file is opened, and has one call'],
  [/otel-events\.sample\.jsonl$/, 4, 'Telemetry has an event for each call; the other count knows call ids only'],
];

/** Lone parts that name neither a session nor a message cannot be told from any other object with a text. */
const NAMELESS = /part\/m_(?:assistant|user)_small\/00[12]\.json$/;

test.skipIf(missing)('all public sessions of these programs open, with the calls that were counted', async () => {
  const counts = new Map(publicIndex().map(({ file, calls }) => [file, calls]));
  const expected = { 'gemini-cli': 12, opencode: 24, cline: 1, 'otel-genai': 4 };
  for (const [format, least] of Object.entries(expected)) {
    const files = filesOf(format);
    expect(files.length, format).toBeGreaterThanOrEqual(least);
    for (const file of files) {
      const content = readFileSync(join(folder, file), 'utf8');
      if (NAMELESS.test(file) && !content.includes('messageID')) continue;
      const opened = await openTranscript(join(folder, file));
      expect([file, opened.format]).toEqual([file, format]);
      expect([file, ...faultsOf(opened.events)]).toEqual([file]);
      const { calls } = inspect(opened.events, opened.findings, { calls: false });
      const otherwise = OTHERWISE.find(([pattern]) => pattern.test(file));
      expect([file, calls]).toEqual([file, otherwise?.[1] ?? counts.get(file)]);
    }
  }
});

test.skipIf(missing)('folders of OpenCode open by themselves', async () => {
  const roots = ['jazzyalex-agent-sessions__storage-fixtures/storage_v2', 'codemie-ai-codemie-code__storage/storage'];
  for (const root of [...roots, 'Dicklesworthstone-coding_agent_session_search__opencode_json']) {
    const opened = await openTranscript(join(folder, 'opencode', root));
    expect([root, opened.format, ...faultsOf(opened.events)]).toEqual([root, 'opencode']);
  }
});

/** What other programs write that is close enough to a format we know to be read as it. */
const RELATIVES: readonly (readonly [file: RegExp, format: string])[] = [
  [/__unicode_heavy\.jsonl$/, 'claude-code'],
  [/__iflow_session-/, 'claude-code'],
  // It is built on Pi.
  [/__openclaw_small\.jsonl$/, 'pi'],
];

test.skipIf(missing)(
  'what no importer knows is refused in words, and what is close to a known format is sound',
  async () => {
    const files = filesOf('other-agents');
    expect(files.length).toBeGreaterThan(45);
    for (const file of files) {
      const opened = await openTranscript(join(folder, file)).catch((cause: unknown) => cause);
      const relative = RELATIVES.find(([pattern]) => pattern.test(file));
      if (relative === undefined) {
        expect([file, opened instanceof TranscriptUnreadable && opened.what]).toEqual([file, 'is in no known format']);
      } else {
        const { format, events } = opened as Awaited<ReturnType<typeof openTranscript>>;
        expect([file, format, ...faultsOf(events)]).toEqual([file, relative[1]]);
      }
    }
  },
);
