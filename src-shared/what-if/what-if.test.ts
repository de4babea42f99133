import { describe, expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import type { SessionSettings } from '../session/settings.ts';
import { foldSession, type Turn } from '../session/state.ts';
import { type ScriptedCall, SessionScript } from '../timeline/session-script.ts';
import { mainTurns } from '../turns/turn-of.ts';
import { whyNotPlayed } from './availability.ts';
import { type CommandFacts, recordTurn } from './recorded.ts';
import { answerTurns, askTurns } from './session.ts';
import { answer, ask, rowsFor, shortRows } from './what-if.ts';
import { differencesText, fasterText, notesOf, unknownText, wallText } from './words.ts';

type Simple = Omit<ScriptedCall, 'message' | 'queued'> & { readonly queued?: number };

/** One message whose calls arrive 10 ms apart and end by themselves; the turn goes on 100 ms behind the last one. */
function turnOf(calls: readonly Simple[], settings: Partial<SessionSettings> = {}) {
  const script = new SessionScript({ settings });
  const ends = calls.map(({ end = 0 }) => end);
  script.turn('turn-1', 0, Math.max(...ends) + 100);
  script.request(
    'r1',
    0,
    calls.map((_, at) => at * 10),
    calls.length * 10,
    { message: 'm' },
  );
  for (const [at, call] of calls.entries()) script.call({ queued: at * 10, message: 'm', ...call });
  return script;
}

function asked(script: SessionScript, facts: CommandFacts = new Map()) {
  const state = script.state();
  const [turn] = mainTurns(state);
  if (turn === undefined) throw new Error('the script has no turn');
  return { state, turn, question: ask(recordTurn(state, turn, facts), state.cwd, facts) };
}

const read = (id: string, path: string, start: number, end: number, lane = 0): Simple => ({
  id,
  tool: 'Read',
  summary: path,
  input: { file_path: path },
  start,
  end,
  lane,
});
const edit = (id: string, path: string, start: number, end: number): Simple => ({
  ...read(id, path, start, end),
  tool: 'Edit',
  safe: false,
});

describe('the recorded rules', () => {
  const script = turnOf([read('a', 'a.ts', 0, 300), read('b', 'b.ts', 10, 200, 1), edit('c', 'a.ts', 300, 400)]);

  test('give what was recorded', () => {
    const { question } = asked(script);
    const { numbers, differences, trust } = answer(question, {});
    expect([question.missesBy, numbers, differences]).toEqual([0, question.recorded, []]);
    expect(trust).toEqual({ atLeast: [], unknown: [], isInferred: false });
  });

  test('were those of the time, whatever came later', () => {
    const serial = turnOf([read('a', 'a', 0, 100), read('b', 'b', 100, 200)], { strategy: 'serial', cascade: 'none' });
    serial.at(900, {
      type: 'settings-changed',
      settings: { ...serial.state().settings, strategy: 'streaming', cap: 3 },
    });
    expect(asked(serial).question.rules).toMatchObject({ strategy: 'serial', cap: 10 });
  });

  test('a message whose calls started as they came was none of a batch, whatever the settings say', () => {
    const early = turnOf([read('a', 'a', 0, 300), read('b', 'b', 10, 310, 1)], { strategy: 'batch', cascade: 'none' });
    const { question } = asked(early);
    expect([question.missesBy, question.rules.strategy]).toEqual([0, 'streaming']);
  });

  test('a message that was stamped when all was over ended, for a batch, when its calls began', () => {
    const script = new SessionScript({ settings: { strategy: 'batch', cascade: 'none' } })
      .turn('turn-1', 0, 900)
      .request('r1', 0, [0, 10], 800, { message: 'm' })
      .call({ ...read('a', 'a', 100, 500), queued: 0, message: 'm' })
      .call({ ...read('b', 'b', 100, 800, 1), queued: 10, message: 'm' });
    const { question } = asked(script);
    expect([question.missesBy, question.rules.strategy]).toEqual([0, 'batch']);
  });

  test('what else took time is kept under other rules', () => {
    // The second call starts 40 ms after the first has ended, which no rule asks for.
    const { state, question } = asked(turnOf([edit('a', 'a', 0, 1000), edit('b', 'b', 1040, 2000)]));
    expect(question.missesBy).toBe(-40);
    expect(answer(question, { strategy: 'serial' }).numbers.wallMs).toBe(question.recorded.wallMs);
    expect(notesOf(state, question)).toEqual([]);
  });
});

describe('other rules', () => {
  test('one lane for all takes as long as all of them together', () => {
    const { question } = asked(
      turnOf([read('a', 'a', 0, 300), read('b', 'b', 10, 310, 1), read('c', 'c', 20, 320, 2)]),
    );
    expect(answer(question, { cap: 1 }).numbers.wallMs).toBe(300 + 300 + 300 + 100);
    expect(answer(question, { strategy: 'batch' }).numbers.wallMs).toBe(30 + 300 + 100);
  });

  test('a call that counts as exclusive runs alone; one call counts more than its tool', () => {
    const { question } = asked(turnOf([read('a', 'a', 0, 300), read('b', 'b', 10, 310, 1)]));
    const alone = answer(question, { safety: { calls: {}, tools: { Read: false } } });
    expect(alone.numbers.wallMs).toBe(300 + 300 + 100);
    const both = { calls: { ['a' as CallId]: true, ['b' as CallId]: true }, tools: { Read: false } };
    expect(answer(question, { safety: both }).differences).toEqual([]);
  });

  test('the next request comes as long after the calls as it did, and thinks as long as it did', () => {
    const script = new SessionScript()
      .turn('turn-1', 0, 2_000)
      .request('r1', 100, [200, 210], 220, { message: 'm1' })
      .call({ ...read('a', 'a', 200, 700), queued: 200, message: 'm1' })
      .call({ ...read('b', 'b', 210, 410, 1), queued: 210, message: 'm1' })
      .request('r2', 750, [1_000], 1_010, { message: 'm2' })
      .call({ ...read('c', 'c', 1_000, 1_500), queued: 1_000, message: 'm2' });
    const { question } = asked(script);
    const { numbers, played } = answer(question, { strategy: 'serial' });
    expect(numbers.wallMs).toBe(2_200);
    expect(played.calls.map(({ start }) => start?.at)).toEqual([200, 700, 1_200]);
  });
});

describe('a cascade', () => {
  const script = (more: Partial<ScriptedCall> = {}) =>
    turnOf([
      { id: 'bad', tool: 'Bash', summary: 'npm test', start: 0, end: 1_000, outcome: 'error' },
      {
        id: 'lint',
        tool: 'Bash',
        summary: 'npm run lint',
        start: 10,
        lane: 1,
        cancelled: { at: 1_000, reason: 'sibling_error', culprit: 'bad' },
        end: 1_010,
        outcome: 'cancelled',
        ...more,
      },
      {
        ...edit('edit', 'a.ts', 0, 0),
        start: undefined as never,
        cancelled: { at: 1_000, reason: 'sibling_error', culprit: 'bad' },
        end: 1_000,
        outcome: 'cancelled',
      },
    ]);

  test('happens again under the rules that had it, also where the victim’s own end is not known', () => {
    const { question } = asked(script());
    expect(answer(question, { cascade: 'any-error' }).numbers).toMatchObject({ cancelled: 2, lostMs: 1_000 });
    expect(question.recorded).toMatchObject({ cancelled: 2, lostMs: 1_000 });
  });

  test('that does not happen leaves lengths that nobody knows, and says so', () => {
    const { state, question } = asked(script());
    const none = answer(question, { cascade: 'none' });
    expect(none.numbers).toMatchObject({ cancelled: 0, lostMs: 0 });
    expect(none.trust).toMatchObject({ atLeast: [1], unknown: [2] });
    expect(wallText(none.numbers, none.trust)).toBe('≥ 1.1 s');
    expect(fasterText(question, none)).toBe('at best as long as recorded');
    expect(unknownText(state, none.trust)).toBe('How long Bash(npm run lint) and Edit(a.ts) take is not known.');
    expect(differencesText(state, none.differences)).toBe('a.ts runs, npm run lint ends by itself');
  });

  test('a failure that is none of the call’s own pulls nobody down', () => {
    const events = script()
      .events()
      .map((event) =>
        event.type === 'call-completed' && event.callId === 'bad' ? { ...event, failed: false } : event,
      );
    const state = foldSession(events);
    const question = ask(recordTurn(state, mainTurns(state)[0] as Turn), state.cwd);
    expect(answer(question, { cascade: 'any-error' }).numbers.cancelled).toBe(0);
  });

  test('only policies that tell the failing calls apart are rows of their own', () => {
    const { question } = asked(script());
    const streaming = rowsFor(question).filter(({ strategy }) => strategy === 'streaming');
    // The command counts as read-only as long as main has not said otherwise: it may run beside others.
    expect(streaming.map(({ cascade, alike }) => [cascade, alike.length])).toEqual([
      ['none', 2],
      ['bash', 3],
    ]);
    const mutating = new Map([
      ['bad' as CallId, { readOnly: false, reads: [], folders: [], writes: [], complete: false }],
    ]);
    const told = rowsFor(asked(script(), mutating).question).filter(({ strategy }) => strategy === 'streaming');
    expect(told.map(({ cascade, alike }) => [cascade, alike.length])).toEqual([
      ['none', 1],
      ['bash', 4],
    ]);
    expect(shortRows(question).map(({ strategy, cascade }) => `${strategy} ${cascade}`)).toEqual([
      'streaming none',
      'batch none',
      'serial none',
      'all-at-once none',
    ]);
  });
});

describe('sub-agents', () => {
  /** Two helpers beside each other; the first reads two files at once. */
  const script = () =>
    new SessionScript()
      .turn('turn-1', 0, 1_200)
      .request('r1', 0, [0, 10], 20, { message: 'm1' })
      .call({ id: 'one', tool: 'Agent', summary: 'one', queued: 0, start: 0, end: 1_000, message: 'm1' })
      .agent('helper', 'one', 50, { until: 950, parent: 'one' })
      .turn('turn-2', 50, 950, 'helper')
      .request('r2', 50, [100, 110], 120, { turn: 'turn-2', agent: 'helper', message: 'm2' })
      .call({ ...read('x', 'x', 100, 600), queued: 100, agent: 'helper', message: 'm2' })
      .call({ ...read('y', 'y', 110, 610, 1), queued: 110, agent: 'helper', message: 'm2' })
      .call({ id: 'two', tool: 'Agent', summary: 'two', queued: 10, start: 10, lane: 1, end: 500, message: 'm1' });

  test('are played with executors of their own, and their calls take as long as they come to', () => {
    const { question } = asked(script());
    expect(answer(question, {}).numbers.wallMs).toBe(1_200);
    const serial = answer(question, { strategy: 'serial' });
    // x and y one after the other: 490 ms longer, then the second agent.
    expect(serial.numbers.wallMs).toBe(1_200 + 490 + 490);
    const start = (id: string) => serial.played.calls.find(({ recorded }) => recorded.call.callId === id)?.start?.at;
    expect([start('x'), start('y'), start('two')]).toEqual([100, 600, 1_490]);
  });
});

describe('what cannot be played', () => {
  test('says why', () => {
    const running = new SessionScript().turn('t', 0).state();
    expect(whyNotPlayed(running, running.turns[0])).toContain('still runs');
    expect(whyNotPlayed(running, undefined)).toBe('There is no turn yet.');
    const origin = { kind: 'imported', format: 'f', path: '/f', clock: 'order-only' } as const;
    const untimed = new SessionScript({ origin }).turn('t', 0, 5).state();
    expect(whyNotPlayed(untimed, untimed.turns[0])).toContain('no times');
  });

  test('a turn without a call has nothing that other rules could change', () => {
    const { question } = asked(new SessionScript().turn('turn-1', 0, 500).request('r1', 0, [100], 200));
    expect(answer(question, { strategy: 'serial' }).numbers).toMatchObject({ wallMs: 500, cancelled: 0 });
  });
});

test('turns add up, and what lies between them counts for nothing', () => {
  const script = turnOf([read('a', 'a', 0, 300), read('b', 'b', 10, 310, 1)])
    .turn('turn-2', 10_000, 10_400)
    .request('r2', 10_000, [10_000], 10_010, { turn: 'turn-2', message: 'm2' })
    .call({ ...read('c', 'c', 10_000, 10_300), queued: 10_000, message: 'm2' });
  const state = script.state();
  const turns = askTurns(state, mainTurns(state), new Map());
  expect(answerTurns(turns, {}).numbers.wallMs).toBe(410 + 400);
  const { numbers, first } = answerTurns(turns, { strategy: 'serial' });
  expect([numbers.wallMs, first?.turn.turnId]).toEqual([700 + 400, 'turn-1']);
});
