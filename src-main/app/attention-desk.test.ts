import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AgentId,
  type AskId,
  type CallId,
  MAIN_AGENT,
  type SessionId,
  type TurnId,
} from '../../src-shared/ids.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { instant, millis, sessionTime } from '../../src-shared/units.ts';
import type { NotificationChoice } from '../core/settings/settings.ts';
import { HandAttention } from '../ports/attention.fake.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { AttentionDesk } from './attention-desk.ts';

const A = 'a' as SessionId;
const B = 'b' as SessionId;

let attention: HandAttention;
let clock: ManualClock;
let choice: NotificationChoice;
let desk: AttentionDesk;
let shown: [SessionId, AskId | undefined][];

beforeEach(() => {
  attention = new HandAttention();
  clock = new ManualClock();
  choice = 'all';
  shown = [];
  desk = new AttentionDesk({
    attention,
    clock,
    choice: () => choice,
    titleOf: (sessionId) => `Session ${sessionId}`,
    show: (sessionId, askId) => shown.push([sessionId, askId]),
  });
});

const happens = (sessionId: SessionId, facts: EventFacts): void =>
  desk.take(sessionId, [{ ...facts, seq: 0, at: instant(0), t: sessionTime(0) } as SessionEvent]);
const asks = (sessionId: SessionId, id: string): void =>
  happens(sessionId, {
    type: 'permission-asked',
    askId: `ask-${id}` as AskId,
    callId: id as CallId,
    agentId: MAIN_AGENT,
    question: { title: `Run ${id}?`, reason: '', risk: 'runs a program', dangerous: false },
    trace: [],
  });
const settles = (sessionId: SessionId, id: string): void =>
  happens(sessionId, {
    type: 'permission-settled',
    askId: `ask-${id}` as AskId,
    callId: id as CallId,
    verdict: 'allow',
    by: 'user',
    trace: [],
  });
const turnEnds = (reason: 'completed' | 'interrupted' | 'rejected' | 'error', agentId: AgentId = MAIN_AGENT): void =>
  happens(A, { type: 'turn-ended', turnId: 't' as TurnId, agentId, reason });
const bodies = () => attention.notes.map(({ title, body }) => `${title} | ${body}`);
const focus = (on: boolean): void => {
  attention.focused = on;
  desk.focusChanged();
};

describe('the badge', () => {
  test('counts the questions that wait, of all sessions, at once', () => {
    asks(A, 'x');
    asks(B, 'y');
    expect(attention.count).toBe(2);
    settles(A, 'x');
    expect(attention.count).toBe(1);
    happens(B, { type: 'session-ended', reason: 'closed' });
    expect(attention.count).toBe(0);
  });

  test('forgets a question whose call has ended', () => {
    asks(A, 'x');
    happens(A, {
      type: 'call-completed',
      callId: 'x' as CallId,
      ending: { outcome: 'cancelled' },
      result: { content: '' },
    } as unknown as EventFacts);
    expect(attention.count).toBe(0);
  });

  test('counts whatever may be told', () => {
    choice = 'off';
    asks(A, 'x');
    expect(attention.count).toBe(1);
  });
});

describe('a question that nobody looks at', () => {
  test('is told after a moment, once, those of one moment together', () => {
    asks(A, 'x');
    clock.advance(millis(1_000));
    asks(B, 'y');
    clock.advance(millis(999));
    expect(bodies()).toEqual([]);
    clock.advance(millis(1));
    expect(bodies()).toEqual(['1 call waits for your answer | Session a: Run x?']);
    clock.advance(millis(60_000));
    expect(bodies()).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test('asked together, are told together', () => {
    asks(A, 'x');
    asks(A, 'y');
    clock.advance(millis(5_000));
    expect(bodies()).toEqual(['2 calls wait for your answer | Session a: Run x?']);
  });

  test('answered in time is not told', () => {
    asks(A, 'x');
    settles(A, 'x');
    clock.advance(millis(60_000));
    expect(bodies()).toEqual([]);
  });

  test('is not told when the person has come back', () => {
    asks(A, 'x');
    focus(true);
    clock.advance(millis(60_000));
    expect(bodies()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('leads to its card when the notification is chosen', () => {
    asks(A, 'x');
    clock.advance(millis(2_000));
    attention.notes[0]?.onClick();
    expect(shown).toEqual([[A, 'ask-x']]);
  });

  test('is not told where nothing is to be told', () => {
    choice = 'off';
    asks(A, 'x');
    clock.advance(millis(60_000));
    expect(bodies()).toEqual([]);
  });
});

describe('a question that came up before the person’s eyes', () => {
  test('is told when it waits for 30 s and they have gone', () => {
    focus(true);
    asks(A, 'x');
    focus(false);
    clock.advance(millis(29_999));
    expect(bodies()).toEqual([]);
    clock.advance(millis(1));
    expect(bodies()).toHaveLength(1);
  });

  test('is told at once when they go after that', () => {
    focus(true);
    asks(A, 'x');
    clock.advance(millis(40_000));
    expect(bodies()).toEqual([]);
    focus(false);
    clock.advance(millis(0));
    expect(bodies()).toHaveLength(1);
  });
});

describe('the end of a turn', () => {
  test('is told without a sound, and leads to the session', () => {
    turnEnds('completed');
    expect(attention.notes).toMatchObject([{ title: 'Session a', body: 'The turn has ended.', quiet: true }]);
    attention.notes[0]?.onClick();
    expect(shown).toEqual([[A, undefined]]);
    turnEnds('error');
    expect(bodies().at(-1)).toContain('ended with an error');
  });

  test('is not told to somebody who sees it, has stopped it, or wants to hear of questions only', () => {
    turnEnds('interrupted');
    turnEnds('rejected');
    turnEnds('completed', 'agent-1' as AgentId);
    focus(true);
    turnEnds('completed');
    focus(false);
    choice = 'questions';
    turnEnds('completed');
    expect(bodies()).toEqual([]);
    asks(A, 'x');
    clock.advance(millis(2_000));
    expect(bodies()).toHaveLength(1);
  });
});
