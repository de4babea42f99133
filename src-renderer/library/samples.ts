import type { Hit } from '../../src-shared/library/session.ts';
import type { LibraryOverview, LibraryRow } from '../../src-shared/library/view.ts';

/* Sessions of a made-up shop, for tests and the component gallery. */

export const sampleHit = (facts: Partial<Hit> = {}): Hit => ({
  kind: 'output',
  tool: 'Bash',
  callId: 'toolu_1',
  t: 10_000,
  snippet: 'const r = Number(v.toFixed(2))',
  marks: [[19, 26]],
  ...facts,
});

export const sampleRow = (id: number, facts: Partial<LibraryRow> = {}): LibraryRow => ({
  id,
  own: false,
  running: false,
  inVault: false,
  hits: 0,
  first: [],
  path: `/home/mira/.claude/projects/shop/${id}.jsonl`,
  format: 'claude-code',
  version: '2.1.92',
  title: `Session ${id}`,
  cwd: '/work/shop',
  startedAt: Date.UTC(2026, 0, 2, 3, 4),
  durationMs: 35_000,
  timed: true,
  bytes: 12_000,
  events: 486,
  calls: 17,
  errors: 1,
  cancelled: 2,
  cascades: 1,
  rejections: 0,
  savedOutputs: 1,
  savedBytes: 1_200_000,
  agents: 2,
  findings: 0,
  mostAtOnce: 4,
  asks: 1,
  askedMs: 2_300,
  tokensIn: 18_400,
  tokensOut: 2_100,
  cost: 0.06,
  interrupted: false,
  prompt: 'Prices like 1.005 show as 1.00 on the invoice.',
  shape: `${'o'.repeat(20)}${'e'.repeat(20)}/${'.'.repeat(10)}${'c'.repeat(10)}${'h'.repeat(20)}/${'.'.repeat(40)}`,
  problem: '',
  ...facts,
});

export const sampleOverview: LibraryOverview = {
  facets: {
    where: { all: 4_981, running: 2, own: 73, machine: 4_900, vault: 8 },
    has: { cascade: 118, rejection: 64, saved: 402, agents: 377, findings: 23 },
    when: { any: 4_981, day: 12, week: 140, month: 612 },
    projects: ['shop', 'cart', 'billing', 'tax', 'old', 'older', 'oldest'].map((name, at) => ({
      folder: `/work/${name}`,
      name,
      count: 200 - at,
    })),
    bytes: 2_100_000_000,
  },
  index: { kind: 'current' },
  otherPrograms: true,
};
