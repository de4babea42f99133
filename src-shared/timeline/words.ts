import { assertNever } from '../assert-never.ts';
import type { FaultKind } from '../debugger/event.ts';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import type { BlockedBy } from '../tool-call/event.ts';
import { isPaused, type ToolCall } from '../tool-call/state.ts';
import type { Timing } from '../tool-call/timing.ts';
import type { Instant, SessionTime } from '../units.ts';
import { barParts, type PartKind, queueEnd } from './parts.ts';

const thousands = new Intl.NumberFormat('en-US');

/** `1,284`. */
export const formatCount = (n: number): string => thousands.format(n);

const two = (n: number): string => String(n).padStart(2, '0');

/** Minutes and seconds as on a stop-watch: `1:04`, `1:02:03`. Takes whole seconds. */
function stopwatch(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A length of time in milliseconds: `12 ms` below a tenth of a second, then `0.8 s`, then `1:04` from a minute on. */
export function formatMillis(ms: number): string {
  if (ms < 99.5) return `${Math.max(0, Math.round(ms))} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  return stopwatch(Math.round(ms / 1000));
}

/** A point in session time, to the hundredth: `15.20 s`, from a minute on `3:53.9`. */
export function formatMoment(t: number): string {
  const hundredths = Math.max(0, Math.round(t / 10));
  if (hundredths < 6000) return `${(hundredths / 100).toFixed(2)} s`;
  const tenths = Math.max(0, Math.round(t / 100));
  return `${stopwatch(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** A wall-clock time of day in the reader's own zone: `10:12:40`. */
export function formatWallTime(at: Instant): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `18 B`, `2.9 KB`, `1.2 MB`: powers of 1024, one decimal, no trailing `.0` (the sizes the model is told, spec 2.8). */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`;
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'NotebookRead']);
const lastSegment = (path: string): string => path.slice(path.replace(/[/\\]+$/, '').search(/[^/\\]+$/));

/** What the bar says: the tool, and the one argument that tells this call from others. Files by their base name. */
export type CallLabel = { readonly tool: string; readonly argument: string };

export function callLabel(call: Pick<ToolCall, 'tool' | 'summary'>): CallLabel {
  const line = call.summary.split('\n', 1)[0]?.trim() ?? '';
  const mcp = /^mcp__(.+?)__(.+)$/.exec(call.tool);
  if (mcp !== null) return { tool: mcp[1] as string, argument: mcp[2] as string };
  if (call.tool === 'Task') return { tool: 'Agent', argument: line };
  return { tool: call.tool, argument: FILE_TOOLS.has(call.tool) ? lastSegment(line) || line : line };
}

/** Cuts to at most `most` characters, the last one then being `…`. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** The call's name in a sentence: `Edit(price.ts)`, `Bash(npm run lint)`. The argument is cut to 40 characters. */
export function callName(call: Pick<ToolCall, 'tool' | 'summary'>): string {
  const { tool, argument } = callLabel(call);
  return argument === '' ? tool : `${tool}(${cutTo(argument, 40)})`;
}

/** `a`, `a and b`, `a, b and 3 more`: at most `most` names before the rest is counted. */
export function listNames(names: readonly string[], most = 3): string {
  if (names.length <= 1) return names[0] ?? '';
  if (names.length <= most) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, most - 1).join(', ')} and ${formatCount(names.length - most + 1)} more`;
}

/** How a call stands or ended, in the words of the legend. */
export function outcomeWords(call: ToolCall): string {
  if (call.phase === 'queued') return 'waiting in the queue';
  if (call.phase === 'executing') {
    if (isPaused(call)) return 'waiting at a breakpoint';
    return call.asks.some((ask) => ask.until === undefined) ? 'waiting for your answer' : 'running';
  }
  const { outcome, exit } = call.end;
  switch (outcome) {
    case 'ok':
      return 'ok';
    case 'error':
      return exit?.signal !== undefined
        ? `error, ${exit.signal}`
        : exit?.code !== undefined
          ? `error, exit ${exit.code}`
          : 'error';
    case 'rejected':
      return 'rejected';
    case 'denied':
      return 'denied';
    case 'cancelled':
      return call.run === undefined ? 'cancelled before start' : 'cancelled while running';
    case 'interrupted':
      return call.run === undefined ? 'interrupted before start' : 'interrupted';
    case 'discarded':
      return call.run === undefined ? 'discarded before start' : 'finished, but discarded';
    case 'unknown':
      return 'end unknown';
    default:
      return assertNever(outcome, 'outcome');
  }
}

type Reason = { readonly why: BlockedBy; by: CallId[]; ms: number };

/** Why the call waited before its start: one entry per reason, holders and times summed, longest first. */
function reasonsOf(call: ToolCall, until: number): Reason[] {
  const reasons: Reason[] = [];
  for (const wait of call.waits) {
    const ms = Math.max(0, Math.min(wait.until ?? until, until) - wait.from);
    const known = reasons.find((reason) => reason.why === wait.why);
    const reason: Reason = known ?? { why: wait.why, by: [], ms: 0 };
    if (known === undefined) reasons.push(reason);
    reason.ms += ms;
    for (const id of wait.by) if (!reason.by.includes(id)) reason.by.push(id);
  }
  return reasons.sort((a, b) => b.ms - a.ms);
}

const namesOf = (state: SessionState, ids: readonly CallId[], name: (call: ToolCall) => string): string =>
  listNames(
    ids.flatMap((id) => {
      const call = callById(state, id);
      return call === undefined ? [] : [name(call)];
    }),
  );

/** The reason as a clause. `still`: the call waits now, so the present tense. */
function clause(state: SessionState, reason: Reason, still: boolean): string {
  const holders = namesOf(state, reason.by, callName);
  const one = reason.by.length <= 1;
  switch (reason.why) {
    case 'lock': {
      if (holders === '') return still ? 'the lock is held' : 'the lock was held';
      const alone = reason.by.some((id) => callById(state, id)?.safety.safe === false);
      const verb = still ? (one ? 'holds' : 'hold') : 'held';
      return `${holders} ${verb} the ${alone ? 'exclusive' : 'shared'} lock`;
    }
    case 'no-lane':
      return still ? 'no lane is free' : 'no lane was free';
    case 'order': {
      if (holders === '') return `an earlier call ${still ? 'goes' : 'went'} first`;
      // A safe call may not overtake one that needs the lock alone.
      const alone = one && reason.by.some((id) => callById(state, id)?.safety.safe === false);
      return `${holders}${alone ? ', which is exclusive,' : ''} ${still ? (one ? 'goes' : 'go') : 'went'} first`;
    }
    case 'message-open':
      return `the model ${still ? 'is' : 'was'} still writing its message`;
    case 'batch':
      return holders === ''
        ? `an earlier batch ${still ? 'runs' : 'ran'} first`
        : `${holders} of an earlier batch ${still ? (one ? 'runs' : 'run') : 'ran'} first`;
    case 'hold':
      return still ? 'the queue is held' : 'the queue was held';
    case 'settings':
      return `unsafe calls ${still ? 'wait' : 'waited'} for the end of the message`;
    default:
      return assertNever(reason.why, 'reason to wait');
  }
}

/** Waits shorter than this are the scheduler's own time, not news. */
const NEWS_MS = 0.5;

/**
 * Why a call did not start at once, in one sentence without a full stop:
 * `Edit(price.ts) waited 0.8 s: Read(README.md) and Grep(TODO) held the shared lock`.
 * A call that still waits is told in the present tense, up to `now`.
 */
export function whyItWaited(state: SessionState, call: ToolCall, now: SessionTime = state.now): string {
  const name = callName(call);
  const still = call.phase === 'queued' && state.ended === undefined;
  const until = queueEnd(call) ?? now;
  const waited = until - call.queuedAt;
  if (waited < NEWS_MS) return `${name} did not wait`;
  const verb = still ? 'has waited' : 'waited';
  const reasons = reasonsOf(call, until).filter((reason) => reason.ms >= NEWS_MS || still);
  const [first] = reasons;
  if (first === undefined) return `${name} ${verb} ${formatMillis(waited)}, the reason is not recorded`;
  if (reasons.length === 1) return `${name} ${verb} ${formatMillis(waited)}: ${clause(state, first, still)}`;
  const clauses = reasons.map((reason) => `${formatMillis(reason.ms)} as ${clause(state, reason, false)}`);
  return `${name} ${verb} ${formatMillis(waited)}: ${clauses.join(', ')}`;
}

/** The wait before the start as a phrase for lists: `waited 5.2 s for Agent`, `waited 0.4 s, no lane was free`. */
function waitPhrase(state: SessionState, call: ToolCall, now: SessionTime): string | undefined {
  const until = queueEnd(call) ?? now;
  const waited = until - call.queuedAt;
  if (waited < NEWS_MS) return undefined;
  const [first] = reasonsOf(call, until);
  const length = formatMillis(waited);
  const verb = call.phase === 'queued' ? 'has waited' : 'waited';
  if (first === undefined) return `${verb} ${length}`;
  const holders = namesOf(state, first.by, (holder) => callLabel(holder).tool);
  if (holders !== '' && (first.why === 'lock' || first.why === 'order' || first.why === 'batch')) {
    return `${verb} ${length} for ${holders}`;
  }
  return `${verb} ${length}, ${clause(state, first, false)}`;
}

/** What each fault does, in a few words. */
export const FAULT_WORDS: Readonly<Record<FaultKind, string>> = {
  delay: 'delayed',
  fail: 'made to fail',
  hang: 'made to hang',
  'break-stream': 'the stream broken behind it',
  'slow-permission': 'permission slowed down',
};

const SPOKEN: Readonly<Record<PartKind, string | undefined>> = {
  hooks: 'hooks',
  permission: 'permission',
  paused: 'at a breakpoint',
  running: 'ran',
  saving: 'saving output',
  empty: undefined,
};

/** How long the call spent in each part of its bar, in the order of the bar, equal kinds summed. */
export function partTimes(
  call: ToolCall,
  now: SessionTime,
): readonly { readonly kind: PartKind; readonly ms: number }[] {
  const sums = new Map<PartKind, number>();
  for (const part of barParts(call)) {
    sums.set(part.kind, (sums.get(part.kind) ?? 0) + Math.max(0, (part.until ?? now) - part.from));
  }
  return [...sums].map(([kind, ms]) => ({ kind, ms }));
}

/** `start: not recorded, between 12.4 s and 14.1 s, from block time`; undefined for what was measured. */
export function inferredWords(what: 'start' | 'end', timing: Timing): string | undefined {
  if (timing.certainty === 'measured') return undefined;
  const from = `from ${timing.source.replaceAll('-', ' ')}`;
  const span =
    timing.latest - timing.earliest < 1
      ? `about ${formatMillisAt(timing.earliest)}`
      : `between ${formatMillisAt(timing.earliest)} and ${formatMillisAt(timing.latest)}`;
  return `${what}: not recorded, ${span}, ${from}`;
}

const formatMillisAt = (t: number): string => (t < 60_000 ? `${(t / 1000).toFixed(1)} s` : formatMoment(t));

/**
 * The accessible name of a call's bar:
 * `Edit price.ts, lane 1, waited 5.2 s for Agent, hooks 0.3 s, ran 0.2 s, ok, 4 of 17`.
 * Lengths that still grow are left out, so that the name of a running call stays the same.
 */
export function callSentence(state: SessionState, call: ToolCall, now: SessionTime = state.now): string {
  const { tool, argument } = callLabel(call);
  const phrases = [argument === '' ? tool : `${tool} ${cutTo(argument, 80)}`];
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run !== undefined) phrases.push(`lane ${run.lane + 1}`);
  if (call.phase !== 'queued') {
    const waited = waitPhrase(state, call, now);
    if (waited !== undefined) phrases.push(waited);
  }
  if (run !== undefined && call.phase !== 'executing') {
    for (const { kind, ms } of partTimes(call, now)) {
      const word = SPOKEN[kind];
      if (word !== undefined && (ms >= NEWS_MS || kind === 'running')) phrases.push(`${word} ${formatMillis(ms)}`);
    }
    if (run.timing.certainty === 'inferred') phrases.push('start inferred');
  }
  if (call.phase === 'queued') phrases.push(queuedPhrase(state, call));
  else phrases.push(outcomeWords(call));
  const at = state.callIndex[call.callId];
  if (at !== undefined) phrases.push(`${formatCount(at + 1)} of ${formatCount(state.calls.length)}`);
  return phrases.join(', ');
}

/** What a queued call waits for now: `waits for Read and Grep`, `no lane free`. */
function queuedPhrase(state: SessionState, call: ToolCall): string {
  const wait = call.waits.at(-1);
  if (wait === undefined) return 'queued';
  const holders = namesOf(state, wait.by, (holder) => callLabel(holder).tool);
  if (holders !== '') return `waits for ${holders}`;
  return wait.why === 'no-lane' ? 'no lane free' : clause(state, { why: wait.why, by: [], ms: 0 }, true);
}
