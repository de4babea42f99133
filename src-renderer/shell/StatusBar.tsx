import {
  CircleDot,
  Cpu,
  Hand,
  HardDrive,
  History,
  Hourglass,
  Import,
  Keyboard,
  Lock,
  Pause,
  TriangleAlert,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import { type RetryWait, retryWaitOf } from '../../src-shared/session/retry.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { ShellsButton } from '../background/ShellsButton.tsx';
import { commandById } from '../commands/commands.ts';
import { LedgerStatus } from '../ledger/LedgerStatus.tsx';
import { LibraryStatus } from '../library/LibraryStatus.tsx';
import { formatName } from '../sessions/groups.ts';
import { useReader } from '../state/access-store.ts';
import { type Activity, activityOf, isReadOnly, stopWords, waitWords } from '../state/activity.ts';
import { appStore } from '../state/app-store.ts';
import { clock, counted, whenWords } from '../state/format.ts';
import { awaitedServersWords } from '../state/mcp.ts';
import { retryWords } from '../state/retry-words.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { useOpenSession } from '../state/use-session.ts';
import { announce, viewStore } from '../state/view-store.ts';
import { classes } from '../widgets/classes.ts';
import { FindingsButton } from './FindingsButton.tsx';
import { FollowStatus } from './FollowStatus.tsx';
import { McpButton } from './McpButton.tsx';
import { ModelStatus } from './ModelStatus.tsx';
import { ReadingStatus } from './ReadingStatus.tsx';
import styles from './StatusBar.module.css';
import { TodosButton } from './TodosButton.tsx';

/** How long the last announcement stays in the bar. Screen readers hear it at once, from its own region. */
const ANNOUNCEMENT_MS = 8_000;

/** The bottom line: who runs, who waits for whom, what Esc would do, and what it has cost so far. */
export function StatusBar() {
  const open = useOpenSession();
  const page = useStore(viewStore, (view) => view.page);
  if (page !== 'session') {
    return (
      <footer className={styles.bar} data-testid="status-bar">
        {page === 'ledger' ? <LedgerStatus /> : <LibraryStatus />}
        <Announcement />
      </footer>
    );
  }
  return (
    <footer className={styles.bar} data-testid="status-bar">
      {open === undefined ? <StartStatus /> : <SessionStatus state={open.state} sessionId={open.view.sessionId} />}
    </footer>
  );
}

function StartStatus() {
  const version = useStore(appStore, (app) => app.info?.version);
  return (
    <>
      <button type="button" className={styles.button} onClick={() => commandById('legend.open').run()}>
        <Keyboard aria-hidden="true" size={14} strokeWidth={1.75} />? shows how to read the chart
      </button>
      <Announcement />
      <span className={styles.gap} />
      {version === undefined ? null : <span>Gantry {version}</span>}
    </>
  );
}

function SessionStatus({ state, sessionId }: { readonly state: SessionState; readonly sessionId: SessionId }) {
  const activity = activityOf(state);
  const findings = useStore(
    sessionsStore,
    (view) => view.sessions.find((session) => session.sessionId === sessionId)?.findings ?? 0,
  );
  return (
    <>
      {isReadOnly(state) ? <Provenance state={state} /> : null}
      {isReadOnly(state) && !state.followed ? null : <Now state={state} activity={activity} />}
      <Announcement />
      <span className={styles.gap} />
      <McpButton state={state} sessionId={sessionId} />
      <TodosButton state={state} />
      <ShellsButton state={state} sessionId={sessionId} />
      {findings > 0 ? <FindingsButton sessionId={sessionId} count={findings} /> : null}
      {activity.processes > 0 ? (
        <span className={classes(styles.item, styles.processes)}>
          <Cpu aria-hidden="true" size={14} strokeWidth={1.75} />
          {counted(activity.processes, 'process', 'processes')}
        </span>
      ) : null}
      <ModelStatus state={state} />
      <ReadingStatus sessionId={sessionId} />
      <Kept state={state} />
    </>
  );
}

function Now({ state, activity }: { readonly state: SessionState; readonly activity: Activity }) {
  const { running, asking, paused, inTurn } = activity;
  const waits = waitWords(state, activity);
  const isOthers = useReader(state.sessionId) !== undefined;
  const isReader = isOthers || isReadOnly(state);
  // Where another window or program works in the session Esc stops nothing, and nobody is waited for here.
  const stops = isReader ? undefined : stopWords(state, activity);
  const retry = retryWaitOf(state, MAIN_AGENT);
  return (
    <>
      {asking.length > 0 && !isReader ? <Asking activity={activity} /> : null}
      {running.length > 0 ? (
        <span className={styles.strong}>
          <CircleDot aria-hidden="true" size={14} strokeWidth={1.75} className={styles.runs} />
          {formatCount(running.length)} running
        </span>
      ) : null}
      {paused.length > 0 ? (
        <span className={styles.paused}>
          <Pause aria-hidden="true" size={14} strokeWidth={1.75} />
          {formatCount(paused.length)} at a breakpoint
        </span>
      ) : null}
      {retry === undefined ? null : <Retry wait={retry} />}
      {running.length + asking.length + paused.length === 0 && retry === undefined ? (
        <span className={styles.item}>
          {inTurn ? (awaitedServersWords(state) ?? 'The model is thinking.') : 'Nothing runs.'}
        </span>
      ) : null}
      {waits === undefined ? null : (
        <span className={styles.lock} title={waits}>
          <Lock aria-hidden="true" size={14} strokeWidth={1.75} />
          <span className={styles.text}>{waits}</span>
        </span>
      )}
      {stops === undefined ? null : <span className={styles.item}>{stops}</span>}
    </>
  );
}

/** `The model did not answer. Trying again in 4.2 s.`, with the reason for who asks. */
function Retry({ wait }: { readonly wait: RetryWait }) {
  const now = useLiveNow(true);
  return (
    <span className={styles.lock} data-testid="retry" title={wait.message}>
      <Hourglass aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className={styles.text}>The model did not answer. {retryWords(wait, now)}</span>
    </span>
  );
}

/** `3 wait for you, longest 18 s`; a button, because the board may be on a tab that is not shown. */
function Asking({ activity }: { readonly activity: Activity }) {
  const { asking } = activity;
  const now = useLiveNow(true, 1_000);
  const longest = Math.max(...asking.map((call) => now - (call.asks.at(-1)?.from ?? now)));
  return (
    <button type="button" className={styles.human} onClick={() => commandById('permission.board').run()}>
      <Hand aria-hidden="true" size={14} strokeWidth={1.75} />
      {formatCount(asking.length)} {asking.length === 1 ? 'waits' : 'wait'} for you
      <span className={styles.aside}>
        longest {longest < 60_000 ? `${Math.floor(longest / 1_000)} s` : clock(longest)}
      </span>
    </button>
  );
}

/** Where a file's events come from. */
function Provenance({ state }: { readonly state: SessionState }) {
  const { origin } = state;
  if (origin?.kind !== 'imported') return null;
  return (
    <span className={styles.item} title={origin.path}>
      <Import aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className={styles.text}>
        {formatName(origin.format)}
        {origin.version === undefined ? '' : ` ${origin.version}`}
        {origin.clock === 'order-only' ? ', order of events, no times' : ''}
      </span>
    </span>
  );
}

/** Is what is on screen on disk, and is it all of it? */
function Kept({ state }: { readonly state: SessionState }) {
  const open = useOpenSession();
  const partial = open?.view.partial;
  if (partial !== undefined) {
    return (
      <span className={styles.lock}>
        <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
        {formatCount(partial.read)} of {formatCount(partial.total)} events read
      </span>
    );
  }
  if (state.followed) return <FollowStatus />;
  const recorded = isReadOnly(state);
  const Icon = recorded ? History : HardDrive;
  return (
    <span className={classes(styles.item, styles.kept)}>
      <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
      {recorded ? `recorded ${whenWords(state.startedAt, Date.now())}` : 'journal saved'}
    </span>
  );
}

/** The last announcement, for a while. */
function Announcement() {
  const announcement = useStore(viewStore, (view) => view.announcement);
  const [shown, setShown] = useState('');
  useEffect(() => {
    setShown(announcement);
    if (announcement === '') return;
    const timer = setTimeout(() => announce(''), ANNOUNCEMENT_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  return shown === '' ? null : (
    <span className={styles.announcement} title={shown}>
      {shown}
    </span>
  );
}
