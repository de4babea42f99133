import { createStore } from 'zustand/vanilla';
import type { ScenarioSummary, SessionSummary } from '../../src-shared/session/summary.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords } from './problem.ts';

/** The sessions list and the scenario gallery. */
export type SessionsView = {
  readonly sessions: readonly SessionSummary[];
  readonly scenarios: readonly ScenarioSummary[];
  readonly loaded: boolean;
  readonly problem: string | undefined;
};

export const sessionsStore = createStore<SessionsView>(() => ({
  sessions: [],
  scenarios: [],
  loaded: false,
  problem: undefined,
}));

/** Loads both lists and follows changes. */
export function startSessionsStore(): () => void {
  const stop = onPush('sessions.changed', (sessions) => sessionsStore.setState({ sessions }));
  Promise.all([request('sessions.list', undefined), request('scenarios.list', undefined)]).then(
    ([sessions, scenarios]) => sessionsStore.setState({ sessions, scenarios, loaded: true }),
    (error: unknown) => sessionsStore.setState({ loaded: true, problem: failureWords(error).message }),
  );
  return stop;
}
