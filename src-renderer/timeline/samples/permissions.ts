import { SessionScript } from '../../../src-shared/timeline/session-script.ts';

const s = (seconds: number): number => Math.round(seconds * 1000);

/** Three sub-agents, each with a question that waits: the design's picture of the permission board. */
export function permissionSession(): SessionScript {
  const script = new SessionScript({ title: 'Move cart to pnpm' })
    .turn('turn-1', 0)
    .request('r5', s(215), [s(217), s(219)], s(221))
    .request('r6', s(226), [s(228.2), s(229), s(229.6), s(230.4), s(232.6), s(234), s(234.6), s(235.1)], s(235.6))
    .batch('b', 'safe', s(229));
  const ids = ['ci', 'packages', 'tickets'] as const;
  const names = ['CI files', 'Packages', 'Tickets'] as const;
  for (const [i, id] of ids.entries()) {
    const start = s(229 + i * 0.7);
    script
      .call({
        id: `agent-${id}`,
        tool: 'Agent',
        summary: names[i] as string,
        queued: start,
        start,
        lane: i,
        batch: 'b',
        settled: start + 20,
      })
      .agent(id, i === 0 ? 'CI agent' : (names[i] as string), start, { parent: `agent-${id}` });
  }
  script
    .call({
      id: 'pnpm',
      tool: 'Bash',
      summary: 'pnpm install',
      safe: false,
      queued: s(235.3),
      waits: [{ why: 'lock', by: ids.map((id) => `agent-${id}`), at: s(235.3) }],
    })
    .call({
      id: 'ci-grep',
      tool: 'Grep',
      summary: 'npm ci',
      agent: 'ci',
      queued: s(231),
      start: s(231),
      settled: s(231.05),
      end: s(232.2),
      yielded: s(232.2),
    })
    .call({
      id: 'packages-read',
      tool: 'Read',
      summary: 'package.json',
      agent: 'packages',
      queued: s(231.6),
      start: s(231.6),
      settled: s(231.65),
      end: s(232.5),
      yielded: s(232.5),
    })
    .call({
      id: 'ci-sed',
      tool: 'Bash',
      summary: 'rg -l "npm ci" .github ci | xargs sed -i',
      agent: 'ci',
      queued: s(233.2),
      start: s(233.2),
      stages: [
        ['hooks-before', s(233.2), s(233.9)],
        ['permission', s(233.9)],
      ],
      ask: [s(233.9)],
    })
    .call({
      id: 'packages-edit',
      tool: 'Edit',
      summary: 'package.json',
      agent: 'packages',
      queued: s(234.2),
      start: s(234.2),
      stages: [
        ['hooks-before', s(234.2), s(234.9)],
        ['permission', s(234.9)],
      ],
      ask: [s(234.9)],
    })
    .call({
      id: 'tickets-list',
      tool: 'mcp__linear__list_issues',
      summary: '',
      agent: 'tickets',
      queued: s(235.6),
      start: s(235.6),
      stages: [['permission', s(235.6)]],
      ask: [s(235.7)],
    })
    .hook('h1', 'ci-sed', '.claude/hooks/guard.sh', s(233.2), s(233.9))
    .hook('h2', 'packages-edit', '.claude/hooks/guard.sh', s(234.2), s(234.9));
  return script;
}

export const PERMISSIONS_NOW = s(251.9);
export const PERMISSIONS_COLLAPSED = ['ci', 'packages', 'tickets'] as const;
