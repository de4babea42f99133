import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { DryRun, LedgerDecision, LedgerOverview, LedgerRule } from '../../src-shared/ledger/view.ts';
import { instant } from '../../src-shared/units.ts';

/* A ledger of a made-up shop, for the component gallery and tests. */

const LOCAL = '/work/shop/.claude/settings.local.json';
const PROJECT = '/work/shop/.claude/settings.json';
const USER = '/home/mira/.claude/settings.json';
const NOW = Date.UTC(2026, 2, 5, 9);
const DAY = 86_400_000;

type Some = Partial<LedgerRule> & Pick<LedgerRule, 'list' | 'text' | 'scope'>;

function rule({ list, text, scope, ...more }: Some): LedgerRule {
  const file = { local: LOCAL, project: PROJECT, user: USER }[scope as string];
  return {
    key: JSON.stringify([list, scope, file ?? '', text]),
    list,
    text,
    scope,
    hits: 0,
    sessions: 0,
    ...(file === undefined ? {} : { file, editable: scope as 'local' }),
    ...(scope === 'local' || scope === 'project' ? { folder: '/work/shop' } : {}),
    ...more,
  };
}

const used = (hits: number, daysAgo: number) => ({
  hits,
  sessions: Math.min(hits, 9),
  lastUsed: instant(NOW - daysAgo * DAY),
});

export const sampleRules: readonly LedgerRule[] = [
  rule({ list: 'deny', text: 'Bash(git push:*)', scope: 'project', line: 21, ...used(9, 0) }),
  rule({ list: 'deny', text: 'WebFetch(domain:*.internal)', scope: 'managed', line: 3, ...used(1, 23) }),
  rule({ list: 'ask', text: 'Bash(npm publish:*)', scope: 'project', line: 17, ...used(2, 6) }),
  rule({ list: 'allow', text: 'Bash(npm run:*)', scope: 'local', line: 5, ...used(318, 0) }),
  rule({
    list: 'allow',
    text: 'Bash(npm run lint:*)',
    scope: 'local',
    line: 7,
    note: { kind: 'shadowed', short: 'shadowed by line 5', text: 'Bash(npm run:*) decides whenever it could.' },
  }),
  rule({
    list: 'allow',
    text: 'Bash(git push origin dev)',
    scope: 'local',
    line: 11,
    note: {
      kind: 'shadowed',
      short: 'dead: project line 21 denies',
      text: 'Bash(git push:*) denies before it has a say.',
    },
  }),
  rule({
    list: 'allow',
    text: 'Bash(pnpm i',
    scope: 'local',
    line: 12,
    note: { kind: 'broken', short: 'broken, skipped', text: 'This is no rule.' },
  }),
  rule({
    list: 'allow',
    text: 'Bash(make:*)',
    scope: 'project',
    line: 24,
    note: { kind: 'inert', short: 'no effect: not trusted', text: 'It has no effect until you trust the folder.' },
  }),
  rule({ list: 'allow', text: 'Read(~/notes/**)', scope: 'user', line: 18 }),
  rule({ list: 'allow', text: 'Grep', scope: 'session', hits: 58, sessions: 3, lastUsed: instant(NOW) }),
];

export const sampleOverview: LedgerOverview = {
  unread: 0,
  sessions: 96,
  decisions: 1_284,
  unasked: 1_141,
  byPerson: 121,
  waitedMs: 4_100,
  denied: 22,
  rules: [...sampleRules],
  files: 4,
  folders: ['/work/shop', '/work/tax'],
};

const decision = (at: number, summary: string, more: Partial<LedgerDecision>): LedgerDecision => ({
  sessionId: 'session-1' as SessionId,
  callId: `call-${at}` as CallId,
  at: instant(NOW - at * 60_000),
  tool: 'Bash',
  summary,
  kind: 'allow',
  verdict: 'allow',
  by: 'rule',
  rules: ['Bash(npm run:*)'],
  folder: '/work/shop',
  title: 'Fix the rounding',
  ...more,
});

export const sampleDecisions: readonly LedgerDecision[] = [
  decision(1, 'npm run build', {}),
  decision(2, 'git push', { kind: 'deny', verdict: 'deny', rules: ['Bash(git push:*)'] }),
  decision(3, 'npm publish', { kind: 'ask', by: 'user', verdict: 'deny', rules: ['Bash(npm publish:*)'] }),
  decision(4, 'src/tax.ts', { tool: 'Read', by: 'tool', rules: [] }),
  decision(5, 'touch notes.txt', { by: 'classifier', rules: [] }),
];

const BEFORE =
  '{\n  "permissions": {\n    "allow": [\n      "Bash(npm run:*)",\n      "Bash(npm run lint:*)"\n    ]\n  }\n}\n';

export const sampleDryRun: DryRun = {
  checked: 1_284,
  ms: 38,
  changed: 27,
  counts: { newlyAllowed: 1, wouldAsk: 22, denied: 4, deniedHeadless: 4 },
  rows: [
    { tool: 'Bash', summary: 'npm run docs', from: 'ask', to: 'allow', headless: false, times: 1, calls: [] },
    {
      tool: 'Bash',
      summary: 'npm run deploy:staging',
      from: 'allow',
      to: 'ask',
      headless: false,
      times: 22,
      calls: [{ sessionId: 'session-1' as SessionId, callId: 'call-9' as CallId, at: instant(NOW) }],
    },
    { tool: 'Bash', summary: 'npm run release', from: 'allow', to: 'deny', headless: true, times: 4, calls: [] },
  ],
  moreRows: 0,
  files: [{ file: LOCAL, scope: 'local', before: BEFORE, after: BEFORE.replace('npm run:*', 'npm run build') }],
  gains: [{ text: 'Bash(npm run lint:*)', hits: 34 }],
  problems: [],
};
