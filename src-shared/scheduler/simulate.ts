import type { BatchId, CallId } from '../ids.ts';
import type { BlockedBy, CancelReason } from '../tool-call/event.ts';
import { createScheduler } from './create-scheduler.ts';
import { Heap } from './heap.ts';
import type { Decision, MessageEnd, ScheduledCall, Scheduler, SchedulerOptions } from './types.ts';

/**
 * A point of the virtual clock, or a length on it, in whatever unit the caller counts: milliseconds in the what-if view,
 * ticks in the tests. The clock starts at 0.
 */
type Time = number;

/** A call and how it would go by itself. */
export type SimulatedCall = ScheduledCall & {
  /** When its block arrives. Never counts as earlier than the block before it. */
  readonly arrives: Time;
  /** How long it runs. `Infinity`: until it is told to stop. */
  readonly runs: Time;
  /** `runs` is only what was seen of it, since it was cancelled in the recording. */
  readonly runsAtLeast?: boolean;
  /** How long it goes on after it was told to stop; 0 by default. */
  readonly stopsAfter?: Time;
  /** Ends with a failure of its own. */
  readonly fails?: boolean;
  /** Returns a context modifier. */
  readonly modifies?: boolean;
  /** With its end the whole turn ends, since a person refused it without a word: all others stop first (spec 1.7). */
  readonly endsTurn?: boolean;
};

/** What comes from outside while the calls run. */
export type SimulatedInput = {
  readonly at: Time;
  readonly do: 'interrupt' | 'escape' | 'shutdown' | 'discard' | 'hold' | 'release' | 'step';
};

export type SimulatedMessage = {
  /** In call order. Ids must differ. */
  readonly calls: readonly SimulatedCall[];
  readonly inputs?: readonly SimulatedInput[];
  /** By default well, and with the last block. Never counts as earlier than that. */
  readonly ends?: { readonly at?: Time; readonly how?: MessageEnd };
};

/** What became of one call. */
export type SimulatedRun = {
  readonly call: SimulatedCall;
  readonly arrivedAt: Time;
  /** Undefined for a call that never started. */
  readonly start: { readonly at: Time; readonly lane: number; readonly batchId: BatchId } | undefined;
  /** When it was completed: its own end, or its cancellation if it never started. Undefined for one that hangs on. */
  readonly endedAt: Time | undefined;
  /** Undefined after a discard, and behind a call that hangs on. */
  readonly yieldedAt: Time | undefined;
  /** The last that was told, since a later one is for a stronger reason. `at` is when it was told first. */
  readonly cancelled:
    | { readonly at: Time; readonly reason: CancelReason; readonly culprit: CallId | undefined }
    | undefined;
  readonly waits: readonly { readonly at: Time; readonly why: BlockedBy; readonly by: readonly CallId[] }[];
};

/** One input to the scheduler and what it decided. */
export type SimulatedStep = {
  readonly at: Time;
  readonly what: 'arrive' | 'settle' | 'message-end' | SimulatedInput['do'];
  /** The call that arrived or settled. */
  readonly callId: CallId | undefined;
  readonly decisions: readonly Decision[];
};

export type Simulation = {
  /** In call order. */
  readonly runs: readonly SimulatedRun[];
  readonly steps: readonly SimulatedStep[];
  /** When the message and all its calls were over: the wall time of the whole. */
  readonly endsAt: Time;
  /** Everything came to its end; false if a call hangs on or the debugger holds the queue. */
  readonly done: boolean;
  /** A call ran to its end whose length is known as a lower bound only: all times may be longer. */
  readonly isLowerBound: boolean;
};

/** Makes ids `batch-0`, `batch-1`, … */
export function numberedBatches(): () => BatchId {
  let count = 0;
  return () => `batch-${count++}` as BatchId;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Run = Mutable<Omit<SimulatedRun, 'waits'>> & { readonly waits: SimulatedRun['waits'][number][] };

/** What happens first at the same time: a call that ends makes room before the next thing asks for it. */
const TURN = { settle: 0, input: 1, arrive: 2, 'message-end': 3 } as const;
type Happening = { readonly at: Time; readonly what: keyof typeof TURN; readonly index: number };

const isEarlier = (a: Happening, b: Happening): boolean =>
  a.at !== b.at ? a.at < b.at : TURN[a.what] !== TURN[b.what] ? TURN[a.what] < TURN[b.what] : a.index < b.index;

function agendaOf(message: SimulatedMessage): Heap<Happening> {
  const agenda = new Heap<Happening>(isEarlier);
  let lastArrival = 0;
  for (const [index, call] of message.calls.entries()) {
    lastArrival = Math.max(lastArrival, call.arrives);
    agenda.push({ at: lastArrival, what: 'arrive', index });
  }
  for (const [index, { at }] of (message.inputs ?? []).entries()) agenda.push({ at, what: 'input', index });
  agenda.push({ at: Math.max(lastArrival, message.ends?.at ?? 0), what: 'message-end', index: 0 });
  return agenda;
}

function give(scheduler: Scheduler, input: SimulatedInput['do']): readonly Decision[] {
  switch (input) {
    case 'discard':
      return scheduler.discard();
    case 'hold':
      return scheduler.hold(true);
    case 'release':
      return scheduler.hold(false);
    case 'step':
      return scheduler.step();
    default:
      return scheduler.interrupt(input);
  }
}

/** Writes down what becomes of each call, and turns decisions into what happens later on the virtual clock. */
class Follower {
  readonly runs: Run[] = [];
  private readonly byId = new Map<CallId, number>();
  private readonly agenda: Heap<Happening>;

  constructor(agenda: Heap<Happening>) {
    this.agenda = agenda;
  }

  arrived(call: SimulatedCall, at: Time): void {
    this.byId.set(call.callId, this.runs.length);
    const open = { start: undefined, endedAt: undefined, yieldedAt: undefined, cancelled: undefined };
    this.runs.push({ call, arrivedAt: at, ...open, waits: [] });
  }

  follow(decisions: readonly Decision[], at: Time): void {
    for (const decision of decisions) {
      if (!('callId' in decision)) continue;
      const index = this.byId.get(decision.callId) as number;
      this.apply(decision, this.runs[index] as Run, index, at);
    }
  }

  private apply(decision: Extract<Decision, { callId: CallId }>, run: Run, index: number, at: Time): void {
    switch (decision.type) {
      case 'start':
        run.start = { at, lane: decision.lane, batchId: decision.batchId };
        if (Number.isFinite(run.call.runs)) this.agenda.push({ at: at + run.call.runs, what: 'settle', index });
        return;
      case 'cancel':
        if (!decision.hadStarted) run.endedAt = at;
        else if (run.cancelled === undefined) {
          this.agenda.push({ at: at + (run.call.stopsAfter ?? 0), what: 'settle', index });
        }
        run.cancelled = { at: run.cancelled?.at ?? at, reason: decision.reason, culprit: decision.culprit };
        return;
      case 'yield':
        run.yieldedAt = at;
        return;
      case 'blocked':
        run.waits.push({ at, why: decision.why, by: decision.by });
        return;
    }
  }
}

/** A simulation in parts of a few milliseconds each, so that a page can draw in between. */
export type SimulationSteps = Generator<undefined, Simulation, void>;

/** So many happenings are simulated in one part. */
const HAPPENINGS_A_STEP = 500;

function allOf(steps: SimulationSteps): Simulation {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs one message's calls through the scheduler under a virtual clock. The same message and options always give the
 * same simulation. Pure, apart from the ids that `newBatchId` makes.
 * @throws CallAddedTwice, CapNotPositive
 */
export const simulate = (message: SimulatedMessage, options: SchedulerOptions): Simulation =>
  allOf(simulateInSteps(message, options));

/** The same, part by part. */
export function* simulateInSteps(message: SimulatedMessage, options: SchedulerOptions): SimulationSteps {
  const scheduler = createScheduler(options);
  const agenda = agendaOf(message);
  const follower = new Follower(agenda);
  const inputs = message.inputs ?? [];
  const steps: SimulatedStep[] = [];
  let endsAt = 0;
  let isLowerBound = false;

  const handle = ({ what, index, at }: Happening): SimulatedStep => {
    if (what === 'input') {
      const input = inputs[index] as SimulatedInput;
      return { at, what: input.do, callId: undefined, decisions: give(scheduler, input.do) };
    }
    if (what === 'message-end') {
      return { at, what, callId: undefined, decisions: scheduler.messageEnded(message.ends?.how ?? 'well') };
    }
    const call = message.calls[index] as SimulatedCall;
    if (what === 'arrive') {
      follower.arrived(call, at);
      return { at, what, callId: call.callId, decisions: scheduler.add(call) };
    }
    const run = follower.runs[index] as Run;
    run.endedAt = at;
    if (run.cancelled === undefined && call.runsAtLeast === true) isLowerBound = true;
    const settlement = { failed: call.fails === true, modifies: call.modifies === true };
    const stops = call.endsTurn === true && run.cancelled === undefined ? scheduler.interrupt('escape') : [];
    // Its own end is on its way already: being told to stop changes nothing any more.
    const others = stops.filter((decision) => decision.type !== 'cancel' || decision.callId !== call.callId);
    return { at, what, callId: call.callId, decisions: [...others, ...scheduler.settle(call.callId, settlement)] };
  };

  for (let next = agenda.pop(); next !== undefined; next = agenda.pop()) {
    // A call that stopped when told to has another end on the agenda, the one it would have had by itself.
    if (next.what === 'settle' && follower.runs[next.index]?.endedAt !== undefined) continue;
    const step = handle(next);
    // An input that comes when all is over makes nothing last longer.
    if (step.decisions.length > 0 || next.what !== 'input') endsAt = step.at;
    follower.follow(step.decisions, step.at);
    steps.push(step);
    if (steps.length % HAPPENINGS_A_STEP === 0) yield;
  }
  return { runs: follower.runs, steps, endsAt, done: scheduler.done, isLowerBound };
}

/**
 * What most frameworks do with parallel tool calls: all of them at once when the message is complete, without a lock, a
 * cap or a cascade. Only a baseline for the what-if view, never live (spec 5.2).
 */
export const simulateAllAtOnce = (message: SimulatedMessage): Simulation => allOf(allAtOnceInSteps(message));

/** The same, part by part. */
export function* allAtOnceInSteps(message: SimulatedMessage): SimulationSteps {
  const simulation = yield* simulateInSteps(
    { ...message, calls: message.calls.map((call) => ({ ...call, safe: true })) },
    {
      strategy: 'batch',
      cap: Number.MAX_SAFE_INTEGER,
      cascade: 'none',
      startUnsafe: 'at-once',
      newBatchId: numberedBatches(),
    },
  );
  const runs = simulation.runs.map((run, index) => ({ ...run, call: message.calls[index] ?? run.call }));
  return { ...simulation, runs };
}
