import type { CallId } from '../ids.ts';
import {
  allAtOnceInSteps,
  numberedBatches,
  type SimulatedCall,
  type SimulatedMessage,
  type SimulatedRun,
  type Simulation,
  simulateInSteps,
} from '../scheduler/simulate.ts';
import { isEnded } from '../timeline/parts.ts';
import type { CancelReason } from '../tool-call/event.ts';
import type { Length, RecordedCall, RecordedWork, Round } from './recorded.ts';
import { isSafeUnder, type Rules } from './rules.ts';
import { allSteps, CALLS_A_STEP, type Steps } from './steps.ts';

/** What becomes of a call under some rules. Times in milliseconds from the start of the work. */
export type PlayedCall = {
  readonly recorded: RecordedCall;
  readonly arrivedAt: number;
  readonly start: { readonly at: number; readonly lane: number } | undefined;
  /** Its end, or its cancellation if it never started. */
  readonly endedAt: number;
  readonly cancelled:
    | { readonly at: number; readonly reason: CancelReason; readonly culprit: CallId | undefined }
    | undefined;
  /** It works for an agent, and fell with the call of that agent. */
  readonly fellWithParent: boolean;
  /** Of how long it runs by itself. Only what ran to its own end rests on it. */
  readonly known: Length['known'];
};

/** The work of an agent played under some rules, those of the agents below it among its calls. */
export type PlayedWork = {
  /** How long it took, in milliseconds. */
  readonly wallMs: number;
  readonly calls: readonly PlayedCall[];
};

/** A call that was stopped in the recording counts as stopped again if it happens this soon after. Clocks differ. */
const SLACK_MS = 100;
/** So often the lengths that are known as lower bounds are looked at again. */
const MOST_ROUNDS = 8;

/** Plays recorded work under other rules. The same work and rules always give the same. */
export const play = (work: RecordedWork, rules: Rules): PlayedWork => allSteps(playSteps(work, rules));

export function* playSteps(work: RecordedWork, rules: Rules): Steps<PlayedWork> {
  const calls: PlayedCall[] = [];
  let told = 0;
  let at = 0;
  let started = 0;
  for (const round of work.rounds) {
    started = Math.max(started, at + round.lead);
    const played = yield* playRound(round, rules);
    for (const call of played.calls) calls.push(shifted(call, started));
    at = started + played.wallMs;
    if (calls.length - told < CALLS_A_STEP) continue;
    told = calls.length;
    yield;
  }
  return { calls, wallMs: at + work.tail };
}

/** The calls of a call's agents, and how long the call itself runs with them. */
type WithBelow = {
  readonly length: Length;
  readonly below: readonly { readonly lead: number; readonly work: PlayedWork }[];
};

function* playRound(round: Round, rules: Rules): Steps<PlayedWork> {
  const withBelow: WithBelow[] = [];
  for (const recorded of round.calls) withBelow.push(yield* playBelow(recorded, rules));
  const simulation = yield* settleLengths(round, rules, withBelow);
  const calls: PlayedCall[] = [];
  for (const [at, run] of simulation.runs.entries()) {
    const recorded = round.calls[at] as RecordedCall;
    const { length, below } = withBelow[at] as WithBelow;
    const played = playedCall(run, recorded, length, simulation.endsAt);
    calls.push(played);
    for (const { lead, work } of below) calls.push(...placeBelow(played, lead, work));
  }
  // A person who stops a turn does so at their own time, also when there is nothing left to stop.
  const stops = round.inputs.flatMap((input) => (input.do === 'escape' || input.do === 'shutdown' ? input.at : []));
  return { calls, wallMs: Math.max(simulation.endsAt, ...stops) };
}

/** Agents below a call first: how long they take decides how long the call runs. */
function* playBelow(recorded: RecordedCall, rules: Rules): Steps<WithBelow> {
  const { call, length } = recorded;
  const run = call.phase === 'queued' ? undefined : call.run;
  const end = isEnded(call) ? call.end.at : undefined;
  if (recorded.below.length === 0 || run === undefined) return { length, below: [] };
  const below: { readonly lead: number; readonly work: PlayedWork }[] = [];
  for (const work of recorded.below) {
    below.push({ lead: Math.max(0, work.from - run.at), work: yield* playSteps(work, rules) });
  }
  const lastUntil = Math.max(...recorded.below.map(({ until }) => until));
  // Work in the background goes on behind its call, which does not wait for it.
  if (end === undefined || lastUntil > end) return { length, below };
  const ms = Math.max(...below.map(({ lead, work }) => lead + work.wallMs)) + (end - lastUntil);
  const isWhole = length.known === 'whole' && below.every(({ work }) => !restsOnBounds(work));
  return { length: { ms, known: isWhole ? 'whole' : 'at-least' }, below };
}

/**
 * A call that was stopped in the recording would have gone on for nobody knows how long. It is played as one that only
 * ends when it is told to, as in the recording; where that does not happen soon enough, it ends when it was stopped.
 */
function* settleLengths(round: Round, rules: Rules, withBelow: readonly WithBelow[]): Steps<Simulation> {
  const open = new Set<number>();
  for (const [at, { length }] of withBelow.entries()) if (length.known === 'at-least') open.add(at);
  for (let attempt = 0; open.size > 0 && attempt < MOST_ROUNDS; attempt++) {
    const simulation = yield* simulateRound(round, rules, withBelow, open);
    const size = open.size;
    for (const at of open) {
      const run = simulation.runs[at] as SimulatedRun;
      const { length } = withBelow[at] as WithBelow;
      const stoppedAfter = (run.cancelled?.at ?? Number.POSITIVE_INFINITY) - (run.start?.at ?? 0);
      if (run.start !== undefined && stoppedAfter > length.ms + SLACK_MS) open.delete(at);
    }
    if (open.size === size) return simulation;
  }
  return yield* simulateRound(round, rules, withBelow, new Set());
}

/** @param open calls, by place, that end only when they are told to. */
function* simulateRound(
  round: Round,
  rules: Rules,
  withBelow: readonly WithBelow[],
  open: ReadonlySet<number>,
): Steps<Simulation> {
  const calls = round.calls.map((recorded, at): SimulatedCall => {
    const { call, arrives, kind, fails, isBroken, endsTurn, stopsAfter } = recorded;
    const { length } = withBelow[at] as WithBelow;
    return {
      callId: call.callId,
      safe: isSafeUnder(call, rules.safety),
      kind,
      onInterrupt: call.onInterrupt ?? 'block',
      arrives,
      runs: open.has(at) ? Number.POSITIVE_INFINITY : length.ms,
      fails,
      endsTurn,
      stopsAfter,
      ...(isBroken ? { broken: true as const } : {}),
    };
  });
  const message: SimulatedMessage = {
    calls,
    inputs: round.inputs,
    ends: { at: round.messageEnds, how: round.how },
  };
  const { strategy = round.rules.strategy } = rules;
  if (strategy === 'all-at-once') return yield* allAtOnceInSteps(message);
  return yield* simulateInSteps(message, {
    strategy,
    cascade: rules.cascade ?? round.rules.cascade,
    cap: rules.cap ?? round.rules.cap,
    startUnsafe: round.rules.startUnsafe,
    newBatchId: numberedBatches(),
  });
}

function playedCall(run: SimulatedRun, recorded: RecordedCall, length: Length, endsAt: number): PlayedCall {
  const { arrivedAt, start, endedAt, cancelled } = run;
  return {
    recorded,
    arrivedAt,
    start: start === undefined ? undefined : { at: start.at, lane: start.lane },
    endedAt: endedAt ?? endsAt,
    cancelled,
    fellWithParent: false,
    known: length.known,
  };
}

/** The calls of an agent below a call, from when that call started, as far as it got. */
function placeBelow(parent: PlayedCall, lead: number, work: PlayedWork): readonly PlayedCall[] {
  if (parent.start === undefined) return [];
  const from = parent.start.at + lead;
  const placed = work.calls.map((call) => shifted(call, from));
  const { cancelled } = parent;
  return cancelled === undefined ? placed : placed.flatMap((call) => cut(call, cancelled));
}

/** What an agent's call comes to when everything is told to stop at a moment. */
function cut(call: PlayedCall, stop: NonNullable<PlayedCall['cancelled']>): readonly PlayedCall[] {
  if (call.arrivedAt >= stop.at) return [];
  if (call.endedAt <= stop.at) return [call];
  const isRunning = call.start !== undefined && call.start.at < stop.at;
  return [
    {
      ...call,
      start: isRunning ? call.start : undefined,
      endedAt: isRunning ? Math.min(call.endedAt, stop.at + call.recorded.stopsAfter) : stop.at,
      cancelled: stop,
      fellWithParent: true,
    },
  ];
}

const shifted = (call: PlayedCall, by: number): PlayedCall => ({
  ...call,
  arrivedAt: call.arrivedAt + by,
  start: call.start === undefined ? undefined : { at: call.start.at + by, lane: call.start.lane },
  endedAt: call.endedAt + by,
  cancelled: call.cancelled === undefined ? undefined : { ...call.cancelled, at: call.cancelled.at + by },
});

/** Calls that ran to an end that is not known: all times of the work may be longer. */
export const boundsOf = (work: PlayedWork): readonly PlayedCall[] =>
  work.calls.filter((call) => call.start !== undefined && call.cancelled === undefined && call.known !== 'whole');

const restsOnBounds = (work: PlayedWork): boolean => boundsOf(work).length > 0;
