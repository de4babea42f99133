import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bigSession } from '../../src-renderer/timeline/samples/big.ts';
import { cascadesSession, crowdedSession, idleSession } from '../../src-renderer/timeline/samples/oddities.ts';
import { PERMISSIONS_NOW, permissionSession } from '../../src-renderer/timeline/samples/permissions.ts';
import { ROUNDING_NOW, roundingSession } from '../../src-renderer/timeline/samples/rounding.ts';
import type { CallSet } from '../filter/matching.ts';
import type { MessageId } from '../ids.ts';
import { timeAxis } from '../timeline/axis.ts';
import { buildTimeline } from '../timeline/model.ts';
import { type ScriptedCall, SessionScript } from '../timeline/session-script.ts';
import { sessionTime } from '../units.ts';
import type { Op } from './display-list.ts';
import { FONTS, measureWith } from './fonts.ts';
import { type LayoutInput, layout } from './layout.ts';
import { DETAIL, metricsOf } from './metrics.ts';
import { rowsOf } from './rows.ts';
import { fitStretch } from './viewport.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

/** Every character is 6 px wide: numbers a reader can check. */
const measure = measureWith(() => 6);
const WIDTH = 1000;

type View = Partial<Pick<LayoutInput, 'dpr' | 'selected' | 'hovered' | 'measured' | 'hasFocus' | 'clock'>> & {
  readonly scale?: number;
  readonly offset?: number;
  readonly scrollY?: number;
  readonly width?: number;
  readonly now?: number;
  readonly collapsed?: readonly string[];
  readonly focused?: boolean;
};

function inputOf(script: SessionScript, view: View = {}): LayoutInput {
  const state = script.state();
  const now = sessionTime(view.now ?? state.now);
  const model = buildTimeline(state, { now, collapsedAgents: (view.collapsed ?? []) as never });
  const rows = rowsOf(model, metricsOf('normal'));
  const { scale = 1, offset = 0, scrollY = 0, width = WIDTH } = view;
  return {
    model,
    rows,
    view: { width, height: 600, scale, offset, scrollY },
    axis: timeAxis(model.folds),
    now,
    showNow: !model.isOver,
    dpr: view.dpr ?? 1,
    measure,
    selected: view.selected,
    hovered: view.hovered,
    hasFocus: view.hasFocus ?? false,
    focused: view.focused === true ? model.cascades[0] : undefined,
    measured: view.measured,
    clock: view.clock ?? 'from-start',
  };
}

const one = (call: Partial<ScriptedCall>): SessionScript =>
  new SessionScript().call({
    id: 'a',
    tool: 'Bash',
    summary: 'npm run lint',
    queued: 100,
    start: 100,
    lane: 0,
    ...call,
  });

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;
const only = <K extends Op['op']>(ops: readonly Op[], kind: K): OpOf<K>[] =>
  ops.filter((op): op is OpOf<K> => op.op === kind);
const texts = (ops: readonly Op[]): string[] => only(ops, 'text').map((op) => op.text);
const rowsIn = (script: SessionScript, view: View = {}): readonly Op[] => layout(inputOf(script, view)).rows;

/** The rectangle a text covers: its width, and the height of its capitals. */
function boxOf({ text, font, x, y, align }: OpOf<'text'>): { x0: number; x1: number; y0: number; y1: number } {
  const w = measure(text, font);
  const x0 = align === 'left' ? x : align === 'center' ? x - w / 2 : x - w;
  const half = FONTS[font].size * 0.37;
  return { x0, x1: x0 + w, y0: y - half, y1: y + half };
}

describe('a bar at several widths (design 4)', () => {
  const shown = (width: number): string[] =>
    texts(rowsIn(one({ end: 100 + width }))).filter((text) => !text.startsWith('safe'));

  test('from 120 px on it says tool and argument', () => expect(shown(160)).toEqual(['Bash ', 'npm run lint']));
  test('below it says the argument alone, cut', () => expect(shown(80)).toEqual(['npm run…']));
  test('below 44 px the name stands outside', () => expect(shown(30)).toEqual(['Bash npm run lint']));
  test('under 5 px it is a block and has no name', () => {
    const ops = rowsIn(one({ end: 103 }));
    expect(texts(ops)).toEqual([]);
    expect(only(ops, 'blocks').map((op) => [op.ink, ...op.rects.slice(0, 1), op.rects[2]])).toContainEqual([
      'work.edge',
      100,
      3,
    ]);
  });

  test('an error keeps its sign from 12 px on and its colour at any width', () => {
    const error = (width: number) => rowsIn(one({ end: 100 + width, outcome: 'error' }));
    expect(only(error(60), 'icon').map((op) => op.icon)).toContain('cross');
    expect(only(error(14), 'icon').map((op) => op.icon)).toEqual(['cross']);
    expect(only(error(2), 'blocks').map((op) => op.ink)).toContain('outcome.error.edge');
  });
});

describe('merged pixel columns', () => {
  const dense = (bad: readonly number[]): SessionScript => {
    const script = new SessionScript();
    for (let i = 0; i < 200; i++) {
      script.call({
        id: `c${i}`,
        tool: 'Read',
        queued: i * 100,
        start: i * 100,
        lane: 0,
        end: i * 100 + 50,
        outcome: bad.includes(i) ? 'error' : 'ok',
      });
    }
    return script.at(20_000, { type: 'session-ended', reason: 'closed' });
  };

  test('bars closer than 1.5 px become blocks as high as their share of the time', () => {
    const blocks = only(rowsIn(dense([]), { scale: 0.001 }), 'blocks').filter((op) => op.ink === 'work.edge');
    const rects = blocks.flatMap((op) => op.rects);
    expect(rects.length / 4).toBeLessThan(20);
    // Half of every cell is busy, so blocks are half a bar high.
    expect(rects[3]).toBe(9);
  });

  test('one error among hundreds keeps its colour, at least 2 px wide and above the others', () => {
    const ops = only(rowsIn(dense([77]), { scale: 0.001 }), 'blocks');
    const error = ops.findIndex((op) => op.ink === 'outcome.error.edge');
    expect(ops[error]?.rects[2]).toBeGreaterThanOrEqual(2);
    expect(error).toBeGreaterThan(ops.findIndex((op) => op.ink === 'work.edge'));
  });

  test('panning moves the blocks and does not change them', () => {
    const script = new SessionScript();
    for (let i = 0; i < 600; i++) {
      script.call({
        id: `c${i}`,
        tool: 'Read',
        queued: i * 100,
        start: i * 100,
        lane: 0,
        end: i * 100 + ((i * 37) % 95),
      });
    }
    /** Blocks by their place in the session, without those at the left edge, of which one picture shows more. */
    const blocks = (offset: number): string[] =>
      only(rowsIn(script, { scale: 0.006, offset, width: 400 }), 'blocks')
        .flatMap(({ rects }) =>
          Array.from({ length: rects.length / 4 }, (_, i) => [
            rects[i * 4]! + offset,
            rects[i * 4 + 2]!,
            rects[i * 4 + 3]!,
          ]),
        )
        .filter(([x]) => x! > 40 && x! < 340)
        .map((rect) => rect.map((n) => n.toFixed(3)).join(' '));
    expect(blocks(0).length).toBeGreaterThan(50);
    for (const offset of [1, 7, 20]) expect(blocks(offset)).toEqual(blocks(0));
  });
});

test('ten times the calls cost no more strokes than the screen has columns', () => {
  for (const count of [10_000, 100_000]) {
    const state = bigSession(count);
    const model = buildTimeline(state, { now: state.now, collapsedAgents: [] });
    const input = {
      ...inputOf(new SessionScript()),
      model,
      rows: rowsOf(model, metricsOf('normal')),
      now: state.now,
      showNow: false,
    };
    const strokes = (scale: number): number =>
      layout({ ...input, view: { ...input.view, scale } }).rows.reduce(
        (sum, op) => sum + (op.op === 'blocks' ? op.rects.length / 4 : 1),
        0,
      );
    // Ten lanes and four queue lines of cells 1.5 px wide.
    expect(strokes(900 / state.now)).toBeLessThan((14 * WIDTH) / 1.5);
    for (const scale of [0.01, 0.1, 1]) expect(strokes(scale)).toBeLessThan(4000);
  }
});

describe('frames', () => {
  const frame = (kind: 'safe' | 'exclusive', until: number | undefined, width = 200): SessionScript => {
    const script = new SessionScript().batch('b', kind, 100, until);
    const ends = until === undefined ? {} : { end: 100 + width, yielded: 100 + width };
    script.call({ id: 'a', tool: 'Read', summary: 'a.ts', queued: 100, start: 100, lane: 0, batch: 'b', ...ends });
    if (kind === 'safe')
      script.call({ id: 'b', tool: 'Read', summary: 'b.ts', queued: 110, start: 110, lane: 1, batch: 'b', ...ends });
    return script;
  };

  test('a safe frame is round and counts its calls, an exclusive one is square with a lock', () => {
    expect(texts(rowsIn(frame('safe', 300)))).toContain('safe ×2');
    const exclusive = rowsIn(frame('exclusive', 300));
    expect(texts(exclusive)).toContain('exclusive');
    expect(only(exclusive, 'icon').map((op) => op.icon)).toContain('lock');
  });

  test('too narrow for its label, an exclusive frame keeps the lock and a safe one says nothing', () => {
    const exclusive = rowsIn(frame('exclusive', 130, 30));
    expect(texts(exclusive)).not.toContain('exclusive');
    expect(only(exclusive, 'icon').map((op) => op.icon)).toContain('lock');
    expect(texts(rowsIn(frame('safe', 130, 30)))).not.toContain('safe ×2');
  });

  test('a thrown away attempt has one frame, also when its batch is told to have ended a moment later', () => {
    const call = (id: string, lane: number): ScriptedCall => ({
      ...{ id, tool: 'Read', message: 'm-r', queued: 10, start: 20 + lane, lane, batch: 'b', end: 400, yielded: 400 },
    });
    const script = new SessionScript()
      .request('r', 0, [10], 410, { failed: 'It broke off.' })
      .batch('b', 'safe', 20, 405)
      .call(call('a', 0))
      .call(call('c', 1))
      .at(390, { type: 'attempt-discarded', messageId: 'm-r' as MessageId });
    expect(texts(rowsIn(script)).filter((text) => /attempt|safe/.test(text))).toEqual(['discarded attempt']);
  });

  test('while a batch may grow its frame has no right side', () => {
    const lines = only(rowsIn(frame('safe', undefined), { now: 300 }), 'line').filter(
      (op) => op.ink === 'lane.frame.safe',
    );
    const [points] = lines.map((op) => op.points);
    expect(points?.[0]).toBe(points?.[6]);
    expect(points?.[0]).toBeGreaterThan(300);
  });
});

describe('cascades', () => {
  test('one trunk, a head for each victim, and the pill over it', () => {
    const scene = layout(inputOf(cascadesSession(), { scale: 0.2 }));
    expect(scene.pills).toHaveLength(3);
    expect(texts(scene.rows)).toContain('2 cancelled · 2.2 s lost');
    const heads = only(scene.rows, 'polygon').filter(
      (op) => op.fill === 'outcome.error.edge' && op.points.length === 6,
    );
    // 2 + 5 victims; of the twelve, the seven that have a row.
    expect(heads).toHaveLength(2 + 5 + 7);
  });

  test('pills never cover each other, and each lies over its own trunk', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.005, max: 0.4, noNaN: true }),
        fc.integer({ min: -200, max: 600 }),
        (scale, offset) => {
          const { pills } = layout(inputOf(cascadesSession(), { scale, offset }));
          for (const [i, a] of pills.entries()) {
            expect(a.x).toBeGreaterThanOrEqual(0);
            expect(a.x + a.w).toBeLessThanOrEqual(WIDTH);
            for (const b of pills.slice(i + 1)) expect(a.x + a.w <= b.x || b.x + b.w <= a.x).toBe(true);
          }
        },
      ),
      { examples: [[0.16848184818481846, -200]] },
    );
  });

  test('a chosen cascade dims all but its own calls', () => {
    const ops = rowsIn(cascadesSession(), { scale: 0.2, focused: true });
    const alpha = (text: string): number | undefined => only(ops, 'text').find((op) => op.text.includes(text))?.alpha;
    expect(alpha('npm run lint')).toBe(1);
    expect(alpha('npm run types')).toBe(0.28);
  });

  test('what does not fit the filter is dimmed, what holds the searched text is ringed', () => {
    const input = inputOf(cascadesSession(), { scale: 0.2 });
    const at = input.model.state.calls.findIndex(({ summary }) => summary === 'npm run lint');
    const only1 = { has: (index: number) => index === at, size: 1 };
    const ops = layout({ ...input, matching: only1, found: only1 }).rows;
    const alpha = (text: string): number | undefined => only(ops, 'text').find((op) => op.text.includes(text))?.alpha;
    expect([alpha('npm run lint'), alpha('npm run types')]).toEqual([1, 0.28]);
    expect(only(ops, 'stroke').filter((op) => op.ink === 'focus.ring')).toHaveLength(1);
  });

  test('where bars are merged, one that fits keeps its block, and one that is found is marked', () => {
    const input = inputOf({ state: () => bigSession(2_000) } as SessionScript, { scale: 0.0004 });
    const blocksOf = (set: CallSet) =>
      layout({ ...input, matching: set, found: set }).rows.filter((op) => op.op === 'blocks' && op.alpha === 1);
    const none = { has: () => false, size: 0 };
    const one = { has: (index: number) => index === 700, size: 1 };
    expect(blocksOf(one).length - blocksOf(none).length).toBe(1);
    expect(only(layout({ ...input, found: one }).rows, 'fill').filter((op) => op.ink === 'focus.ring')).toHaveLength(1);
  });
});

describe('the queue', () => {
  test('a call that never started ends in a diamond and has no bar', () => {
    const ops = rowsIn(
      new SessionScript().call({
        id: 'a',
        tool: 'Edit',
        summary: 'a.ts',
        queued: 100,
        waits: [{ why: 'lock', at: 100 }],
        end: 300,
        outcome: 'cancelled',
      }),
    );
    expect(only(ops, 'polygon').map((op) => op.stroke)).toEqual(['outcome.error.edge']);
    expect(texts(ops)).toEqual(['Edit a.ts']);
  });

  test('a line leads from the end of a wait down to the bar it became', () => {
    const input = inputOf(one({ queued: 100, waits: [{ why: 'lock', at: 100 }], start: 300, end: 500 }));
    const drop = only(layout(input).rows, 'line').find((op) => op.ink === 'wait.lock.edge');
    expect(drop?.points[0]).toBe(drop?.points[2]);
    expect(drop?.points[0]).toBeCloseTo(300, -0.5);
  });

  test('what finds no line is counted', () => {
    expect(texts(rowsIn(crowdedSession(), { scale: 0.1 }))).toContain('+22 more');
  });
});

test('an open question has the number of its card', () => {
  const view = { scale: 0.05, offset: 11_500, now: PERMISSIONS_NOW };
  for (const collapsed of [[], ['ci', 'packages', 'tickets']]) {
    const numbers = only(rowsIn(permissionSession(), { ...view, collapsed }), 'text').filter(
      (op) => op.align === 'center' && /^\d$/.test(op.text),
    );
    expect(numbers.map((op) => op.text).sort()).toEqual(['1', '2', '3']);
  }
});

describe('the ruler', () => {
  const ruler = (view: View): string[] =>
    texts(layout(inputOf(one({ end: 400_000 }), view)).fixed).filter((text) => /\d/.test(text));

  test('labels are as exact as the zoom asks, and a stop-watch from a minute on', () => {
    expect(ruler({ scale: 0.0341 }).slice(0, 3)).toEqual(['0 s', '2 s', '4 s']);
    expect(ruler({ scale: 0.5 }).slice(0, 3)).toEqual(['0 s', '0.2 s', '0.4 s']);
    expect(ruler({ scale: 0.0341, offset: 230_000 * 0.0341 })[0]).toBe('3:50');
  });

  test('nothing comes within 38 px of now', () => {
    const scene = layout(inputOf(one({}), { scale: 0.05, now: 10_100 }));
    const now = 505;
    for (const op of only(scene.fixed, 'text')) {
      const { x0, x1 } = boxOf(op);
      expect(x1 <= now - 38 || x0 >= now + 38).toBe(true);
    }
  });

  test('a file without times says so', () => {
    const script = new SessionScript({
      origin: { kind: 'imported', format: 'x', path: '/x', clock: 'order-only' },
    }).call({ id: 'a', tool: 'Read', queued: 0, start: 0, end: 100 });
    expect(texts(layout(inputOf(script)).fixed)).toEqual(['order of events, no times']);
  });
});

/** Sessions as they come: lanes without overlaps, some waits, every ending, frames, questions, cascades. */
const anySession = fc
  .array(
    fc.record({
      lane: fc.integer({ min: 0, max: 3 }),
      gap: fc.integer({ min: 0, max: 400 }),
      wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
      length: fc.integer({ min: 0, max: 1500 }),
      asks: fc.boolean(),
      outcome: fc.constantFrom(
        'ok',
        'ok',
        'error',
        'cancelled',
        'interrupted',
        'rejected',
        'discarded',
        'unknown',
        'open',
      ),
      tool: fc.constantFrom('Bash', 'Read', 'Edit', 'mcp__linear__list_issues'),
      summary: fc.constantFrom('npm run lint -- --fix', 'src/deep/price.test.ts', '', 'x'),
      saved: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((calls) => {
    const script = new SessionScript().turn('t', 0).request('r', 0, [50, 90], 200);
    const free = [100, 100, 100, 100];
    for (const [i, c] of calls.entries()) {
      const start = free[c.lane]! + c.gap;
      const isLast = !calls.slice(i + 1).some((later) => later.lane === c.lane);
      const isOpen = c.outcome === 'open' && isLast;
      const end = start + c.length;
      free[c.lane] = end;
      script.call({
        id: `c${i}`,
        tool: c.tool,
        summary: c.summary,
        message: `m${i % 3}`,
        queued: start - Math.min(c.wait, start),
        ...(c.wait > 0 ? { waits: [{ why: 'lock' as const, at: start - Math.min(c.wait, start) }] } : {}),
        start,
        lane: c.lane,
        batch: `b${c.lane}`,
        ...(c.asks && c.length > 10 ? { ask: [start + 2, start + c.length / 2] as const } : {}),
        ...(c.saved ? { savedBytes: 1 } : {}),
        ...(isOpen ? {} : { end, outcome: c.outcome === 'open' ? 'ok' : c.outcome, yielded: end + 10 }),
        ...(c.outcome === 'cancelled'
          ? { cancelled: { at: end, reason: 'sibling_error' as const, culprit: 'c0' } }
          : {}),
      });
    }
    return script
      .batch('b0', 'safe', 100, 5000)
      .hook('h', 'c0', '/hooks/guard.sh', 150, 400)
      .hook('h2', 'c0', '/hooks/format.sh', 420, 430);
  });

const anyView = fc.record({
  scale: fc.double({ min: 0.01, max: 1.2, noNaN: true }),
  offset: fc.integer({ min: -100, max: 1500 }),
  width: fc.integer({ min: 300, max: 1400 }),
  dpr: fc.constantFrom(1, 1.5, 2),
});

const overlap = (a: OpOf<'text'>, b: OpOf<'text'>): boolean => {
  const p = boxOf(a);
  const q = boxOf(b);
  return p.x0 < q.x1 - 0.5 && q.x0 < p.x1 - 0.5 && p.y0 < q.y1 - 0.5 && q.y0 < p.y1 - 0.5;
};

test('no two labels ever overlap, whatever the session and the view', () => {
  fc.assert(
    fc.property(anySession, anyView, (script, view) => {
      const scene = layout(inputOf(script, { ...view, now: script.state().now + 100 }));
      for (const ops of [scene.rows, scene.fixed]) {
        const labels = only(ops, 'text');
        for (const [i, a] of labels.entries()) {
          for (const b of labels.slice(i + 1))
            if (overlap(a, b)) expect.fail(`"${a.text}" at ${a.x},${a.y} overlaps "${b.text}" at ${b.x},${b.y}`);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('no label leaves the canvas on the right, and none lies under the head of an arrow', () => {
  fc.assert(
    fc.property(anySession, anyView, (script, view) => {
      const ops = layout(inputOf(script, { ...view, now: script.state().now + 100 })).rows;
      const heads = only(ops, 'polygon').filter((op) => op.fill === 'outcome.error.edge' && op.points.length === 6);
      for (const op of only(ops, 'text')) {
        const box = boxOf(op);
        // The number of a question stands right of its bar, which may be the edge.
        if (!/^\d+$/.test(op.text) && box.x1 > view.width + 0.5) expect.fail(`"${op.text}" ends at ${box.x1}`);
        for (const { points } of heads) {
          const [x, y] = points as [number, number];
          if (op.font === 'bar' && box.x0 < x && x < box.x1 && Math.abs(op.y - y) < 4)
            expect.fail(`"${op.text}" covers the head at ${x},${y}`);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('words inside a bar stay inside it, words outside begin after it', () => {
  const outcomes = ['ok', 'error', 'cancelled', 'interrupted', 'rejected', 'denied', 'discarded', 'unknown'] as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 400 }),
      fc.constantFrom(...outcomes),
      fc.boolean(),
      fc.boolean(),
      (width, outcome, asks, saved) => {
        const script = one({
          end: 100 + width,
          outcome,
          ...(asks ? { ask: [100, 100 + width / 3] as const } : {}),
          ...(saved ? { savedBytes: 5 } : {}),
        });
        for (const op of only(rowsIn(script), 'text').filter((text) => ['bar', 'strong'].includes(text.font))) {
          const box = boxOf(op);
          if (width >= DETAIL.argument) {
            expect(box.x0).toBeGreaterThanOrEqual(100);
            expect(box.x1).toBeLessThanOrEqual(100 + width);
          } else expect(box.x0).toBeGreaterThanOrEqual(100 + width);
          expect(op.text).toMatch(/^.{2,}$/);
        }
      },
    ),
  );
});

test('the same input gives the same picture', () => {
  for (const [script, now] of [
    [roundingSession(), ROUNDING_NOW],
    [idleSession(), undefined],
    [crowdedSession(), undefined],
  ] as const) {
    const view = { scale: 0.03, ...(now === undefined ? {} : { now }) };
    expect(layout(inputOf(script, view))).toEqual(layout(inputOf(script, view)));
  }
});

test('the wait before a further try is a dashed line with its length, until the turn is stopped', () => {
  const failed = (until?: number) =>
    new SessionScript().turn('turn-1', 0, until).request('r', 0, [], 100, { failed: 'Overloaded.' });
  const retry = (script: SessionScript) => {
    const { fixed } = layout(inputOf(script, { now: 1_100, scale: 0.5 }));
    const dashes = fixed.find((op) => op.op === 'line' && op.dash.length > 0);
    return { words: texts(fixed).filter((text) => text.startsWith('retry')), dashes };
  };
  expect(retry(failed())).toMatchObject({ words: ['retry in 1.0 s'] });
  const whole = retry(failed()).dashes;
  const cut = retry(failed(600)).dashes;
  expect(whole?.op === 'line' && whole.points[2]).toBeCloseTo(549);
  expect(cut?.op === 'line' && cut.points[2]).toBeCloseTo(299);
});

test('a folded gap is a sign of its own, and what lies behind it comes right after', () => {
  const input = inputOf(idleSession(), { scale: 0.05 });
  const view = fitStretch(input.axis, input.view, { from: 0, until: 15_131_000 });
  const scene = layout({ ...input, view });
  expect(scene.folds).toHaveLength(1);
  expect(texts(scene.rows)).toContain('npm run build');
});
