import type { CallId } from '../../src-shared/ids.ts';
import { isOver } from '../../src-shared/session/is-over.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { callLabel, callName, cutTo, formatCount, listNames } from '../../src-shared/timeline/words.ts';
import { isPaused, type ToolCall } from '../../src-shared/tool-call/state.ts';
import { counted } from './format.ts';

/** What goes on in a session right now: the facts behind the status bar. */
export type Activity = {
  readonly running: readonly ToolCall[];
  /** Executing, but it waits for a person's answer. */
  readonly asking: readonly ToolCall[];
  /** Executing, but it waits at a breakpoint. */
  readonly paused: readonly ToolCall[];
  readonly queued: readonly ToolCall[];
  /** Processes that live. */
  readonly processes: number;
  /** A turn of any agent is open. */
  readonly inTurn: boolean;
};

export const IDLE: Activity = { running: [], asking: [], paused: [], queued: [], processes: 0, inTurn: false };

/** Is a turn or a call open? */
export const isAtWork = ({ inTurn, running, asking, paused, queued }: Activity): boolean =>
  inTurn || running.length + asking.length + paused.length + queued.length > 0;

const isAsking = (call: ToolCall): boolean => {
  const ask = call.asks.at(-1);
  return ask !== undefined && ask.until === undefined;
};

/** The last answer: title bar, toolbar, status bar and keyboard ask the same question within a frame. */
let last: { readonly state: SessionState; readonly mark: string; readonly activity: Activity } | undefined;

/** Calls of a file whose recording ended early are not activity: nothing of an imported or ended session goes on. */
export function activityOf(state: SessionState): Activity {
  const mark = `${state.nextSeq} ${state.followed}`;
  if (last?.state !== state || last.mark !== mark) last = { state, mark, activity: workOut(state) };
  return last.activity;
}

function workOut(state: SessionState): Activity {
  if (isOver(state)) return IDLE;
  const running: ToolCall[] = [];
  const asking: ToolCall[] = [];
  const paused: ToolCall[] = [];
  const queued: ToolCall[] = [];
  let processes = 0;
  for (const call of state.calls) {
    if (call.phase === 'queued') queued.push(call);
    else if (call.phase === 'executing') (isAsking(call) ? asking : isPaused(call) ? paused : running).push(call);
    else continue;
    for (const process of call.processes) if (process.until === undefined) processes++;
  }
  return { running, asking, paused, queued, processes, inTurn: state.turns.some((turn) => turn.end === undefined) };
}

/** A call in the status bar, where room is short: the command alone, or `Edit(price.ts)`. */
const shortName = (call: ToolCall): string => {
  const { tool, argument } = callLabel(call);
  return tool === 'Bash' && argument !== '' ? cutTo(argument, 28) : callName(call);
};

const namesOf = (state: SessionState, ids: readonly CallId[]): readonly string[] =>
  ids.flatMap((id) => {
    const call = callById(state, id);
    // The journal names those that a wait began with; some may have ended since.
    return call === undefined || 'end' in call ? [] : [shortName(call)];
  });

const verb = (n: number): string => (n === 1 ? 'waits' : 'wait');

/** Who waits for whom, in one sentence; undefined when nobody waits. `1 waits for npm test and npm run lint`. */
export function waitWords(state: SessionState, activity: Activity): string | undefined {
  const first = activity.queued[0];
  if (first === undefined) return undefined;
  const n = activity.queued.length;
  const subject = `${formatCount(n)} ${verb(n)}`;
  const wait = first.waits.at(-1);
  switch (wait?.why) {
    case 'lock':
    case 'order': {
      const asking = new Set(activity.asking.map((call) => call.callId));
      if (wait.by.length > 0 && wait.by.every((id) => asking.has(id))) {
        return `${subject} for ${asking.size === 1 ? 'this call' : 'these calls'}`;
      }
      const names = namesOf(state, wait.by);
      return names.length === 0 ? subject : `${subject} for ${listNames(names)}`;
    }
    case 'no-lane':
      return `${subject}, no lane free`;
    case 'message-open':
      return `${subject} for the end of the message`;
    case 'batch':
      return `${subject} for the batch before`;
    case 'hold':
      return `${subject}, the queue is held`;
    case 'settings':
    case undefined:
      return subject;
  }
}

/** Tools that run to their end when a message interrupts, where the journal does not say it: half a write is worse than a wait. */
const WRITERS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

const runsToItsEnd = (call: ToolCall): boolean =>
  call.onInterrupt === undefined ? WRITERS.has(call.tool) : call.onInterrupt === 'block';

/**
 * What Esc would do now, or what the stop that was asked for still waits for. Undefined when nothing can be stopped.
 * `Esc stops both commands` · `waiting for Edit to finish`.
 */
export function stopWords(state: SessionState, activity: Activity): string | undefined {
  const executing = [...activity.running, ...activity.asking, ...activity.paused];
  const stopping = executing.filter((call) => call.cancellation !== undefined);
  const held = executing.filter(runsToItsEnd);
  const awaited = stopping.length > 0 ? stopping : state.queuedMessages.length > 0 ? held : [];
  const [first] = awaited;
  if (first !== undefined) {
    return `waiting for ${awaited.length === 1 ? callLabel(first).tool : counted(awaited.length, 'call')} to finish`;
  }
  if (!activity.inTurn) return undefined;
  return `Esc stops ${stoppedNoun(executing)}`;
}

function stoppedNoun(executing: readonly ToolCall[]): string {
  const [first] = executing;
  if (first === undefined) return 'the turn';
  if (executing.length === 1) return shortName(first);
  const noun = executing.every((call) => call.tool === 'Bash') ? 'command' : 'call';
  return executing.length === 2 ? `both ${noun}s` : counted(executing.length, noun);
}

/** What was stopped, for the status bar and screen readers, right after Esc. */
export function stoppedWords(activity: Activity): string {
  const executing = [...activity.running, ...activity.asking, ...activity.paused];
  return executing.length === 0 ? 'Stopped the turn.' : `Stopped the turn: ${listNames(executing.map(shortName))}.`;
}

/** Nobody may type into it or stop it: it was read from a file. */
export const isReadOnly = (state: SessionState): boolean => state.origin?.kind === 'imported';
