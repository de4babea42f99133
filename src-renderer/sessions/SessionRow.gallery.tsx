import { SessionId } from '../../src-shared/ids.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { instant } from '../../src-shared/units.ts';
import type { GalleryPage } from '../gallery/page.ts';
import { SessionRow } from './SessionRow.tsx';

const NOW = Date.UTC(2025, 10, 18, 10, 12);

const STATES: readonly (readonly [string, Partial<SessionSummary>])[] = [
  ['Running', { status: 'running', openCalls: 2 }],
  ['Waits for the model', { status: 'running' }],
  ['Waits for a person', { status: 'waiting', asks: 3 }],
  ['Ended well', {}],
  ['Ended with an error', { lastTurn: 'error' }],
  ['Stopped by a person', { lastTurn: 'interrupted' }],
  ['No turn yet', { lastTurn: 'none', calls: 0 }],
  ['Read from a file', { kind: 'imported', format: 'claude-code' }],
  ['A title that is too long', { title: 'Replace moment with Temporal in every package of the repository' }],
];

const summary = (facts: Partial<SessionSummary>): SessionSummary => ({
  sessionId: SessionId.parse('example'),
  title: 'Release notes 2.4',
  cwd: '/work/shop',
  kind: 'live',
  status: 'ended',
  lastTurn: 'ok',
  format: 'gantry',
  startedAt: instant(NOW - 126_000),
  durationMs: 126_000,
  calls: 38,
  openCalls: 0,
  asks: 0,
  findings: 0,
  path: '/journals/example',
  ...facts,
});

export const gallery: GalleryPage = STATES.map(([title, facts], at) => ({
  title,
  width: 188,
  show: () => <SessionRow session={summary(facts)} now={NOW} current={at === 0} reachable onOpened={() => undefined} />,
}));
