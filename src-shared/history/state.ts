import type { AgentId, CallId } from '../ids.ts';
import type { EventOf } from '../session/event.ts';
import type { SessionState } from '../session/state.ts';
import type { Instant, SessionTime } from '../units.ts';
import type { CompactTrigger, ForkedFrom } from './event.ts';

/** A summary that took the place of what came before it. */
export type Compaction = {
  readonly agentId: AgentId;
  readonly trigger: CompactTrigger;
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly entriesBefore: number;
  readonly answersBefore: number;
  readonly instructions: string | undefined;
  readonly at: SessionTime;
  /** How many entries and requests of all agents the session had then. */
  readonly place: { readonly entries: number; readonly requests: number };
};

/** The copied part of a fork: what of each list of the state belongs to it, from its beginning on. */
export type CopiedHistory = {
  readonly from: ForkedFrom;
  /** When it was copied. */
  readonly at: Instant;
  readonly until: SessionTime;
  readonly entries: number;
  readonly calls: number;
  readonly requests: number;
  readonly turns: number;
};

/** A file that an agent has read or written, as it was then. */
export type SeenFile = Omit<NonNullable<EventOf<'context-modified'>['files']>[number], 'callId'> & {
  readonly agentId: AgentId;
  readonly callId: CallId;
};

export function applyHistory(state: SessionState, e: EventOf<'context-compacted' | 'history-copied'>): void {
  const { entries, calls, requests, turns, forkedFrom } = state;
  if (e.type === 'history-copied') {
    if (forkedFrom === undefined) return;
    const sizes = { entries: entries.length, calls: calls.length, requests: requests.length, turns: turns.length };
    state.history = { from: forkedFrom, at: e.at, until: e.t, ...sizes };
    return;
  }
  const { agentId, trigger, summary, tokensBefore, tokensAfter, entriesBefore, answersBefore, instructions } = e;
  state.compactions.push({
    agentId,
    trigger,
    summary,
    tokensBefore,
    tokensAfter,
    entriesBefore,
    answersBefore,
    instructions,
    at: e.t,
    place: { entries: entries.length, requests: requests.length },
  });
}

/** The summary that an agent's conversation begins with now. */
export const lastCompaction = ({ compactions }: SessionState, agentId: AgentId): Compaction | undefined =>
  compactions.findLast((one) => one.agentId === agentId);

/** Where files stand in their list: sessions of 100,000 calls read too many to search through for each. */
const placesOf = new WeakMap<readonly SeenFile[], Map<string, number>>();

/** Where an agent works and what it knows of files, after a call of its has changed that. */
export function applyContext(state: SessionState, { callId, cwd, files }: EventOf<'context-modified'>): void {
  const at = state.callIndex[callId];
  const agentId = at === undefined ? undefined : state.calls[at]?.agentId;
  if (agentId === undefined) return;
  if (cwd !== undefined) {
    const known = state.folders.findIndex((folder) => folder.agentId === agentId);
    if (known === -1) state.folders.push({ agentId, cwd });
    else state.folders[known] = { agentId, cwd };
  }
  for (const file of files ?? []) {
    const places = placesIn(state.seenFiles);
    const key = `${agentId}\n${file.path}`;
    const known = places.get(key);
    const seen = { ...file, callId: file.callId ?? callId, agentId };
    if (known === undefined) {
      places.set(key, state.seenFiles.length);
      state.seenFiles.push(seen);
    } else state.seenFiles[known] = seen;
  }
}

function placesIn(files: readonly SeenFile[]): Map<string, number> {
  const known = placesOf.get(files);
  if (known !== undefined) return known;
  const places = new Map(files.map(({ agentId, path }, at) => [`${agentId}\n${path}`, at]));
  placesOf.set(files, places);
  return places;
}
