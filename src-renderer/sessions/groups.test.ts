import { describe, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { instant } from '../../src-shared/units.ts';
import { detailOf, groupSessions, lengthOf, rowName, signOf } from './groups.ts';

const NOW = new Date(2025, 10, 20, 10, 0).getTime();

const session = (name: string, facts: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId: SessionId.parse(name),
  title: name,
  cwd: '/work/shop',
  kind: 'live',
  status: 'ended',
  lastTurn: 'ok',
  format: 'gantry',
  startedAt: instant(NOW - 3_600_000),
  durationMs: 126_000,
  calls: 38,
  openCalls: 0,
  asks: 0,
  findings: 0,
  path: `/home/journals/${name}.jsonl`,
  ...facts,
});

const titles = (sessions: readonly SessionSummary[], query = ''): Record<string, string[]> =>
  Object.fromEntries(groupSessions(sessions, query).map((group) => [group.id, group.sessions.map((one) => one.title)]));

describe('groups', () => {
  test('a session that waits for a person is running; an idle one is recent; files are imported', () => {
    const all = [
      session('asks', { status: 'waiting' }),
      session('runs', { status: 'running' }),
      session('idle', { status: 'idle' }),
      session('done'),
      session('file', { kind: 'imported', status: 'ended' }),
    ];
    expect(titles(all)).toEqual({ running: ['asks', 'runs'], recent: ['idle', 'done'], imported: ['file'] });
  });

  test('the newest comes first and empty groups are left out', () => {
    const all = [session('old', { startedAt: instant(NOW - 9e6) }), session('new', { startedAt: instant(NOW) })];
    expect(titles(all)).toEqual({ recent: ['new', 'old'] });
  });

  test('a search wants every word, in the title, the folder or the format', () => {
    const all = [
      session('Fix the rounding'),
      session('Fix the tests', { cwd: '/work/cart' }),
      session('cascade', { kind: 'imported', format: 'claude-code' }),
    ];
    expect(titles(all, ' FIX  shop ')).toEqual({ recent: ['Fix the rounding'] });
    expect(titles(all, 'claude code')).toEqual({ imported: ['cascade'] });
    expect(titles(all, 'nothing like it')).toEqual({});
  });
});

describe('a row', () => {
  test('says how the session stands', () => {
    expect(signOf(session('a', { status: 'running', lastTurn: 'error' }))).toBe('running');
    expect(signOf(session('a', { lastTurn: 'interrupted' }))).toBe('interrupted');
    expect(signOf(session('a', { lastTurn: 'none' }))).toBe('new');
    expect(signOf(session('a', { kind: 'imported', lastTurn: 'error' }))).toBe('imported');
  });

  test.each([
    [session('a', { status: 'waiting', asks: 3 }), '3 questions for you'],
    [session('a', { status: 'running', openCalls: 2 }), '2 calls open'],
    [session('a', { status: 'running' }), 'waits for the model'],
    [session('a'), 'today 09:00 · 38 calls'],
    [session('a', { lastTurn: 'interrupted', startedAt: instant(NOW - 86_400_000) }), 'yesterday · stopped'],
    [session('a', { kind: 'imported', format: 'claude-code', calls: 1 }), 'Claude Code · 1 call'],
  ])('has a second line: %#', (one, line) => {
    expect(detailOf(one, NOW)).toBe(line);
  });

  test('a running session grows, an ended one does not', () => {
    expect(lengthOf(session('a', { status: 'running', startedAt: instant(NOW - 30_000), durationMs: 0 }), NOW)).toBe(
      '0:30',
    );
    expect(lengthOf(session('a'), NOW)).toBe('2:06');
  });

  test('a file without times has no length', () => {
    const one = session('Trace', { kind: 'imported', format: 'atif', durationMs: 0, calls: 3 });
    expect(lengthOf(one, NOW)).toBe('');
    expect(rowName(one, NOW)).toBe('Trace, imported, ATIF · 3 calls');
  });

  test('is named with all of it', () => {
    expect(rowName(session('Audit', { findings: 23 }), NOW)).toBe(
      'Audit, ended well, today 09:00 · 38 calls, 2:06, 23 findings',
    );
  });
});
