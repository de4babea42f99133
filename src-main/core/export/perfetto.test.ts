import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportPerfetto } from './perfetto.ts';
import { perfettoJson } from './perfetto-json.ts';
import { parseLikePerfetto } from './perfetto-parser.fixture.ts';
import { inputOf, recording, recordings, textOf } from './sessions.fixture.ts';
import { nested, packed, type Slice } from './slices.ts';
import { readTrace } from './trace-reader.fixture.ts';

test.each(recordings)('the trace of %s has no fault, and a bar for every call that ran', async (name) => {
  const input = await recording(name);
  const { slices, faults } = readTrace(textOf(exportPerfetto(input)));
  expect(faults).toEqual([]);
  const ran = input.state.calls.filter((call) => call.phase !== 'queued' && call.run !== undefined);
  const bars = slices.filter(({ cat }) => cat.startsWith('call'));
  expect(bars.map(({ args }) => args.id).sort()).toEqual(ran.map(({ callId }) => callId).sort());
  for (const call of ran) {
    const isInferred = call.phase !== 'queued' && call.run?.timing.certainty === 'inferred';
    const bar = bars.find(({ args }) => args.id === call.callId);
    if (isInferred)
      expect({ cat: bar?.cat, args: bar?.args }).toMatchObject({
        cat: expect.stringContaining('inferred'),
        args: { startInferred: {} },
      });
  }
});

test('a cascade is an arrow from the culprit to each victim', async () => {
  const input = await recording('cascade-stream');
  const { traceEvents, slices, threads } = readTrace(textOf(exportPerfetto(input)));
  const arrows = traceEvents.filter((event) => event.ph === 's' && event.name === 'cascade');
  const victims = input.state.calls.filter((call) => call.cancellation?.reason === 'sibling_error');
  expect(victims.length).toBeGreaterThan(0);
  expect(arrows).toHaveLength(victims.length);
  expect([...threads.values()]).toContain('main agent · lane 1');
  expect(slices.every(({ args }) => !('anchor' in args))).toBe(true);
});

test('a sub-agent has lanes of its own, and an arrow from its call', async () => {
  const { traceEvents, threads } = readTrace(textOf(exportPerfetto(await recording('agents-stream'))));
  expect(traceEvents.some((event) => event.ph === 's' && event.name === 'sub-agent')).toBe(true);
  expect([...threads.values()].some((name) => !name.startsWith('main agent') && name.endsWith('lane 1'))).toBe(true);
});

test('a stretch holds what lies in it', async () => {
  const input = await recording('mixed-stream');
  const middle = input.state.now / 2;
  const whole = readTrace(textOf(exportPerfetto(input)));
  const part = readTrace(textOf(exportPerfetto({ ...input, stretch: { from: 0, until: middle } })));
  expect(part.faults).toEqual([]);
  expect(part.slices.length).toBeLessThan(whole.slices.length);
  expect(part.slices.every(({ ts }) => ts <= middle * 1000)).toBe(true);
});

test.each(recordings)('the texts of %s come back from the trace as they were', async (name) => {
  const text = textOf(exportPerfetto(await recording(name)));
  expect(parseLikePerfetto(text)).toEqual(JSON.parse(text));
});

const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD');

test('a trace is read whole whatever stands in its texts (seed 23)', () => {
  const hard = fc.constantFrom(
    '\\',
    '"',
    '\\"',
    '\\\\',
    '\ud83d',
    '\ude00',
    '\u{1f600}',
    '\n',
    '\u001b[31m',
    '\0',
    'é',
    '\\ud83d',
    'a',
  );
  const text = fc.array(hard, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }), text, (args, name) => {
      const written = perfettoJson({ ph: 'X', name, args });
      const read = parseLikePerfetto(written) as { name: string; args: Record<string, string> };
      expect(read).toEqual(JSON.parse(written));
      expect(read.name).toBe(wellFormed(name));
      expect(Object.values(read.args)).toHaveLength(new Set(Object.keys(args).map(wellFormed)).size);
    }),
    { seed: 23, numRuns: 2_000 },
  );
});

test('a session without events is a trace', () => {
  expect(readTrace(textOf(exportPerfetto(inputOf([])))).faults).toEqual([]);
});

describe('slices', () => {
  const any = fc
    .tuple(fc.nat(50), fc.nat(20))
    .map(
      ([from, length]): Slice => ({ name: 's', category: '', from, until: from + length, args: () => ({}), parts: [] }),
    );

  test('on one line never overlap, and need as few lines as overlap at once (seed 11)', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (slices) => {
        const lines = packed(slices);
        expect(lines.flat()).toHaveLength(slices.length);
        const end = ({ from, until }: Slice) => Math.max(until, from + 1);
        for (const line of lines) {
          for (const [n, one] of line.slice(1).entries())
            expect(one.from).toBeGreaterThanOrEqual(end(line[n] as Slice));
        }
        const most = Math.max(
          0,
          ...slices.map((a) => slices.filter((b) => b.from <= a.from && end(b) > a.from).length),
        );
        expect(lines).toHaveLength(most);
      }),
      { seed: 11 },
    );
  });

  test('hold parts inside of themselves only', () => {
    const part = (from: number, until: number) => ({ name: 'p', category: '', from, until, args: () => ({}) });
    const slice = nested({
      name: 's',
      category: '',
      from: 10,
      until: 20,
      args: () => ({}),
      parts: [part(5, 12), part(11, 15), part(18, 30), part(40, 50)],
    });
    expect(slice.parts.map(({ from, until }) => [from, until])).toEqual([
      [10, 12],
      [12, 15],
      [18, 20],
    ]);
  });
});
