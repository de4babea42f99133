import { describe, expect, test } from 'vitest';
import type { EventFacts } from '../../src-shared/session/event.ts';
import { type ScriptedCall, SessionScript } from '../../src-shared/timeline/session-script.ts';
import { activityOf, stoppedWords, stopWords, waitWords } from './activity.ts';

/** A turn that goes on, with these calls in it. */
const live = (...calls: readonly ScriptedCall[]): SessionScript => {
  const script = new SessionScript().turn('turn-1', 0);
  for (const call of calls) script.call(call);
  return script;
};

const words = (script: SessionScript) => {
  const state = script.state();
  const activity = activityOf(state);
  return { waits: waitWords(state, activity), stops: stopWords(state, activity), stopped: stoppedWords(activity) };
};

const bash = (id: string, summary: string, more: Partial<ScriptedCall> = {}): ScriptedCall => ({
  id,
  tool: 'Bash',
  summary,
  queued: 10,
  start: 20,
  ...more,
});
const edit = (id: string, summary: string, more: Partial<ScriptedCall> = {}): ScriptedCall => ({
  id,
  tool: 'Edit',
  summary,
  safe: false,
  queued: 30,
  ...more,
});
const heldBy = (...by: readonly string[]): Partial<ScriptedCall> => ({ waits: [{ why: 'lock', by, at: 31 }] });

describe('what goes on', () => {
  test('calls are running, asking, queued or over; living processes are counted', () => {
    const state = live(
      bash('a', 'npm test', {
        processes: [
          { pid: 1, command: 'npm', from: 21 },
          { pid: 2, command: 'sh', from: 22, until: 23 },
        ],
      }),
      bash('b', 'rm -rf x', { ask: [25] }),
      bash('c', 'ls', { end: 40 }),
      bash('d', 'answered', { ask: [25, 26] }),
      edit('e', '/work/price.ts'),
    ).state();
    const activity = activityOf(state);
    expect(activity.running.map((call) => call.callId)).toEqual(['a', 'd']);
    expect(activity.asking.map((call) => call.callId)).toEqual(['b']);
    expect(activity.queued.map((call) => call.callId)).toEqual(['e']);
    expect(activity).toMatchObject({ processes: 1, inTurn: true });
  });

  test('nothing goes on in a file, whatever its last line says', () => {
    const script = new SessionScript({
      origin: { kind: 'imported', format: 'claude-code', path: '/x.jsonl', clock: 'recorded' },
    });
    script.turn('turn-1', 0).call(bash('a', 'npm test'));
    expect(activityOf(script.state())).toMatchObject({ running: [], inTurn: false });
  });

  test('nothing goes on in a session that has ended', () => {
    const script = live(bash('a', 'npm test')).at(50, { type: 'session-ended', reason: 'closed' });
    expect(activityOf(script.state()).running).toEqual([]);
  });
});

describe('who waits for whom', () => {
  test('names who holds the lock: commands as they are, files by their name', () => {
    expect(
      words(live(bash('a', 'npm test'), bash('b', 'npm run lint'), edit('e', '/w/README.md', heldBy('a', 'b')))).waits,
    ).toBe('1 waits for npm test and npm run lint');
    const read: ScriptedCall = { id: 'r', tool: 'Read', summary: '/w/README.md', queued: 10, start: 20 };
    expect(words(live(read, edit('e', '/w/a.ts', heldBy('r')), edit('f', '/w/b.ts', heldBy('r')))).waits).toBe(
      '2 wait for Read(README.md)',
    );
  });

  test('a holder that has ended since is not named', () => {
    const session = live(
      bash('a', 'npm test'),
      bash('b', 'npm run lint', { end: 35 }),
      edit('e', '/w/a.ts', heldBy('a', 'b')),
    );
    expect(words(session).waits).toBe('1 waits for npm test');
  });

  test('holders that themselves wait for a person are pointed at, not named', () => {
    expect(
      words(live(bash('a', 'x', { ask: [25] }), bash('b', 'y', { ask: [25] }), edit('e', '/a', heldBy('a', 'b'))))
        .waits,
    ).toBe('1 waits for these calls');
  });

  test.each([
    ['no-lane', '1 waits, no lane free'],
    ['message-open', '1 waits for the end of the message'],
    ['batch', '1 waits for the batch before'],
    ['hold', '1 waits, the queue is held'],
  ] as const)('the reason %s is said as: %s', (why, want) => {
    expect(words(live(edit('e', '/a', { waits: [{ why, at: 31 }] }))).waits).toBe(want);
  });

  test('nothing is said when nobody waits', () => {
    expect(words(live(bash('a', 'npm test'))).waits).toBeUndefined();
  });
});

describe('what Esc does', () => {
  test.each([
    [[], 'Esc stops the turn'],
    [[bash('a', 'npm test')], 'Esc stops npm test'],
    [[bash('a', 'npm test'), bash('b', 'npm run lint')], 'Esc stops both commands'],
    [[bash('a', 'npm test'), edit('e', '/a', { start: 40 })], 'Esc stops both calls'],
    [[bash('a', 'x'), bash('b', 'y'), bash('c', 'z')], 'Esc stops 3 commands'],
  ])('with %o', (calls, want) => {
    expect(words(live(...calls)).stops).toBe(want);
  });

  test('nothing is promised when no turn runs', () => {
    expect(words(new SessionScript().turn('turn-1', 0, 100)).stops).toBeUndefined();
  });

  test('after Esc the calls that have not ended are waited for', () => {
    const stopping = { cancelled: { at: 50, reason: 'escape' } } as const;
    expect(words(live(edit('e', '/a', { start: 40, ...stopping }))).stops).toBe('waiting for Edit to finish');
    expect(words(live(bash('a', 'x', stopping), bash('b', 'y', stopping))).stops).toBe('waiting for 2 calls to finish');
  });

  test('a queued message waits for writes, which run to their end', () => {
    const message: EventFacts = { type: 'user-message-queued', messageId: 'm1' as never, text: 'stop' };
    expect(words(live(edit('e', '/a', { start: 40 })).at(60, message)).stops).toBe('waiting for Edit to finish');
    expect(words(live(bash('a', 'npm test')).at(60, message)).stops).toBe('Esc stops npm test');
  });

  test('where the journal says what a message does to a call, that counts and not the tool', () => {
    const deploy: EventFacts = {
      type: 'call-queued',
      callId: 'd' as never,
      agentId: 'main' as never,
      messageId: 'm' as never,
      index: 0,
      tool: 'mcp__cloud__deploy',
      input: {},
      summary: '',
      safety: { safe: false, because: 'declared-unsafe' },
      onInterrupt: 'block',
    };
    const starts: EventFacts = {
      type: 'call-started',
      callId: 'd' as never,
      lane: 0,
      batchId: 'b' as never,
      timing: { certainty: 'measured' },
    };
    const message: EventFacts = { type: 'user-message-queued', messageId: 'm1' as never, text: 'stop' };
    expect(words(live().at(1, deploy).at(2, starts).at(60, message)).stops).toBe('waiting for cloud to finish');
  });

  test('what was stopped is said by name', () => {
    expect(words(live()).stopped).toBe('Stopped the turn.');
    expect(words(live(bash('a', 'npm test'), edit('e', '/w/price.ts', { start: 40 }))).stopped).toBe(
      'Stopped the turn: npm test and Edit(price.ts).',
    );
  });
});
