import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { wholeEvents } from '../../../app/whole-events.ts';
import type { TranscriptReader } from '../../../ports/transcript-reader.ts';
import { openTranscript } from '../open-transcript.ts';
import { Writer } from '../write-transcript.ts';
import { readingInWorker } from './read-in-worker.ts';

const recordings = join(import.meta.dirname, '..', 'fixtures', 'claude-code-2.1.92');
const signal = new AbortController().signal;

let folder = '';
let read: TranscriptReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-worker-'));
  // As the app's build does it: Node 20 cannot run TypeScript.
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['@photostructure/sqlite'] },
    build: {
      ssr: join(import.meta.dirname, 'entry.ts'),
      target: 'node20',
      outDir: join(folder, 'out'),
      rolldownOptions: { output: { format: 'es', entryFileNames: 'entry.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  read = readingInWorker(join(folder, 'out', 'entry.mjs'));
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a thread reads the same session', async () => {
  const path = join(recordings, 'mixed-stream');
  const { events, findings, path: main } = await openTranscript(path);
  const opened = await read(path, signal);
  expect(await wholeEvents(opened.events, opened.texts)).toEqual(events);
  expect(opened).toMatchObject({ findings, path: main });
});

test('many events cross, and long texts are read from the file', async () => {
  const writer = new Writer().says(0, 'go');
  for (let n = 0; n < 2_000; n++) {
    writer.calls(n * 100 + 10, `m${n}`, `call-${n}`, 'Bash', { command: `do ${n}` });
    writer.result(n * 100 + 60, `call-${n}`, `result ${n}\n`.repeat(n === 7 ? 9_000 : 1));
  }
  const file = join(folder, 'many.jsonl');
  await writeFile(file, writer.toString());
  const opened = await read(file, signal);
  expect(opened.events.length).toBeGreaterThan(16_000);
  expect(opened.events.map(({ seq }) => seq)).toEqual(opened.events.map((_, n) => n));
  expect(await opened.texts?.read(0)).toBe('result 7\n'.repeat(9_000));
});

test('a large session is told before it is read, and what was told goes on in the next telling', async () => {
  const writer = new Writer().says(0, 'go');
  for (let n = 0; n < 600; n++) {
    writer.calls(n * 100 + 10, `m${n}`, `call-${n}`, 'Bash', { command: `do ${n}` });
    writer.result(n * 100 + 60, `call-${n}`, `result ${n}\n`.repeat(1_600));
  }
  const file = join(folder, 'large.jsonl');
  await writeFile(file, writer.toString());
  let told: SessionEvent[] = [];
  const shown: (readonly SessionEvent[])[] = [];
  const opened = await read(file, signal, (news) => {
    told = [...told.slice(0, news.keep), ...news.events];
    for (const event of news.amended) told[event.seq] = event;
    expect(news.bytes).toBeLessThanOrEqual(news.totalBytes);
    if (news.isShowable) shown.push([...told]);
  });
  const [first] = shown;
  expect(shown).toHaveLength(1);
  expect(first?.length).toBeGreaterThan(300);
  expect(first?.at(-1)?.type).not.toBe('session-ended');
  expect(told).toEqual(opened.events);
  const { events } = await openTranscript(file);
  expect(await wholeEvents(opened.events, opened.texts)).toEqual(events);
});

test('what cannot be read is a failure in words', async () => {
  const nothing = join(folder, 'nothing.jsonl');
  await writeFile(nothing, '');
  await expect(read(nothing, signal)).rejects.toMatchObject({ failure: { kind: 'not-readable' } });
});

test('a reading that is stopped ends with the reason', async () => {
  const stop = new AbortController();
  const reading = read(join(recordings, 'mixed-stream'), stop.signal);
  stop.abort(new Error('Stopped.'));
  await expect(reading).rejects.toThrow('Stopped.');
});
