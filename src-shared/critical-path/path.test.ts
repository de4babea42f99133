import { describe, expect, test } from 'vitest';
import type { SessionState } from '../session/state.ts';
import { SessionScript } from '../timeline/session-script.ts';
import { mainTurns } from '../turns/turn-of.ts';
import { type CriticalPath, criticalPath } from './path.ts';
import { sharesOf, timeOnPath, workOf } from './shares.ts';
import { efficiencyWords, longestWaitWords, onPathWords, percentWords, sharesSentence } from './words.ts';

const turn = (until: number) => new SessionScript().turn('t', 0, until);
const pathOf = (state: SessionState): CriticalPath => {
  const [first] = mainTurns(state);
  if (first === undefined) throw new Error('no turn');
  return criticalPath(state, first);
};
/** `0 model r1, 100 tool a`: where each segment begins, its kind, and whose it is. */
const told = (path: CriticalPath): string =>
  path.segments
    .map(({ from, kind, callId, requestId }) => `${from} ${kind} ${callId ?? requestId ?? ''}`.trim())
    .join(', ');

describe('the critical path of a turn', () => {
  test('goes from a request to the call that ended last, and from there to the next request', () => {
    const state = turn(1000)
      .request('r1', 0, [100], 120, { message: 'm1' })
      .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100, end: 300 })
      .call({ id: 'b', tool: 'Bash', message: 'm1', queued: 110, start: 110, lane: 1, end: 600 })
      .request('r2', 600, [900], 1000, { message: 'm2' })
      .state();
    expect(told(pathOf(state))).toBe('0 model r1, 110 tool b, 600 model r2');
  });

  test('of a call that waited for a lock goes on at its last holder', () => {
    const state = turn(1000)
      .request('r1', 0, [100], 130, { message: 'm1' })
      .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100, end: 300 })
      .call({ id: 'b', tool: 'Grep', message: 'm1', queued: 105, start: 105, lane: 1, end: 500 })
      .call({
        id: 'c',
        tool: 'Edit',
        message: 'm1',
        safe: false,
        queued: 120,
        waits: [{ why: 'lock', by: ['a', 'b'], at: 120 }],
        start: 500,
        end: 1000,
      })
      .state();
    expect(told(pathOf(state))).toBe('0 model r1, 105 tool b, 500 tool c');
  });

  test('of a call that waited for a lane goes on at the call that left it', () => {
    const state = turn(900)
      .request('r1', 0, [100], 130, { message: 'm1' })
      .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100, lane: 0, end: 600 })
      .call({
        id: 'b',
        tool: 'Read',
        message: 'm1',
        queued: 110,
        waits: [{ why: 'no-lane', at: 110 }],
        start: 600,
        lane: 0,
        end: 900,
      })
      .state();
    expect(told(pathOf(state))).toBe('0 model r1, 100 tool a, 600 tool b');
  });

  test('counts a lock as a wait only where nobody is known who worked', () => {
    const state = turn(900)
      .request('r1', 0, [100], 130, { message: 'm1' })
      .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100, end: 400 })
      .call({
        id: 'b',
        tool: 'Edit',
        message: 'm1',
        queued: 110,
        waits: [{ why: 'lock', by: ['a'], at: 110 }],
        start: 500,
        end: 900,
      })
      .state();
    // The wait ends with the start: 100 ms after its holder was gone.
    expect(told(pathOf(state))).toBe('0 model r1, 100 tool a, 400 lock b, 500 tool b');
  });

  test('gives questions to the person, hooks to hooks, and a held queue to the person', () => {
    const state = turn(900)
      .request('r1', 0, [100], 110, { message: 'm1' })
      .call({
        id: 'a',
        tool: 'Bash',
        message: 'm1',
        queued: 100,
        waits: [{ why: 'hold', at: 100 }],
        start: 200,
        stages: [
          ['hooks-before', 200, 250],
          ['run', 600, 900],
        ],
        ask: [250, 600],
        end: 900,
      })
      .state();
    expect(told(pathOf(state))).toBe('0 model r1, 100 human a, 200 hook a, 250 human a, 600 tool a');
  });

  test('goes into the turn of an agent, and comes out of it where the agent began', () => {
    const state = turn(1000)
      .request('r1', 0, [100], 110, { message: 'm1' })
      .call({ id: 'agent', tool: 'Agent', message: 'm1', queued: 100, start: 100, end: 900 })
      .agent('sub', 'Explore', 120, { until: 880, parent: 'agent' })
      .turn('t2', 120, 880, 'sub')
      .request('r2', 150, [300], 310, { turn: 't2', message: 'm2', agent: 'sub' })
      .call({ id: 'x', tool: 'Read', agent: 'sub', message: 'm2', queued: 300, start: 300, end: 700 })
      .request('r3', 700, [800], 880, { turn: 't2', message: 'm3', agent: 'sub' })
      .request('r4', 900, [950], 1000, { message: 'm4' })
      .state();
    const path = pathOf(state);
    expect(told(path)).toBe(
      '0 model r1, 100 tool agent, 150 model r2, 300 tool x, 700 model r3, 880 tool agent, 900 model r4',
    );
    expect(timeOnPath(state, path, 'agent' as never)).toBe(800);
    expect(timeOnPath(state, path, 'x' as never)).toBe(400);
  });

  test('leaves what the program did itself, and the hooks of no call, to themselves', () => {
    const state = turn(400)
      .hook('h', undefined, 'prompt.sh', 10, 50)
      .request('r1', 60, [200], 390, { message: 'm1' })
      .state();
    expect(told(pathOf(state))).toBe('0 other, 10 hook, 50 other, 60 model r1, 390 other');
  });

  test('of a turn that goes on reaches to its newest event', () => {
    const state = new SessionScript()
      .turn('t', 0)
      .request('r1', 0, [100], 110, { message: 'm1' })
      .call({ id: 'a', tool: 'Read', message: 'm1', queued: 100, start: 100 })
      .call({ id: 'b', tool: 'Read', message: 'm1', queued: 110, start: 110, lane: 1, end: 500 })
      .state();
    expect(told(pathOf(state))).toBe('0 model r1, 110 tool b');
    expect(pathOf(state).until).toBe(500);
  });
});

describe('what is said of it', () => {
  const state = turn(1000)
    .request('r1', 0, [100], 130, { message: 'm1' })
    .call({ id: 'a', tool: 'Read', summary: 'a.ts', message: 'm1', queued: 100, start: 100, end: 300 })
    .call({ id: 'b', tool: 'Grep', summary: 'TODO', message: 'm1', queued: 100, start: 100, lane: 1, end: 500 })
    .call({
      id: 'c',
      tool: 'Edit',
      summary: 'b.ts',
      message: 'm1',
      queued: 120,
      waits: [{ why: 'lock', by: ['a', 'b'], at: 120 }],
      start: 500,
      end: 1000,
    })
    .state();
  const path = pathOf(state);

  test('shares with percents and the total', () => {
    expect(sharesSentence(sharesOf([path]), 1000)).toBe('1.0 s: Model 0.1 s (10 %), Tools 0.9 s (90 %)');
    expect([percentWords(1, 1000), percentWords(0, 10), percentWords(0, 0)]).toEqual(['< 1 %', '0 %', '0 %']);
  });

  test('how parallel the tools ran, and the longest wait', () => {
    const work = workOf(state, path);
    expect(efficiencyWords(work)).toEqual({ factor: '1.2×', text: '1.1 s of tool work in 0.9 s of tool time.' });
    expect(work.longest && longestWaitWords(state, work.longest)).toBe(
      'The longest wait, 0.4 s, was that of Edit(b.ts) for Read(a.ts) and Grep(TODO).',
    );
  });

  test('what the turn would be without a call, at most', () => {
    const words = (id: string) => onPathWords(id, timeOnPath(state, path, id as never), path);
    expect(words('a')).toBe('a is not on the critical path. Without it the turn would have been as long.');
    expect(words('b')).toBe(
      'b is on the critical path. Without it the turn would have been at most 0.4 s shorter, 40 % of its time.',
    );
  });
});
