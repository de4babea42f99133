import { describe, expect, test } from 'vitest';
import { instant, sessionTime } from '../units.ts';
import type { SessionEvent } from './event.ts';
import { JOURNAL_VERSION, parseLine, toLine } from './stored-line.ts';

const notice: SessionEvent = {
  type: 'notice-given',
  level: 'info',
  text: 'Line one\nline two \u2028 “quoted” 🙂 \ud800',
  seq: 3,
  at: instant(1_763_000_000_000.25),
  t: sessionTime(12.345),
};

test('an event is one line that begins with its version, and comes back as it was', () => {
  const line = toLine(notice);
  expect(line.startsWith(`{"v":${JOURNAL_VERSION},`)).toBe(true);
  expect(line).not.toContain('\n');
  expect(parseLine(line)).toEqual({ ok: true, value: notice });
});

test('facts that this version does not know are left out, so that a line of a later minor change is readable', () => {
  const line = toLine({ ...notice, later: true } as SessionEvent);
  expect(parseLine(line)).toEqual({ ok: true, value: notice });
});

test('a classifier’s word of a journal that tells no tokens is read as it was written', () => {
  const old = { type: 'classifier-ended', callId: 'a', name: 'rules', verdict: 'ask', reason: 'x', ms: 1 };
  const line = JSON.stringify({ v: JOURNAL_VERSION, seq: 0, at: 0, t: 0, ...old });
  expect(parseLine(line)).toEqual({ ok: true, value: { seq: 0, at: 0, t: 0, ...old } });
});

test('a call without an input keeps having none', () => {
  const queued = {
    type: 'call-queued',
    callId: 'a',
    agentId: 'main',
    messageId: 'm',
    index: 0,
    tool: 'Read',
    input: undefined,
    summary: '',
    safety: { safe: true, because: 'declared-safe' },
    seq: 0,
    at: 0,
    t: 0,
  } as unknown as SessionEvent;
  expect(parseLine(toLine(queued))).toEqual({ ok: true, value: queued });
});

describe('a line that cannot be read says why in one sentence', () => {
  const errorOf = (text: string) => {
    const parsed = parseLine(text);
    return parsed.ok ? undefined : parsed.error;
  };

  test.each([
    ['', 'is not JSON'],
    [toLine(notice).slice(0, -5), 'is not JSON'],
    ['not json', 'is not JSON'],
    ['null', 'has no version number `v`'],
    ['[]', 'has no version number `v`'],
    ['"text"', 'has no version number `v`'],
    ['7', 'has no version number `v`'],
    ['{}', 'has no version number `v`'],
    ['{"v":"1"}', 'has no version number `v`'],
    ['{"v":0}', 'has no version number `v`'],
    ['{"v":1.5}', 'has no version number `v`'],
    [JSON.stringify({ ...notice, v: 99 }), 'was written by a newer Gantry (format 99)'],
  ])('%j %s', (text, error) => {
    expect(errorOf(text)).toBe(error);
  });

  test('an unknown type, a missing fact and a wrong one are named', () => {
    expect(errorOf('{"v":1,"type":"teleported","seq":0,"at":0,"t":0}')).toMatch(/^is not an event: type/);
    expect(errorOf('{"v":1,"type":"notice-given","seq":0,"at":0,"t":0,"level":"info"}')).toMatch(
      /^is not an event: text/,
    );
    expect(errorOf('{"v":1,"type":"notice-given","seq":-1,"at":0,"t":0,"level":"info","text":""}')).toMatch(/seq/);
  });

  test('what JSON can hold but nobody meant does no harm', () => {
    expect(errorOf('{"v":1,"__proto__":{"type":"notice-given"}}')).toMatch(/^is not an event/);
    expect(errorOf('{"v":1,"type":"__proto__"}')).toMatch(/^is not an event/);
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});
