import { useEffect, useReducer, useRef } from 'react';
import type { CriticalPath } from '../../src-shared/critical-path/path.ts';
import { SessionPaths } from '../../src-shared/critical-path/session-path.ts';
import { type PathShares, sharesOf, type TurnWork, workOf } from '../../src-shared/critical-path/shares.ts';
import type { SessionState, Turn } from '../../src-shared/session/state.ts';

export type TurnReport = { readonly path: CriticalPath; readonly shares: PathShares; readonly work: TurnWork };

const known = new WeakMap<SessionState, SessionPaths>();

function reportOf(state: SessionState, turn: Turn): TurnReport {
  const paths = known.get(state) ?? new SessionPaths(state);
  known.set(state, paths);
  const path = paths.of(turn);
  return { path, shares: sharesOf([path]), work: workOf(state, path) };
}

type Kept = { readonly turn: Turn; readonly seq: number; readonly report: TurnReport; readonly until: number };

/** The next look at a turn that grows comes after this many times the cost of the last one. */
const REST = 15;

/** The path of a turn and what it tells. Of a long turn that grows it is worked out now and then only. */
export function useTurnReport(state: SessionState, turn: Turn | undefined): TurnReport | undefined {
  const kept = useRef<Kept>(undefined);
  const [, again] = useReducer((count: number) => count + 1, 0);
  const seq = state.nextSeq;
  const before = kept.current;
  const isOther = before?.turn.turnId !== turn?.turnId;
  if (turn !== undefined && (isOther || (before?.seq !== seq && performance.now() >= (before?.until ?? 0)))) {
    const from = performance.now();
    const report = reportOf(state, turn);
    const now = performance.now();
    kept.current = { turn, seq, report, until: now + REST * (now - from) };
  }
  const isStale = turn !== undefined && kept.current?.seq !== seq;
  useEffect(() => {
    if (!isStale) return;
    const timer = setTimeout(again, Math.max(0, (kept.current?.until ?? 0) - performance.now()));
    return () => clearTimeout(timer);
  }, [isStale]);
  return turn === undefined ? undefined : kept.current?.report;
}
