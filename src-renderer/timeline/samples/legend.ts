import { type ScriptedCall, SessionScript } from '../../../src-shared/timeline/session-script.ts';
import { sessionTime } from '../../../src-shared/units.ts';

/** A small made-up session for the legend, and the part of its rows to show. Times are px times ten at normal size. */
export type LegendSample = {
  readonly script: SessionScript;
  /** Time of the live edge, where something is open. */
  readonly now?: number;
  readonly show: 'lane' | 'queue' | 'all';
  readonly width: number;
};

const MS_PER_PX = 10;
/** px per millisecond of the samples. */
export const LEGEND_SCALE = 1 / MS_PER_PX;
const px = (n: number): number => n * MS_PER_PX;

const one = (
  call: Omit<ScriptedCall, 'id' | 'queued'> & { readonly queued?: number },
  width: number,
  more: Partial<LegendSample> = {},
): LegendSample => ({
  script: new SessionScript().call({ id: 'call', queued: call.start ?? 0, ...call }),
  show: 'lane',
  width,
  ...more,
});

const bash = (
  summary: string,
  from: number,
  until: number | undefined,
  more: Partial<ScriptedCall> = {},
): Omit<ScriptedCall, 'id' | 'queued'> => ({
  tool: 'Bash',
  summary,
  start: px(from),
  ...(until === undefined ? {} : { end: px(until) }),
  ...more,
});

const waitsForLock = [{ why: 'lock', at: px(2) }] as const;

/** How a bar can end. */
export const OUTCOMES = {
  ok: one(bash('npm run lint', 2, 148), 152),
  error: one(bash('npm test', 2, 148, { outcome: 'error' }), 152),
  cancelled: one(bash('npm run lint', 2, 148, { outcome: 'cancelled' }), 156),
  neverStarted: one(
    { tool: 'Edit', summary: 'invoice.ts', queued: px(2), waits: waitsForLock, end: px(130), outcome: 'cancelled' },
    156,
    { show: 'queue' },
  ),
  discarded: one({ tool: 'Read', summary: 'money.ts', start: px(2), end: px(148), outcome: 'discarded' }, 152),
  rejected: one(bash('rm -r dist', 2, 148, { outcome: 'rejected', ask: [px(2), px(60)], answer: 'deny' }), 152),
  interrupted: one(bash('npm run e2e', 2, 148, { outcome: 'interrupted' }), 156),
  unknown: one(bash('npm publish', 2, 148, { outcome: 'unknown' }), 152),
  running: one(bash('npm test', 2, undefined), 156, { now: px(148) }),
  waiting: one({ tool: 'Edit', summary: 'README.md', queued: px(2), waits: waitsForLock }, 156, {
    now: px(140),
    show: 'queue',
  }),
} as const;

/** The small signs. */
export const MARKS = {
  saved: one(bash('git log -p', 2, 60, { savedBytes: 1 }), 76),
  stale: { ...one({ tool: 'Read', summary: 'a.ts', start: px(2), end: px(60) }, 76), script: staleScript() },
  hook: one(bash('ls src', 2, 60, { editedBy: 'hook' }), 76),
  same: one({ tool: 'Read', summary: 'a.ts', start: px(2), end: px(60), sameAs: 'other' }, 76),
  edited: one({ tool: 'Edit', summary: 'a.ts', start: px(2), end: px(60), editedBy: 'user' }, 76),
  more: {
    ...one({ tool: 'Read', summary: 'a.ts', start: px(2), end: px(60) }, 84),
    script: staleScript({ sameAs: 'other', editedBy: 'hook' }),
  },
} as const;

function staleScript(more: Partial<ScriptedCall> = {}): SessionScript {
  return new SessionScript()
    .call({
      id: 'call',
      tool: 'Read',
      summary: 'a.ts',
      input: { file_path: '/a.ts' },
      yielded: px(60),
      queued: px(2),
      start: px(2),
      end: px(60),
      ...more,
    })
    .call({ id: 'later', tool: 'Edit', queued: px(200), start: px(200), end: px(210), staleFiles: ['/a.ts'] });
}

const guess = (from: number, until: number) =>
  ({
    certainty: 'inferred',
    source: 'block-time',
    earliest: sessionTime(px(from)),
    latest: sessionTime(px(until)),
  }) as const;

/** Seen, or worked out afterwards. */
export const CERTAINTY = {
  measured: one(bash('npm test', 2, 124), 130),
  start: one(bash('npm test', 2, 124, { startTiming: guess(2, 36) }), 130),
  both: one(bash('npm test', 2, 124, { startTiming: guess(2, 63), endTiming: guess(63, 124) }), 130),
} as const;

/** The same failed call at four zooms. */
export const WIDTHS = [120, 40, 12, 4].map((width) => ({
  width,
  sample: one(
    bash('npm test', 2, 2 + width, { outcome: 'error', stages: [['hooks-before', px(2), px(2 + width * 0.11)]] }),
    150,
  ),
}));

export const FRAMES = {
  safe: {
    script: new SessionScript()
      .batch('b', 'safe', px(6), px(180))
      .call({
        id: 'a',
        tool: 'Read',
        summary: 'price.ts',
        queued: px(6),
        start: px(6),
        lane: 0,
        batch: 'b',
        end: px(122),
        yielded: px(122),
      })
      .call({
        id: 'b',
        tool: 'Grep',
        summary: 'toFixed(',
        queued: px(26),
        start: px(26),
        lane: 1,
        batch: 'b',
        end: px(180),
        yielded: px(180),
      })
      .call({
        id: 'c',
        tool: 'Read',
        summary: 'money.ts',
        queued: px(48),
        start: px(48),
        lane: 2,
        batch: 'b',
        end: px(142),
        yielded: px(142),
      }),
    show: 'all',
    width: 200,
  },
  exclusive: {
    script: new SessionScript().batch('b', 'exclusive', px(6), px(142)).call({
      id: 'a',
      tool: 'Edit',
      summary: 'price.ts',
      safe: false,
      queued: px(6),
      start: px(6),
      lane: 0,
      batch: 'b',
      end: px(142),
      yielded: px(142),
    }),
    show: 'all',
    width: 160,
  },
  cascade: {
    script: new SessionScript()
      .call({
        id: 'test',
        tool: 'Bash',
        summary: 'npm test',
        queued: px(4),
        start: px(4),
        lane: 0,
        end: px(192),
        yielded: px(192),
        outcome: 'error',
      })
      .call({
        id: 'lint',
        tool: 'Bash',
        summary: 'npm run lint',
        queued: px(32),
        start: px(32),
        lane: 1,
        cancelled: { at: px(192), reason: 'sibling_error', culprit: 'test' },
        end: px(192),
        yielded: px(192),
        outcome: 'cancelled',
      })
      .call({
        id: 'edit',
        tool: 'Edit',
        summary: 'invoice.ts',
        queued: px(60),
        waits: [{ why: 'lock', at: px(60) }],
        cancelled: { at: px(192), reason: 'sibling_error', culprit: 'test' },
        end: px(192),
        yielded: px(192),
        outcome: 'cancelled',
      }),
    show: 'all',
    width: 230,
  },
  fold: {
    script: new SessionScript()
      .batch('b', 'safe', px(6), px(82))
      .call({
        id: 'a',
        tool: 'Read',
        summary: 'cart.ts',
        queued: px(6),
        start: px(6),
        lane: 0,
        batch: 'b',
        end: px(82),
        yielded: px(82),
      })
      .call({
        id: 'b',
        tool: 'Read',
        summary: 'tax.ts',
        queued: px(6),
        start: px(6),
        lane: 1,
        batch: 'b',
        end: px(70),
        yielded: px(70),
      })
      .batch('c', 'safe', px(82) + 252_000 + px(40), px(170) + 252_000)
      .call({
        id: 'c',
        tool: 'Read',
        summary: 'price.ts',
        queued: px(82) + 252_000 + px(40),
        start: px(82) + 252_000 + px(40),
        lane: 0,
        batch: 'c',
        end: px(82) + 252_000 + px(116),
        yielded: px(82) + 252_000 + px(116),
      })
      .call({
        id: 'd',
        tool: 'Glob',
        summary: 'src/**',
        queued: px(82) + 252_000 + px(48),
        start: px(82) + 252_000 + px(48),
        lane: 1,
        batch: 'c',
        end: px(82) + 252_000 + px(118),
        yielded: px(82) + 252_000 + px(118),
      }),
    show: 'all',
    width: 240,
  },
} as const satisfies Readonly<Record<string, LegendSample>>;

/** Where the parts of the anatomy's bar lie, in px of a picture that is drawn at twice its size. */
export const ANATOMY = {
  width: 580,
  queued: 12,
  lock: 52,
  start: 150,
  permission: 198,
  run: 306,
  save: 446,
  end: 494,
  yielded: 558,
} as const;

export const anatomySample: LegendSample = {
  script: new SessionScript()
    .call({
      id: 'read',
      tool: 'Read',
      summary: 'README.md',
      agent: 'other',
      queued: 0,
      start: 0,
      end: px(ANATOMY.start),
    })
    .call({
      id: 'call',
      tool: 'Edit',
      summary: 'src/price.ts',
      safe: false,
      queued: px(ANATOMY.queued),
      waits: [
        { why: 'no-lane', at: px(ANATOMY.queued) },
        { why: 'lock', by: ['read'], at: px(ANATOMY.lock) },
      ],
      start: px(ANATOMY.start),
      stages: [
        ['hooks-before', px(ANATOMY.start), px(ANATOMY.permission)],
        ['run', px(ANATOMY.run), px(ANATOMY.save)],
        ['save', px(ANATOMY.save), px(ANATOMY.end)],
      ],
      ask: [px(ANATOMY.permission), px(ANATOMY.run)],
      end: px(ANATOMY.end),
      yielded: px(ANATOMY.yielded),
    }),
  show: 'all',
  width: ANATOMY.width,
};
