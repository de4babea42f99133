import { describe, expect, test } from 'vitest';
import { callById } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { instant, sessionTime } from '../units.ts';
import { type ScriptedCall, SessionScript } from './session-script.ts';
import {
  callLabel,
  callName,
  callSentence,
  formatBytes,
  formatCount,
  formatMillis,
  formatMoment,
  formatWallTime,
  inferredWords,
  listNames,
  outcomeWords,
  whyItWaited,
} from './words.ts';

const sessionOf = (...calls: readonly ScriptedCall[]) => {
  const script = new SessionScript();
  for (const call of calls) script.call(call);
  return script.state();
};
const find = (state: ReturnType<typeof sessionOf>, id: string): ToolCall => callById(state, id as never) as ToolCall;

describe('numbers', () => {
  test.each([
    [0, '0 ms'],
    [12.4, '12 ms'],
    [99.4, '99 ms'],
    [99.5, '0.1 s'],
    [800, '0.8 s'],
    [59_949, '59.9 s'],
    [59_960, '1:00'],
    [64_000, '1:04'],
    [3_723_000, '1:02:03'],
  ])('%d ms is written %s', (ms, text) => expect(formatMillis(ms)).toBe(text));

  test.each([
    [15_200, '15.20 s'],
    [233_900, '3:53.9'],
    [59_996, '1:00.0'],
  ])('the moment %d is written %s', (t, text) => expect(formatMoment(t)).toBe(text));

  test.each([
    [18, '18 B'],
    [2048, '2 KB'],
    [2970, '2.9 KB'],
    [1_258_291, '1.2 MB'],
    [1_048_570, '1 MB'],
  ])('%d bytes are written %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  test('thousands have commas, times of day two digits', () => {
    expect(formatCount(1_000_000)).toBe('1,000,000');
    expect(formatWallTime(instant(new Date(2025, 10, 18, 9, 5, 3).getTime()))).toBe('09:05:03');
  });
});

describe('names', () => {
  test('files go by their base name, commands by their first line, MCP tools by server and tool', () => {
    expect(callLabel({ tool: 'Edit', summary: 'src/lib/price.ts' })).toEqual({ tool: 'Edit', argument: 'price.ts' });
    expect(callLabel({ tool: 'Read', summary: '/a/b/' })).toEqual({ tool: 'Read', argument: 'b/' });
    expect(callLabel({ tool: 'Bash', summary: 'npm test\n# all' })).toEqual({ tool: 'Bash', argument: 'npm test' });
    expect(callLabel({ tool: 'mcp__linear__list_issues', summary: '{}' })).toEqual({
      tool: 'linear',
      argument: 'list_issues',
    });
    expect(callName({ tool: 'Bash', summary: 'x'.repeat(60) })).toBe(`Bash(${'x'.repeat(39)}…)`);
    expect(callName({ tool: 'ListFiles', summary: '' })).toBe('ListFiles');
  });

  test('long lists are counted', () => {
    expect(listNames(['a', 'b', 'c'])).toBe('a, b and c');
    expect(listNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b and 3 more');
  });
});

describe('why it waited', () => {
  test('names the holders of the shared lock', () => {
    const state = sessionOf(
      { id: 'r', tool: 'Read', summary: 'README.md', queued: 0, start: 0, lane: 0, end: 800 },
      { id: 'g', tool: 'Grep', summary: 'TODO', queued: 0, start: 0, lane: 1, end: 900 },
      {
        id: 'e',
        tool: 'Edit',
        summary: 'src/price.ts',
        safe: false,
        queued: 100,
        waits: [
          { why: 'lock', by: ['r', 'g'], at: 100 },
          { why: 'lock', by: ['g'], at: 800 },
        ],
        start: 900,
        end: 1000,
      },
    );
    expect(whyItWaited(state, find(state, 'e'))).toBe(
      'Edit(price.ts) waited 0.8 s: Read(README.md) and Grep(TODO) held the shared lock',
    );
    expect(whyItWaited(state, find(state, 'r'))).toBe('Read(README.md) did not wait');
  });

  test('speaks in the present of a call that still waits, and names an exclusive holder', () => {
    const state = sessionOf(
      { id: 'e', tool: 'Edit', summary: 'a.ts', safe: false, queued: 0, start: 0 },
      { id: 'r', tool: 'Read', summary: 'b.ts', queued: 200, waits: [{ why: 'lock', by: ['e'], at: 200 }] },
    );
    expect(whyItWaited(state, find(state, 'r'), sessionTime(1500))).toBe(
      'Read(b.ts) has waited 1.3 s: Edit(a.ts) holds the exclusive lock',
    );
  });

  test('tells several reasons with their times, longest first', () => {
    const state = sessionOf(
      { id: 'a', tool: 'Read', summary: 'a', queued: 0, start: 0, end: 900 },
      {
        id: 'b',
        tool: 'Read',
        summary: 'b',
        queued: 0,
        waits: [
          { why: 'no-lane', at: 0 },
          { why: 'order', by: ['a'], at: 300 },
        ],
        start: 1000,
        end: 1100,
      },
    );
    expect(whyItWaited(state, find(state, 'b'))).toBe(
      'Read(b) waited 1.0 s: 0.7 s as Read(a) went first, 0.3 s as no lane was free',
    );
  });

  test('says so when the file does not tell why', () => {
    const state = sessionOf({ id: 'b', tool: 'Read', summary: 'b', queued: 0, start: 1000, end: 1100 });
    expect(whyItWaited(state, find(state, 'b'))).toBe('Read(b) waited 1.0 s, the reason is not recorded');
  });
});

describe('the accessible name', () => {
  test('goes through the life of a call', () => {
    const state = sessionOf(
      { id: 'x', tool: 'Agent', summary: 'Who else rounds prices?', queued: 0, start: 0, end: 5200 },
      {
        id: 'e',
        tool: 'Edit',
        summary: 'src/price.ts',
        safe: false,
        queued: 0,
        waits: [{ why: 'lock', by: ['x'], at: 0 }],
        start: 5200,
        lane: 0,
        stages: [['hooks-before', 5200, 5500]],
        end: 5700,
      },
    );
    expect(callSentence(state, find(state, 'e'))).toBe(
      'Edit price.ts, lane 1, waited 5.2 s for Agent, hooks 0.3 s, ran 0.2 s, ok, 2 of 2',
    );
  });

  test('is the same at every moment of a run, and says what a queued call waits for', () => {
    const state = sessionOf(
      { id: 'a', tool: 'Bash', summary: 'npm test', queued: 0, start: 0 },
      { id: 'b', tool: 'Edit', summary: 'a.ts', queued: 0, waits: [{ why: 'lock', by: ['a'], at: 0 }] },
      { id: 'c', tool: 'Read', summary: 'a.ts', queued: 0, waits: [{ why: 'no-lane', at: 0 }] },
    );
    expect(callSentence(state, find(state, 'a'), sessionTime(10))).toBe('Bash npm test, lane 1, running, 1 of 3');
    expect(callSentence(state, find(state, 'a'), sessionTime(9999))).toBe('Bash npm test, lane 1, running, 1 of 3');
    expect(callSentence(state, find(state, 'b'))).toBe('Edit a.ts, waits for Bash, 2 of 3');
    expect(callSentence(state, find(state, 'c'))).toBe('Read a.ts, no lane free, 3 of 3');
  });

  test('tells how a call that never started ended', () => {
    const state = sessionOf(
      {
        id: 'a',
        tool: 'Bash',
        summary: 'npm test',
        queued: 0,
        start: 0,
        end: 1000,
        outcome: 'error',
        exit: { code: 1 },
      },
      {
        id: 'b',
        tool: 'Edit',
        summary: 'a.ts',
        queued: 0,
        waits: [{ why: 'lock', by: ['a'], at: 0 }],
        cancelled: { at: 1000, reason: 'sibling_error', culprit: 'a' },
        end: 1000,
        outcome: 'cancelled',
      },
    );
    expect(callSentence(state, find(state, 'b'))).toBe(
      'Edit a.ts, waited 1.0 s for Bash, cancelled before start, 2 of 2',
    );
    expect(outcomeWords(find(state, 'a'))).toBe('error, exit 1');
  });
});

test('an inferred start says between what and from where', () => {
  const timing = {
    certainty: 'inferred',
    source: 'block-time',
    earliest: sessionTime(12_400),
    latest: sessionTime(14_100),
  } as const;
  expect(inferredWords('start', timing)).toBe('start: not recorded, between 12.4 s and 14.1 s, from block time');
  expect(inferredWords('end', { certainty: 'measured' })).toBeUndefined();
});
