import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { MessageId } from '../../src-shared/ids.ts';
import { keptIn } from '../../src-shared/tool-call/content.ts';
import { millis } from '../../src-shared/units.ts';
import { readTranscript } from '../adapters/transcripts/read-transcript.ts';
import { Writer } from '../adapters/transcripts/write-transcript.ts';
import { keptTextHandlers } from '../ipc/kept-text-handlers.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { SessionLibrary } from './session-library.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { HandModel } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { MemorySessionStore } from './testing/memory-session-store.ts';

const NEEDLE = 'the Needle in it';
const LONG = `${'some words of a log\n'.repeat(500)}${NEEDLE}\n${'and more of them\n'.repeat(500)}`;

let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-whole-'));
  file = join(folder, 's.jsonl');
  const lines = new Writer({ cwd: '/work' })
    .says(0, 'go')
    .calls(10, 'm1', 'long', 'Bash', { command: 'cat log' })
    .result(20, 'long', LONG)
    .calls(30, 'm2', 'short', 'Bash', { command: 'ls' })
    .result(40, 'short', 'a.ts');
  await writeFile(file, lines.toString());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function opened() {
  const clock = new ManualClock();
  clock.advance(millis(1_000_000));
  const model = new HandModel();
  const library = new SessionLibrary({
    store: new MemorySessionStore(),
    clock,
    newId: countingIds(),
    readTranscript,
    toolsFor: () => new HandTools(),
    scriptedProvider: () => model,
    providerFor: () => model,
    prepareScenario: async (_scenario, scratch) => scratch,
    app: 'test',
    ensureFolder: async () => undefined,
  });
  const { sessionId } = await library.transcripts.open(file, new AbortController().signal);
  return { library, sessionId, model, handlers: keptTextHandlers(library) };
}

test('events of a transcript hold the beginning of a long text, and all of it is there for whoever needs it', async () => {
  const { library, sessionId } = await opened();
  const { events } = await library.eventsFrom(sessionId, 0, 1_000);
  expect(JSON.stringify(events)).not.toContain(NEEDLE);
  const whole = await library.wholeEvents(sessionId);
  const ends = whole.flatMap((event) => (event.type === 'call-completed' ? [event.result.content] : []));
  expect(ends).toEqual([[{ type: 'text', text: LONG }], [{ type: 'text', text: 'a.ts' }]]);
});

test('a fork goes on with the whole text', async () => {
  const { library, sessionId, model } = await opened();
  const wanted = {
    sessionId,
    cwd: '/work',
    model: { provider: 'anthropic', model: 'claude-x' },
    prompt: 'Go on',
  } as const;
  const fork = await library.forkSession(wanted);
  await quiet();
  expect(JSON.stringify(model.now.request.messages)).toContain(NEEDLE);
  const { events } = (await library.live(fork)).log;
  expect(events.flatMap((event) => (event.type === 'call-completed' ? keptIn(event.result.content) : []))).toEqual([]);
  await expect(library.forkSession({ ...wanted, upToMessageId: 'none' as MessageId })).rejects.toThrow(FailureError);
});

test('a window reads a part of a text by its number', async () => {
  const { handlers, sessionId } = await opened();
  const from = LONG.indexOf(NEEDLE);
  const part = await handlers['kept-text.read']({ sessionId, id: 0, from, length: NEEDLE.length });
  expect(part).toEqual({ text: NEEDLE, characters: LONG.length });
  await expect(handlers['kept-text.read']({ sessionId, id: 7, from: 0, length: 1 })).rejects.toThrow(FailureError);
});

test('calls are found by what was left in the file, in any case, and a new search ends the one before', async () => {
  const { handlers, sessionId } = await opened();
  const first = handlers['kept-text.find']({ sessionId, text: 'log' });
  const second = handlers['kept-text.find']({ sessionId, text: ' THE needle ' });
  await expect(first).rejects.toThrow('Another text is looked for.');
  expect(await second).toEqual({ callIds: ['long'] });
  expect(await handlers['kept-text.find']({ sessionId, text: 'a.ts' })).toEqual({ callIds: [] });
});
