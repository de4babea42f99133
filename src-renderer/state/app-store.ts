import { createStore } from 'zustand/vanilla';
import type { SessionId } from '../../src-shared/ids.ts';
import type { RequestOutput } from '../../src-shared/ipc/contract.ts';
import { onPush, request } from '../bridge.ts';
import { failureWords, type Problem } from './problem.ts';
import { sessionBeforeReload } from './reload-memory.ts';
import { openSession, sessionStore } from './session-store.ts';

export type AppInfo = RequestOutput<'app.info'>;

/** The program itself: what it is, and what went wrong outside of any session. */
export type AppView = {
  readonly info: AppInfo | undefined;
  /** Shown across the window until it is closed. */
  readonly problem: Problem | undefined;
  /** A file is being chosen in the system's dialog, or what was chosen is being opened. */
  readonly choosing: boolean;
  /** The file that is being read right now, by its name. */
  readonly reading: string | undefined;
  /** Why the last file or scenario could not be opened; shown where it was asked for. */
  readonly openProblem: Problem | undefined;
  /** The scenario that is being started, by its name. */
  readonly starting: string | undefined;
};

export const appStore = createStore<AppView>(() => ({
  info: undefined,
  problem: undefined,
  choosing: false,
  reading: undefined,
  openProblem: undefined,
  starting: undefined,
}));

export const dismissProblem = (): void => appStore.setState({ problem: undefined });

function isShown(sessionId: SessionId): boolean {
  const view = sessionStore.getState();
  return view.phase !== 'none' && view.phase !== 'failed' && view.sessionId === sessionId;
}

/** Asks what the program is and was started for, and follows main's wishes to show a session or a problem. */
export function startAppStore(): () => void {
  const stops = [
    onPush('session.show', ({ sessionId, askId }) => {
      // Whoever follows a question to a session that is on screen keeps their place in it.
      if (askId === undefined || !isShown(sessionId)) void openSession(sessionId);
    }),
    onPush('app.problem', ({ message, hint }) => appStore.setState({ problem: { message, hint } })),
  ];
  request('app.info', undefined).then(
    (info) => {
      appStore.setState({ info });
      const session = sessionBeforeReload() ?? info.open;
      if (session !== undefined) void openSession(session);
    },
    (error: unknown) => appStore.setState({ problem: failureWords(error) }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
