import type { CallId } from '../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState, Turn } from '../../src-shared/session/state.ts';
import { callById } from '../../src-shared/session/state.ts';
import { endOfTurn, mainTurns, turnOf } from '../../src-shared/turns/turn-of.ts';
import type { SessionTime } from '../../src-shared/units.ts';
import { commandOf } from '../../src-shared/what-if/accesses.ts';
import { whyNotPlayed } from '../../src-shared/what-if/availability.ts';
import { type CommandFacts, recordSteps } from '../../src-shared/what-if/recorded.ts';
import type { Steps } from '../../src-shared/what-if/steps.ts';
import type { TouchedFiles } from '../../src-shared/what-if/touched.ts';
import { answerSteps, askSteps, shortRows } from '../../src-shared/what-if/what-if.ts';
import { request } from '../bridge.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { NOTHING, type Subject, type TableRow, variantOf, type WhatIf, whatIfStore } from './what-if-store.ts';

/** A list that main answers in one go, well under 50 ms. */
const COMMANDS_AT_ONCE = 50;
const known = new Map<string, TouchedFiles>();
const MOST_KNOWN = 5_000;

/** Lets the page draw and take input between two parts of a long job. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const SLICE_MS = 12;

/** Does long work slice by slice. Undefined when it is no longer wanted. */
async function inSlices<T>(steps: Steps<T>, isWanted: () => boolean): Promise<T | undefined> {
  for (;;) {
    await pause();
    if (!isWanted()) return undefined;
    for (const end = performance.now() + SLICE_MS; performance.now() < end; ) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }
}

/**
 * The main agent's turn that a person looks at: that of the selected call, else the one at the playhead, else the newest
 * one that has ended, else the one that runs.
 */
export function turnInFocus(
  state: SessionState,
  selected: CallId | undefined,
  playhead?: SessionTime | undefined,
): Turn | undefined {
  const call = selected === undefined ? undefined : callById(state, selected);
  if (call === undefined && playhead !== undefined) return turnOf(state, { t: playhead });
  if (call === undefined) {
    const ended = mainTurns(state).findLast((turn) => turn.end !== undefined || state.ended !== undefined);
    return ended ?? turnOf(state, {});
  }
  return call.agentId === MAIN_AGENT ? turnOf(state, { callId: call.callId }) : turnOf(state, { t: call.queuedAt });
}

/** What main knows of the commands of a turn. Without an answer less is known, and the numbers say so. */
async function factsOf(state: SessionState, turn: Turn): Promise<CommandFacts> {
  const until = endOfTurn(state, turn);
  const calls = state.calls.filter(
    (call) => call.queuedAt >= turn.from && call.queuedAt <= until && commandOf(call) !== undefined,
  );
  const keyOf = (command: string): string => `${state.cwd}\n${command}`;
  const commands = [...new Set(calls.flatMap((call) => commandOf(call) ?? []))];
  const asked = commands.filter((command) => !known.has(keyOf(command)));
  if (known.size + asked.length > MOST_KNOWN) known.clear();
  for (let at = 0; at < asked.length; at += COMMANDS_AT_ONCE) {
    const some = asked.slice(at, at + COMMANDS_AT_ONCE);
    const answers = await request('what-if.commands', { cwd: state.cwd, commands: some }).catch(() => []);
    for (const [i, files] of answers.entries()) known.set(keyOf(some[i] as string), files);
  }
  return new Map(
    calls.flatMap((call) => {
      const files = known.get(keyOf(commandOf(call) ?? ''));
      return files === undefined ? [] : [[call.callId, files] as const];
    }),
  );
}

/** Counts jobs: one that is no longer the newest stops at its next pause. */
let newest = 0;
let subjectKey = '';
/** Which turn of which session, in which version. */
function keyOf(turn: Turn | undefined): string {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return '';
  const { turnId, end } = turn ?? {};
  return `${view.sessionId} ${turnId} ${end?.at} ${view.state.ended}`;
}

/** Finds the turn in focus and computes it, unless it is the one that is shown. */
function refresh(): void {
  const view = sessionStore.getState();
  const turn =
    view.phase === 'open'
      ? turnInFocus(view.state, viewStore.getState().selectedCall, playheadStore.getState().t)
      : undefined;
  const key = keyOf(turn);
  if (key === subjectKey) return;
  subjectKey = key;
  newest += 1;
  const why = view.phase === 'open' ? whyNotPlayed(view.state, turn) : undefined;
  if (view.phase !== 'open' || turn === undefined || why !== undefined) {
    whatIfStore.setState({ ...NOTHING, phase: 'none', why });
    return;
  }
  whatIfStore.setState({ ...NOTHING, phase: 'computing' });
  void computeTurn(newest, view.state, turn);
}

async function computeTurn(job: number, state: SessionState, turn: Turn): Promise<void> {
  const view = sessionStore.getState();
  if (view.phase !== 'open') return;
  const facts = await factsOf(state, turn);
  if (job !== newest) return;
  const isWanted = (): boolean => job === newest;
  const work = await inSlices(recordSteps(state, turn, facts), isWanted);
  if (work === undefined) return;
  const question = await inSlices(askSteps(work, state.cwd, facts), isWanted);
  if (question === undefined) return;
  const number = state.turns.filter(({ agentId }) => agentId === turn.agentId).indexOf(turn) + 1;
  const subject: Subject = { sessionId: view.sessionId, state, turn, number, question };
  whatIfStore.setState({ subject });
  await computeRows(job, subject);
}

/** One set of rules at a time. The chosen one comes first. */
async function computeRows(job: number, subject: Subject): Promise<void> {
  const { question } = subject;
  await computeVariant();
  const rows: TableRow[] = [];
  for (const row of shortRows(question)) {
    const { safety } = whatIfStore.getState();
    const rules = { strategy: row.strategy, cascade: row.cascade, safety };
    const outcome = await inSlices(answerSteps(question, rules), () => job === newest);
    if (outcome === undefined) return;
    rows.push({ row, outcome });
    whatIfStore.setState({ rows: withoutTwins(rows) });
  }
  whatIfStore.setState({ phase: 'ready' });
}

/** Policies whose culprits differ may still come to the same: one row then. */
function withoutTwins(rows: readonly TableRow[]): readonly TableRow[] {
  const kept = new Map<string, TableRow>();
  for (const one of rows) {
    const { numbers, differences } = one.outcome;
    const key = JSON.stringify([
      one.row.strategy,
      numbers.wallMs,
      numbers.cancelled,
      numbers.lostMs,
      differences.length,
    ]);
    const same = kept.get(key);
    const alike = [...new Set([...(same?.row.alike ?? []), ...one.row.alike])];
    kept.set(key, same === undefined ? one : { ...same, row: { ...same.row, alike } });
  }
  return [...kept.values()];
}

let newestVariant = 0;

/** The rules that are chosen. What is computed for others in between is dropped. */
async function computeVariant(): Promise<void> {
  const now = whatIfStore.getState();
  const { subject, safety } = now;
  const variant = variantOf(now);
  if (subject === undefined || variant === undefined) return;
  newestVariant += 1;
  const own = newestVariant;
  const isWanted = (): boolean => own === newestVariant && whatIfStore.getState().subject === subject;
  const outcome = await inSlices(answerSteps(subject.question, { ...variant, safety }), isWanted);
  if (outcome !== undefined) whatIfStore.setState({ outcome });
}

function followChoice(now: WhatIf, before: WhatIf): void {
  if (now.safety !== before.safety && now.subject !== undefined) {
    newest += 1;
    whatIfStore.setState({ phase: 'computing' });
    void computeRows(newest, now.subject);
  } else if (now.variant !== before.variant) void computeVariant();
}

let watchers = 0;
let stopWatching: (() => void) | undefined;

/** Keeps the comparison in step with session and selection while somebody looks at it. Returns the way to stop. */
export function watchTurn(): () => void {
  watchers += 1;
  if (watchers === 1) {
    const stops = [
      sessionStore.subscribe(refresh),
      viewStore.subscribe((now, before) => {
        if (now.selectedCall !== before.selectedCall) refresh();
      }),
      playheadStore.subscribe((now, before) => {
        if (now.position !== before.position) refresh();
      }),
      whatIfStore.subscribe(followChoice),
    ];
    stopWatching = () => {
      for (const stop of stops) stop();
    };
    refresh();
  }
  return () => {
    watchers -= 1;
    if (watchers > 0) return;
    stopWatching?.();
    newest += 1;
    subjectKey = '';
    whatIfStore.setState(NOTHING);
  };
}
