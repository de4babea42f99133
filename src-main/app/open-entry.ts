import type { Failure } from '../../src-shared/failure.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { shellOf } from '../../src-shared/shell/state.ts';
import type { SavedOutput } from '../../src-shared/tool-call/state.ts';
import { summarise } from '../core/session-summary.ts';
import type { WholeTexts } from '../ports/whole-texts.ts';
import type { Source } from './fork-session.ts';
import type { ImportedSession } from './imported-session.ts';
import type { Live } from './session-maker.ts';

/** A session of ours in which another process works: shown as it was on disk, and nothing else. */
export type Locked = Pick<ImportedSession, 'events' | 'state' | 'findings' | 'path'> & {
  readonly kind: 'locked';
  readonly why: Failure;
};

/** A session that is open. */
export type OpenEntry = Live | ImportedSession | Locked;

export const stateOf = (entry: OpenEntry): SessionState =>
  entry.kind === 'live' ? entry.session.log.state : entry.state;

export const eventsOf = (entry: OpenEntry): readonly SessionEvent[] =>
  entry.kind === 'live' ? entry.session.log.events : entry.events;

export const textsOf = (entry: OpenEntry): WholeTexts | undefined =>
  entry.kind === 'imported' ? entry.texts : undefined;

export const sourceOf = (sessionId: SessionId, entry: OpenEntry): Source => ({
  sessionId,
  path: entry.kind === 'imported' ? entry.path : undefined,
  title: stateOf(entry).title,
});

export function summaryOf(sessionId: SessionId, entry: OpenEntry): SessionSummary {
  const path = entry.kind === 'live' ? entry.place.journalPath : entry.path;
  return summarise(stateOf(entry), { sessionId, path, findings: entry.findings.length });
}

/** Where the whole output of a call lies, if it has one on disk. */
export const savedOutputOf = (state: SessionState, callId: CallId): SavedOutput | undefined =>
  callById(state, callId)?.saved ?? shellOutput(state, callId);

/** What a command in the background writes; its size is asked of the file. */
function shellOutput({ shells }: SessionState, callId: CallId): SavedOutput | undefined {
  const shell = shellOf(shells, callId);
  if (shell?.path === undefined) return undefined;
  const bytes = shell.end?.bytes ?? shell.progress?.bytes ?? 0;
  return { path: shell.path, bytes, found: true, limit: undefined };
}
