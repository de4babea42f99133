import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { clock, counted, whenWords } from '../state/format.ts';

export type SessionGroup = {
  readonly id: 'running' | 'recent' | 'imported';
  readonly title: string;
  readonly sessions: readonly SessionSummary[];
};

const isRunning = (session: SessionSummary): boolean => session.status === 'running' || session.status === 'waiting';

const newestFirst = (a: SessionSummary, b: SessionSummary): number => b.startedAt - a.startedAt;

const matches = (session: SessionSummary, words: readonly string[]): boolean => {
  const text = `${session.title}\n${session.cwd}\n${formatName(session.format)}\n${session.path}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The list in its three groups, each newest first; only what holds every word of `query`. Empty groups are left out. */
export function groupSessions(sessions: readonly SessionSummary[], query: string): readonly SessionGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((session) => matches(session, words)).sort(newestFirst);
  const imported = found.filter((session) => session.kind === 'imported');
  const own = found.filter((session) => session.kind === 'live');
  const groups: SessionGroup[] = [
    { id: 'running', title: 'Running', sessions: own.filter(isRunning) },
    { id: 'recent', title: 'Recent', sessions: own.filter((session) => !isRunning(session)) },
    { id: 'imported', title: 'Imported', sessions: imported },
  ];
  return groups.filter((group) => group.sessions.length > 0);
}

const FORMATS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  'claude-stream-json': 'Claude Code stream',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  pi: 'Pi',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  cline: 'Cline',
  goose: 'goose',
  atif: 'ATIF',
  'otel-genai': 'OpenTelemetry',
  gantry: 'Gantry',
};

/** The name of the program that wrote a file. */
export const formatName = (format: string): string => FORMATS[format] ?? format;

/** `running` and `waiting` speak of now, the others of how the last turn ended. */
export type RowSign = 'running' | 'waiting' | 'ok' | 'error' | 'interrupted' | 'imported' | 'new';

export function signOf(session: SessionSummary): RowSign {
  if (session.kind === 'imported') return 'imported';
  if (session.status === 'waiting') return 'waiting';
  if (session.status === 'running') return 'running';
  return session.lastTurn === 'none' ? 'new' : session.lastTurn;
}

export const SIGN_WORDS: Readonly<Record<RowSign, string>> = {
  running: 'running',
  waiting: 'waits for you',
  ok: 'ended well',
  error: 'ended with an error',
  interrupted: 'stopped by you',
  imported: 'imported',
  new: 'no turn yet',
};

/** The second line of a row: what goes on, or when it was and how much. */
export function detailOf(session: SessionSummary, now: number): string {
  switch (signOf(session)) {
    case 'waiting':
      return `${counted(session.asks, 'question')} for you`;
    case 'running':
      return session.openCalls === 0 ? 'waits for the model' : `${counted(session.openCalls, 'call')} open`;
    case 'imported':
      return `${formatName(session.format)} · ${counted(session.calls, 'call')}`;
    case 'interrupted':
      return `${whenWords(session.startedAt, now)} · stopped`;
    default:
      return `${whenWords(session.startedAt, now)} · ${counted(session.calls, 'call')}`;
  }
}

/**
 * The length at the end of a row; none where a file has no times. A running session grows by itself: nothing is pushed
 * for it every second.
 */
export function lengthOf(session: SessionSummary, now: number): string {
  if (session.kind === 'imported' && session.durationMs === 0) return '';
  return clock(isRunning(session) ? Math.max(session.durationMs, now - session.startedAt) : session.durationMs);
}

/** What a screen reader says for a row. */
export const rowName = (session: SessionSummary, now: number): string =>
  `${[session.title, SIGN_WORDS[signOf(session)], detailOf(session, now), lengthOf(session, now)].filter(Boolean).join(', ')}${
    session.findings > 0 ? `, ${formatCount(session.findings)} findings` : ''
  }`;
