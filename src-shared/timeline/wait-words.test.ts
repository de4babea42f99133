import { describe, expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { SessionScript } from './session-script.ts';
import { laterWaits } from './wait-words.ts';
import { whyItWaited } from './words.ts';

const find = (state: SessionState, id: string): ToolCall => {
  const call = callById(state, id as CallId);
  if (call === undefined) throw new Error(`no call ${id}`);
  return call;
};
const texts = (state: SessionState, id: string, now?: number): readonly string[] =>
  laterWaits(state, find(state, id), now).map(({ text }) => text);

describe('what a call waited for after its start', () => {
  test('a person, hooks and a breakpoint, each summed', () => {
    const script = new SessionScript().call({
      id: 'a',
      tool: 'Bash',
      queued: 0,
      start: 0,
      stages: [
        ['hooks-before', 0, 200],
        ['run', 1700, 2000],
        ['hooks-after', 2000, 2100],
      ],
      ask: [200, 1400],
      end: 2100,
    });
    script.at(1400, { type: 'call-paused', callId: 'a' as CallId, breakpointId: 'b', why: 'before' });
    script.at(1700, { type: 'call-resumed', callId: 'a' as CallId, how: 'go-on' });
    expect(texts(script.state(), 'a')).toEqual([
      'It waited 0.3 s for its hooks.',
      'It waited 1.2 s for your answer.',
      'It waited 0.3 s at a breakpoint.',
    ]);
  });

  test('a question that is open now', () => {
    const state = new SessionScript().call({ id: 'a', tool: 'Bash', queued: 0, start: 0, ask: [100] }).state();
    expect(texts(state, 'a', 2_100)).toEqual(['It has waited 2.0 s for your answer.']);
  });

  test('its result, for the calls before it that were not over', () => {
    const state = new SessionScript()
      .call({ id: 'x', tool: 'Read', summary: 'x', message: 'm0', queued: 0, start: 0, end: 50, yielded: 50 })
      .call({
        id: 'a',
        tool: 'Bash',
        summary: 'npm test',
        message: 'm',
        queued: 100,
        start: 100,
        end: 900,
        yielded: 900,
      })
      .call({ id: 'b', tool: 'Read', summary: 'a.ts', message: 'm', queued: 110, start: 110, end: 150, yielded: 150 })
      .call({ id: 'c', tool: 'Read', summary: 'b.ts', message: 'm', queued: 120, start: 120, end: 200, yielded: 900 })
      .state();
    expect(laterWaits(state, find(state, 'c'))).toEqual([
      { text: 'Its result was held back 0.7 s: Bash(npm test) came first.', by: ['a'] },
    ]);
    expect(texts(state, 'a')).toEqual([]);
  });
});

test.each([
  ['no-lane', [], true, 'Read(r) waited 0.5 s: no lane was free'],
  ['order', ['e'], true, 'Read(r) waited 0.5 s: Read(e) went first'],
  ['order', ['e'], false, 'Read(r) waited 0.5 s: Read(e), which is exclusive, went first'],
  ['message-open', [], true, 'Read(r) waited 0.5 s: the model was still writing its message'],
  ['hold', [], true, 'Read(r) waited 0.5 s: the queue was held'],
  ['settings', [], true, 'Read(r) waited 0.5 s: unsafe calls waited for the end of the message'],
  ['batch', ['e'], true, 'Read(r) waited 0.5 s: Read(e) of an earlier batch ran first'],
] as const)('a wait in the queue because of %s, held up by %j (safe: %s), is told', (why, by, safe, words) => {
  const state = new SessionScript()
    .call({ id: 'e', tool: 'Read', summary: 'e', safe, queued: 0, start: 0, end: 500 })
    .call({ id: 'r', tool: 'Read', summary: 'r', queued: 0, waits: [{ why, by, at: 0 }], start: 500, end: 600 })
    .state();
  expect(whyItWaited(state, find(state, 'r'))).toBe(words);
});
