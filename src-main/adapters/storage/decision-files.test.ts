import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../../src-shared/ids.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { defaultSettings } from '../../../src-shared/session/settings.ts';
import { toLine } from '../../../src-shared/session/stored-line.ts';
import { DecisionFiles } from './decision-files.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gantry-decisions-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const ID = 'session_1' as SessionId;
let seq = 0;
const line = (facts: object): string => {
  const at = seq++;
  return `${toLine({ seq: at, at: 1_000 + at, t: at, ...facts } as unknown as SessionEvent)}\n`;
};
const started = (more: object = {}) =>
  line({
    type: 'session-started',
    sessionId: ID,
    title: 'x',
    cwd: '/work',
    origin: { kind: 'live', provider: 'x' },
    app: 'x',
    settings: { ...defaultSettings(), mode: 'acceptEdits' },
    ...more,
  });
const call = (callId: string, command: string, settled: object = {}) =>
  [
    line({
      type: 'call-queued',
      callId,
      agentId: 'main',
      messageId: 'm',
      index: 0,
      tool: 'Bash',
      input: { command, note: 'x'.repeat(5_000), list: [1] },
      summary: command,
      safety: { safe: false, because: 'declared-unsafe' },
    }),
    line({ type: 'call-progressed', callId, bytes: 1, lines: 1, tail: '"type":"permission-settled"' }),
    line({
      type: 'permission-settled',
      callId,
      verdict: 'allow',
      by: 'rule',
      trace: [
        {
          step: 'allow-rules',
          verdict: 'allow',
          text: 'x',
          rules: [{ list: 'allow', text: 'Bash(x)', scope: 'user', file: '/u.json', line: 3 }],
        },
      ],
      ...settled,
    }),
  ].join('');

async function journal(text: string): Promise<string> {
  await mkdir(join(root, ID), { recursive: true });
  const path = join(root, ID, 'journal.jsonl');
  await writeFile(path, text);
  return path;
}
const read = async (files: DecisionFiles) => (await files.read(ID)).decisions;

test('decisions are read out of journals with what it takes to make them again', async () => {
  await journal(started() + call('a', 'npm test'));
  expect(await new DecisionFiles(root).sessions()).toEqual([ID]);
  const [only, ...more] = await read(new DecisionFiles(root));
  expect(more).toEqual([]);
  expect(only).toMatchObject({
    sessionId: ID,
    callId: 'a',
    tool: 'Bash',
    kind: 'allow',
    by: 'rule',
    folder: '/work',
    rules: [{ list: 'allow', text: 'Bash(x)', scope: 'user', file: '/u.json', line: 3 }],
    situation: { mode: 'acceptEdits', cwd: '/work', directories: ['/work'], headless: false },
  });
  const input = only?.input as { readonly command: string; readonly note: string };
  expect([input.command, input.note.length, Object.keys(input)]).toEqual(['npm test', 200, ['command', 'note']]);
});

test('of a journal that has grown only what is new is read, up to its last whole line', async () => {
  const path = await journal(started() + call('a', 'ls'));
  const files = new DecisionFiles(root);
  const first = await read(files);
  expect(await read(files)).toBe(first);
  const next = call('b', 'pwd');
  await appendFile(path, next.slice(0, -20));
  expect((await read(files)).map(({ callId }) => callId)).toEqual(['a']);
  await appendFile(path, next.slice(-20));
  const grown = await read(files);
  expect(grown.map(({ callId }) => callId)).toEqual(['a', 'b']);
  expect(grown[0]).toBe(first[0]);
});

test('what was read is kept for the next start, and read anew when the journal is another', async () => {
  const path = await journal(started() + call('a', 'ls'));
  const first = await read(new DecisionFiles(root));
  const kept = join(root, ID, 'decisions.json');
  const text = await readFile(kept, 'utf8');
  await writeFile(kept, text.replace('"summary":"ls"', '"summary":"kept"'));
  expect((await read(new DecisionFiles(root)))[0]?.summary).toBe('kept');
  // The same size at another time is another journal.
  await utimes(path, new Date(), new Date(Date.now() + 5_000));
  expect(await read(new DecisionFiles(root))).toEqual(first);
  await writeFile(kept, '{"v":1,"bytes":"x"}');
  expect(await read(new DecisionFiles(root))).toEqual(first);
});

test('a journal that was cut is read from its beginning', async () => {
  const begin = started() + call('a', 'ls');
  const path = await journal(begin + call('b', 'pwd'));
  const files = new DecisionFiles(root);
  expect(await read(files)).toHaveLength(2);
  await truncate(path, Buffer.byteLength(begin));
  expect((await read(files)).map(({ callId }) => callId)).toEqual(['a']);
});

test('what a session was continued from is counted where it was decided', async () => {
  const forkedFrom = { sessionId: 'session_0', title: 'x', seq: 3 };
  const copied = line({ type: 'history-copied', events: 3 });
  await journal(started({ forkedFrom }) + call('a', 'ls') + copied + call('b', 'pwd'));
  expect((await read(new DecisionFiles(root))).map(({ callId }) => callId)).toEqual(['b']);
});

test('lines that cannot be read cost no decision, and a session that is gone has none', async () => {
  await journal(`${started()}{"type":"permission-settled"\n\u0000\n${call('a', 'ls')}`);
  const files = new DecisionFiles(root);
  expect(await read(files)).toHaveLength(1);
  await rm(join(root, ID), { recursive: true });
  expect(await read(files)).toEqual([]);
  expect(await new DecisionFiles(join(root, 'nowhere')).sessions()).toEqual([]);
});

test('questions, changed inputs and rules of the session are told apart', async () => {
  const asked = (callId: string) =>
    line({
      type: 'permission-asked',
      askId: `ask-${callId}`,
      callId,
      agentId: 'main',
      question: { title: 'x', reason: 'y', risk: 'z', dangerous: false },
      trace: [],
    });
  const [queued = '', , settled = ''] = call('a', 'make', {
    askId: 'ask-a',
    by: 'user',
    trace: [],
    rule: { text: 'Bash(make)', scope: 'session' },
  }).split(/(?<=\n)/);
  const changed = line({ type: 'call-input-changed', callId: 'b', by: 'hook', input: { command: 'pwd' } });
  const [queuedB = '', , settledB = ''] = call('b', 'ls').split(/(?<=\n)/);
  await journal(started() + queued + asked('a') + settled + queuedB + changed + settledB);
  const [a, b] = await read(new DecisionFiles(root));
  expect(a).toMatchObject({ kind: 'ask', by: 'user', waitedMs: expect.any(Number) });
  expect(a?.sessionRules).toBeUndefined();
  expect(b).toMatchObject({ input: { command: 'pwd' }, original: { command: 'ls' }, sessionRules: ['Bash(make)'] });
});
