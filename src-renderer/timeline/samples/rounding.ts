import { type ScriptedCall, SessionScript } from '../../../src-shared/timeline/session-script.ts';

const s = (seconds: number): number => Math.round(seconds * 1000);

/** The session of the design's pictures: reads, a cascade, waits for a sub-agent, a live edge at 29.8 s. */
export function roundingSession(): SessionScript {
  const script = new SessionScript({ title: 'Fix the rounding in price.ts' })
    .turn('turn-1', 0)
    .request('r1', s(1), [s(2.2), s(3), s(4.5)], s(6.2))
    .request('r2', s(7.9), [s(8.7), s(9), s(9.3), s(9.6), s(10.3)], s(10.8))
    .request('r3', s(14), [s(14.9), s(15.2), s(15.6), s(15.9), s(16.3)], s(16.5))
    .request('r4', s(19.4), [s(20.3), s(20.6), s(20.8), s(21.2), s(22), s(22.3), s(22.5), s(22.7)], s(22.8));
  for (const call of [...first(), ...second(), ...third(), ...fourth()]) script.call(call);
  script
    .batch('b0', 'safe', s(3), s(6.2))
    .batch('b1', 'safe', s(9), s(10.95))
    .batch('b2', 'exclusive', s(10.95), s(14))
    .batch('b3', 'safe', s(15.2), s(19.3))
    .batch('b4', 'safe', s(20.6), s(27.2))
    .batch('b5', 'exclusive', s(27.2), s(27.72))
    .batch('b6', 'safe', s(27.72))
    .at(s(19.2), {
      type: 'cascade-triggered',
      culprit: 'npm-test' as never,
      policy: 'bash',
      victims: ['npm-lint', 'edit-invoice'] as never,
    });
  addHooks(script);
  addExplorer(script);
  return script;
}

/** The time at which the picture was taken. */
export const ROUNDING_NOW = s(29.8);

const first = (): readonly ScriptedCall[] => [
  {
    id: 'grep-0',
    tool: 'Grep',
    summary: 'round',
    queued: s(3),
    start: s(3),
    lane: 0,
    batch: 'b0',
    end: s(4.4),
    yielded: s(4.4),
  },
  {
    id: 'read-0',
    tool: 'Read',
    summary: 'src/price.ts',
    queued: s(3.6),
    start: s(3.6),
    lane: 2,
    batch: 'b0',
    end: s(6.2),
    yielded: s(6.2),
  },
];

const second = (): readonly ScriptedCall[] => [
  {
    id: 'git-log',
    tool: 'Bash',
    summary: 'git log -p -- src/price.ts',
    queued: s(9),
    start: s(9.04),
    lane: 0,
    batch: 'b1',
    stages: [
      ['run', s(9.04), s(10.5)],
      ['save', s(10.5), s(10.95)],
    ],
    settled: s(9.06),
    end: s(10.95),
    yielded: s(10.95),
    savedBytes: 1_258_291,
  },
  {
    id: 'read-invoice',
    tool: 'Read',
    summary: 'src/invoice.ts',
    queued: s(9.3),
    start: s(9.3),
    lane: 1,
    batch: 'b1',
    settled: s(9.32),
    end: s(9.76),
    yielded: s(10.95),
  },
  {
    id: 'grep-tofixed',
    tool: 'Grep',
    summary: 'toFixed(',
    queued: s(9.6),
    start: s(9.6),
    lane: 2,
    batch: 'b1',
    settled: s(9.65),
    end: s(10.3),
    yielded: s(10.96),
  },
  {
    id: 'edit-price',
    tool: 'Edit',
    summary: 'src/price.ts',
    safe: false,
    queued: s(10.3),
    waits: [{ why: 'lock', by: ['git-log'], at: s(10.3) }],
    start: s(10.95),
    lane: 0,
    batch: 'b2',
    stages: [
      ['hooks-before', s(10.95), s(11.45)],
      ['permission', s(11.45), s(13.7)],
      ['run', s(13.7), s(14)],
    ],
    ask: [s(11.45), s(13.7)],
    editedBy: 'user',
    end: s(14),
    yielded: s(14),
  },
];

const third = (): readonly ScriptedCall[] => [
  {
    id: 'npm-test',
    tool: 'Bash',
    summary: 'npm test',
    queued: s(15.2),
    start: s(15.2),
    lane: 0,
    batch: 'b3',
    settled: s(15.22),
    stages: [
      ['hooks-before', s(15.2), s(15.5)],
      ['run', s(15.5), s(19.2)],
    ],
    processes: [
      { pid: 40, command: 'npm test', from: s(15.5), until: s(19.2) },
      { pid: 41, command: 'vitest run', from: s(15.76), until: s(19.15) },
    ],
    end: s(19.2),
    outcome: 'error',
    exit: { code: 1 },
    yielded: s(19.2),
  },
  {
    id: 'npm-lint',
    tool: 'Bash',
    summary: 'npm run lint',
    queued: s(15.6),
    start: s(15.6),
    lane: 1,
    batch: 'b3',
    settled: s(15.62),
    cancelled: { at: s(19.2), reason: 'sibling_error', culprit: 'npm-test' },
    end: s(19.25),
    outcome: 'cancelled',
    yielded: s(19.26),
  },
  {
    id: 'read-rounding',
    tool: 'Read',
    summary: 'docs/rounding.md',
    queued: s(15.9),
    start: s(15.9),
    lane: 2,
    batch: 'b3',
    settled: s(15.92),
    end: s(16.52),
    yielded: s(19.3),
  },
  {
    id: 'edit-invoice',
    tool: 'Edit',
    summary: 'src/invoice.ts',
    safe: false,
    queued: s(16.3),
    waits: [{ why: 'lock', by: ['npm-test', 'npm-lint'], at: s(16.3) }],
    cancelled: { at: s(19.2), reason: 'sibling_error', culprit: 'npm-test' },
    end: s(19.2),
    outcome: 'cancelled',
    yielded: s(19.3),
  },
];

const fourth = (): readonly ScriptedCall[] => [
  {
    id: 'read-test',
    tool: 'Read',
    summary: 'test/price.test.ts',
    input: { file_path: '/work/shop/test/price.test.ts' },
    queued: s(20.6),
    start: s(20.6),
    lane: 0,
    batch: 'b4',
    settled: s(20.62),
    end: s(21.12),
    yielded: s(21.12),
  },
  {
    id: 'read-money',
    tool: 'Read',
    summary: 'src/money.ts',
    queued: s(20.8),
    start: s(20.8),
    lane: 1,
    batch: 'b4',
    settled: s(20.81),
    end: s(21.5),
    yielded: s(21.5),
  },
  {
    id: 'agent',
    tool: 'Agent',
    summary: 'Who else rounds prices?',
    queued: s(21.25),
    start: s(21.25),
    lane: 2,
    batch: 'b4',
    settled: s(21.27),
    end: s(27.2),
    yielded: s(27.2),
  },
  {
    id: 'edit-price-2',
    tool: 'Edit',
    summary: 'src/price.ts',
    safe: false,
    queued: s(22),
    waits: [{ why: 'lock', by: ['agent'], at: s(22) }],
    start: s(27.2),
    lane: 0,
    batch: 'b5',
    settled: s(27.21),
    stages: [
      ['hooks-before', s(27.2), s(27.5)],
      ['run', s(27.5), s(27.72)],
    ],
    end: s(27.72),
    yielded: s(27.72),
    staleFiles: ['/work/shop/test/price.test.ts'],
  },
  {
    id: 'npm-test-2',
    tool: 'Bash',
    summary: 'npm test',
    queued: s(22.3),
    waits: [{ why: 'lock', by: ['agent'], at: s(22.3) }],
    start: s(27.72),
    lane: 0,
    batch: 'b6',
    settled: s(27.73),
  },
  {
    id: 'npm-lint-2',
    tool: 'Bash',
    summary: 'npm run lint',
    queued: s(22.5),
    waits: [{ why: 'lock', by: ['agent'], at: s(22.5) }],
    start: s(27.72),
    lane: 1,
    batch: 'b6',
    settled: s(27.73),
  },
  {
    id: 'edit-readme',
    tool: 'Edit',
    summary: 'README.md',
    safe: false,
    queued: s(22.7),
    waits: [{ why: 'lock', by: ['npm-test-2', 'npm-lint-2'], at: s(22.7) }],
  },
];

function addHooks(script: SessionScript): void {
  script
    .hook('h1', 'edit-price', '.claude/hooks/guard.sh', s(10.95), s(11.45))
    .hook('h2', 'edit-price', '.claude/hooks/format.sh', s(13.98), s(14.12))
    .hook('h3', 'npm-test', '.claude/hooks/guard.sh', s(15.2), s(15.5))
    .hook('h4', 'edit-price-2', '.claude/hooks/guard.sh', s(27.2), s(27.5))
    .hook('h5', 'edit-price-2', '.claude/hooks/format.sh', s(27.7), s(27.84));
}

function addExplorer(script: SessionScript): void {
  const agent = 'explore';
  script
    .agent(agent, 'Explore', s(21.3), { parent: 'agent', type: 'Explore', until: s(27.2) })
    .request('e1', s(21.35), [s(22.1), s(22.35), s(22.6), s(22.8)], s(23), { agent })
    .request('e2', s(23.95), [s(24.4), s(24.6), s(24.8), s(25)], s(25.25), { agent })
    .request('e3', s(25.95), [s(26.4)], s(27.15), { agent })
    .batch('e-b1', 'safe', s(22.4), s(23.8), agent)
    .batch('e-b2', 'safe', s(24.6), s(25.9), agent);
  const read = (
    id: string,
    tool: string,
    summary: string,
    start: number,
    end: number,
    lane: number,
    more: Partial<ScriptedCall> = {},
  ): void => {
    script.call({
      id,
      tool,
      summary,
      agent,
      message: `m-${agent}`,
      queued: s(start),
      start: s(start),
      lane,
      batch: start < 24 ? 'e-b1' : 'e-b2',
      settled: s(start + 0.02),
      end: s(end),
      yielded: s(end),
      ...more,
    });
  };
  read('e-grep', 'Grep', 'round\\(', 22.4, 23.7, 0);
  read('e-glob', 'Glob', 'src/**/*.ts', 22.6, 23, 1, { yielded: s(23.7) });
  read('e-bash', 'Bash', 'wc -l src/*.ts', 22.8, 23.8, 2);
  read('e-cart', 'Read', 'src/cart.ts', 24.6, 25.15, 0);
  read('e-price', 'Read', 'src/price.ts', 24.8, 25.5, 1, { sameAs: 'read-money' });
  read('e-refund', 'Read', 'src/refund.ts', 25, 25.9, 2);
}
