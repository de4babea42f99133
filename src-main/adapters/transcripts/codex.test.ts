import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { factsOf, openFixture, testFixtures } from './approve.ts';
import { readOutput } from './codex/outputs.ts';
import { marksOf, withoutReplay } from './codex/replay.ts';
import { openTranscript } from './open-transcript.ts';
import { brief } from './write-transcript.ts';

const PARALLEL = 'parallel-0.98/rollout-2026-02-11T09-30-00-019c4b10-0000-7000-8000-00000000a001.jsonl';
const BARE = 'bare-items/rollout-2025-06-02-5b0c3a52-0000-4000-8000-00000000b001.jsonl';
const AGENTS = 'agents-0.155/rollout-2026-02-11T09-30-00-019f0000-0000-7000-8000-00000000c001.jsonl';

testFixtures('codex', [PARALLEL, BARE, AGENTS]);

describe('calls that ran side by side', () => {
  test('a fast call whose output waited for a slow one ends when it had run', async () => {
    const { call } = await openFixture('codex', PARALLEL);
    expect([brief(call('call_slow')), brief(call('call_fast')), brief(call('call_bad'))]).toEqual([
      'ok 2594–5694 lane 0',
      'ok 2514–2554 lane 0',
      'error 2534–2554 lane 1',
    ]);
    expect(call('call_fast')).toMatchObject({
      end: { timing: { certainty: 'inferred', source: 'duration-in-result', earliest: 2554, latest: 5696 } },
    });
  });

  test('events of a call are exact, and an answer of a person makes a mark of it', async () => {
    const { call } = await openFixture('codex', PARALLEL);
    expect(call('call_patch')).toMatchObject({ run: { at: 13_894, timing: { certainty: 'measured' } } });
    expect(call('call_mcp')).toMatchObject({
      tool: 'mcp__tides__tide_table',
      run: { timing: { source: 'telemetry' } },
    });
    expect(brief(call('call_no'))).toBe('rejected never');
  });

  test('a command that outlives its call is a shell until a later call brings its end', async () => {
    const opened = await openFixture('codex', PARALLEL);
    expect(factsOf(opened, 'shell-started')).toMatchObject([{ callId: 'call_watch', command: 'npm test -- --watch' }]);
    expect(factsOf(opened, 'shell-ended')).toMatchObject([{ t: 11_394, end: { kind: 'exited', code: 0 } }]);
  });

  test('a stopped turn ends what it left open', async () => {
    const opened = await openFixture('codex', PARALLEL);
    expect(brief(opened.call('call_long'))).toBe('interrupted 33094–62994 lane 1');
    expect(opened.call('call_lost')).toMatchObject({ end: { outcome: 'interrupted', at: 63_004 } });
    expect(opened.state.turns.map((turn) => turn.end?.reason)).toEqual(['completed', 'interrupted']);
    expect(factsOf(opened, 'interrupt-requested')).toHaveLength(1);
  });

  test('what events and items both say is told once, and tokens count once for a response', async () => {
    const opened = await openFixture('codex', PARALLEL);
    const said = factsOf(opened, 'user-message-added').filter((event) => 'from' in event && event.from === 'person');
    expect(said).toHaveLength(2);
    const usage = factsOf(opened, 'message-completed').map((event) => ('usage' in event ? event.usage : {}));
    expect(usage.slice(0, 2)).toEqual([
      { inputTokens: 1000, outputTokens: 120, cacheReadTokens: 3000 },
      { inputTokens: 600, outputTokens: 60, cacheReadTokens: 4000 },
    ]);
  });
});

describe('agents', () => {
  test('hang on the call that started them, without the history they were given', async () => {
    const opened = await openFixture('codex', AGENTS);
    expect(factsOf(opened, 'agent-started')).toMatchObject([
      { parentCallId: 'call_spawn', name: 'Checker', agentType: 'reviewer', prompt: 'Check the tide table.', depth: 1 },
    ]);
    const ofChild = opened.state.calls.filter((call) => call.agentId !== 'main');
    expect(ofChild.map((call) => call.callId)).toEqual(['call_child']);
  });

  test('opened by itself, a thread has its own work alone', async () => {
    const child = AGENTS.replace(
      '09-30-00-019f0000-0000-7000-8000-00000000c001',
      '09-30-04-019f0000-0000-7000-8000-00000000c002',
    );
    const { state, title } = await openFixture('codex', child);
    expect(state.calls.map((one) => one.callId)).toEqual(['call_child']);
    expect(title).toBe('Check the tide table.');
  });

  test('commands that a script ran are bars of their own', async () => {
    const { call } = await openFixture('codex', AGENTS);
    expect(call('exec-a')).toMatchObject({ summary: 'cat tides.txt', run: { timing: { certainty: 'measured' } } });
    expect(brief(call('exec-b'))).toBe('error 2180–2420 lane 2');
  });

  test('a copied history ends where the own work begins', () => {
    const record = (kind: string, text: string) => ({ kind, payload: { text }, at: 0, line: 1 });
    const parent = [record('response_item/message', 'a'), record('response_item/message', 'b')];
    const child = [
      record('session_meta', ''),
      ...parent,
      record('event_msg/x', ''),
      record('response_item/message', 'c'),
    ];
    expect(withoutReplay(child, marksOf(parent)).map(({ payload }) => payload.text)).toEqual(['', '', 'c']);
    expect(withoutReplay(child, new Set())).toBe(child);
  });
});

describe('folders', () => {
  test('a folder opens with its session, not with a thread that it started', async () => {
    const opened = await openFixture('codex', 'agents-0.155');
    expect(opened.path).toMatch(/c001\.jsonl$/);
    expect(opened.findings).toEqual([]);
  });

  test('a folder of years opens with the newest day', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-codex-years-'));
    try {
      for (const [day, file] of [
        ['2026/01/31', BARE],
        ['2026/02/11', PARALLEL],
      ] as const) {
        await mkdir(join(folder, day), { recursive: true });
        await cp(join(import.meta.dirname, 'fixtures', 'codex', file), join(folder, day, basename(file)));
      }
      expect((await openTranscript(folder)).title).toBe('Count the berths and tell which tests are slow.');
      expect((await openTranscript(join(folder, '2026', '01'))).title).toBe('How long is the pier?');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('what an output says', () => {
  test.each([
    ['Chunk ID: 1\nWall time: 0.5 seconds\nProcess exited with code 3\nOutput:\nx', 'error', 3, 500],
    ['Exit code: 0\nWall time: 1.2 seconds\nOutput:\nProcess exited with code 9', 'ok', 0, 1200],
    ['{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.25}}', 'error', 2, 250],
    ['aborted by user after 29.7s', 'aborted', undefined, 29_700],
    ['patch rejected by user', 'rejected', undefined, undefined],
    ['failed to parse function arguments: missing field `cmd`', 'never-ran', undefined, undefined],
    ['collab spawn failed: agent thread limit reached', 'error', undefined, undefined],
    ['the build failed', 'ok', undefined, undefined],
    ['{"output":"no metadata"}', 'ok', undefined, undefined],
  ])('%j', (text, ending, exitCode, wallMs) => {
    expect(readOutput(text)).toMatchObject({ ending, exitCode, wallMs });
  });
});
