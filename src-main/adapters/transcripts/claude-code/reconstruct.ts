import type { BatchId, CallId } from '../../../../src-shared/ids.ts';
import { createScheduler } from '../../../../src-shared/scheduler/create-scheduler.ts';
import type { Decision, Scheduler } from '../../../../src-shared/scheduler/types.ts';
import { DEFAULT_CAP, type Strategy } from '../../../../src-shared/session/settings.ts';
import type { PlannedBatch, PlayedBatch, PlayedStart, PlayedWait, Reconstruction } from '../common/judged.ts';
import { compare, isKnown, type Moment } from '../common/story.ts';

/** What the file says about one call, as far as it bears on when it may have started. */
export type PlayedCall = {
  readonly id: string;
  readonly queued: Moment;
  /** `NEVER` while it goes on. */
  readonly end: Moment;
  /** Its result is in the file. Without one its end is a guess, and nothing is concluded from it. */
  readonly hasResult: boolean;
  /** As tool and input suggest. What really ran side by side is better evidence and overrules it. */
  readonly safe: boolean;
  /** Cancelled with others: told to stop, or never let go. It may end without having started. */
  readonly wasStopped: boolean;
  /** Siblings were cancelled because of it. */
  readonly isCulprit: boolean;
  /** Refused before the tool did anything; such an answer may come although it was not its turn. */
  readonly neverRan: boolean;
  /** It was seen running at this wall time. */
  readonly seenRunningAt: number | undefined;
};

export type ReconstructionInput = {
  readonly messageId: string;
  readonly calls: readonly PlayedCall[];
  readonly strategy: Strategy;
  /** When a person stopped the turn: what has not started by then never does. */
  readonly stoppedAt: Moment | undefined;
};

/** After this many attempts the recording is taken to follow no rule we know, and every call starts with its block. */
const MAX_ATTEMPTS = 40;
/** A sighting within this of what holds the call may be a matter of two clocks. */
const SIGHTING_SLACK_MS = 250;

/** What has been learned about the recording from where it contradicts the rules. */
type Beliefs = {
  strategy: Strategy;
  cap: number;
  readonly safe: Map<string, boolean>;
  /** Played outside of the scheduler: it cannot have held a lock as the rules have it. */
  readonly loose: Map<string, 'no-end' | 'out-of-turn' | 'free' | 'never'>;
};

/**
 * Works out when the calls of a message must have started, given when their blocks came and when they ended: the
 * scheduler itself is run with these times. Where the recording shows what the rules forbid (a call ended that should
 * still have waited), the belief behind it is given up (that a call is unsafe, that there are ten lanes, …) and the
 * message is played again.
 */
export function reconstruct(input: ReconstructionInput): Reconstruction {
  const beliefs: Beliefs = {
    strategy: input.strategy,
    cap: DEFAULT_CAP,
    safe: new Map(input.calls.map((call) => [call.id, call.safe])),
    loose: new Map(),
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const play = new Play(input, beliefs);
    const contradicted = play.run();
    if (contradicted === undefined && play.over.length === 0) return play.result();
    if (contradicted !== undefined) giveWay(contradicted, beliefs);
    else for (const id of play.over) beliefs.loose.set(id, 'never');
  }
  for (const call of input.calls) if (beliefs.loose.get(call.id) !== 'never') beliefs.loose.set(call.id, 'free');
  const play = new Play(input, beliefs);
  play.run();
  return play.result();
}

/** A call that ended, or was seen running, while the rules had it waiting. */
type Contradiction = {
  readonly call: PlayedCall;
  readonly wait: Pick<PlayedWait, 'why' | 'by'> | undefined;
  readonly executing: readonly PlayedCall[];
};

function giveWay({ call, wait, executing }: Contradiction, beliefs: Beliefs): void {
  const endless = executing.filter((other) => !other.hasResult);
  if (endless.length > 0) {
    for (const other of endless) beliefs.loose.set(other.id, 'no-end');
    return;
  }
  if (call.neverRan) {
    beliefs.loose.set(call.id, 'out-of-turn');
    return;
  }
  if (wait?.why === 'message-open') {
    beliefs.strategy = 'streaming';
    return;
  }
  if (wait?.why === 'no-lane') {
    beliefs.cap = executing.length + 1;
    return;
  }
  // They ran side by side, so each of them may.
  const unsafe = [...executing, call].filter((other) => beliefs.safe.get(other.id) === false);
  const ahead = wait?.why === 'order' || wait?.why === 'batch' ? wait.by : [];
  const held = ahead.filter((id) => beliefs.safe.get(id) === false);
  if (unsafe.length === 0 && held.length === 0) beliefs.loose.set(call.id, 'free');
  for (const other of unsafe) beliefs.safe.set(other.id, true);
  for (const id of held) beliefs.safe.set(id, true);
}

type Step =
  | { readonly moment: Moment; readonly kind: 'stop' }
  | { readonly moment: Moment; readonly kind: 'add' | 'end' | 'seen'; readonly call: PlayedCall };

/** At one moment: a stop comes before what it stops, an arrival before an end. */
const KIND_ORDER: Readonly<Record<Step['kind'], number>> = { stop: 0, add: 1, end: 2, seen: 3 };

class Play {
  readonly #input: ReconstructionInput;
  readonly #beliefs: Beliefs;
  readonly #scheduler: Scheduler;
  readonly #byId: ReadonlyMap<string, PlayedCall>;
  readonly #starts = new Map<string, PlayedStart>();
  readonly #waits: PlayedWait[] = [];
  readonly #lastWait = new Map<string, PlayedWait>();
  readonly #batches: PlayedBatch[] = [];
  readonly #plans: PlannedBatch[] = [];
  readonly #executing = new Set<string>();
  #batchCount = 0;
  /** Calls that were stopped, or have no result, and were over before it was their turn: they must not take it later. */
  readonly over: string[] = [];

  constructor(input: ReconstructionInput, beliefs: Beliefs) {
    this.#input = input;
    this.#beliefs = beliefs;
    this.#byId = new Map(input.calls.map((call) => [call.id, call]));
    this.#scheduler = createScheduler({
      strategy: beliefs.strategy,
      cap: beliefs.cap,
      // Culprits are known from the recording; only they are reported as failed, whatever the policy was.
      cascade: 'any-error',
      startUnsafe: 'at-once',
      newBatchId: () => this.#newBatchId(),
    });
  }

  #newBatchId(): BatchId {
    return `${this.#input.messageId.slice(0, 380)}-batch-${this.#batchCount++}` as BatchId;
  }

  /** Plays to the end, or to the first contradiction. */
  run(): Contradiction | undefined {
    let open = this.#input.calls.length;
    for (const step of this.#steps()) {
      const contradiction = this.#take(step);
      if (contradiction !== undefined) return contradiction;
      if (step.kind === 'add' && --open === 0)
        this.#decide(this.#scheduler.messageEnded('well'), step.moment, 'message');
    }
    return undefined;
  }

  #steps(): readonly Step[] {
    const steps: Step[] = [];
    for (const call of this.#input.calls) {
      steps.push({ moment: call.queued, kind: 'add', call });
      if (isKnown(call.end)) steps.push({ moment: call.end, kind: 'end', call });
      const { seenRunningAt: seen } = call;
      if (seen !== undefined && seen + SIGHTING_SLACK_MS < call.end.at) {
        const at = Math.max(seen + SIGHTING_SLACK_MS, call.queued.at);
        steps.push({ moment: { at, ord: Number.MAX_VALUE }, kind: 'seen', call });
      }
    }
    if (this.#input.stoppedAt !== undefined) steps.push({ moment: this.#input.stoppedAt, kind: 'stop' });
    return steps.sort((a, b) => compare(a.moment, b.moment) || KIND_ORDER[a.kind] - KIND_ORDER[b.kind]);
  }

  #take(step: Step): Contradiction | undefined {
    if (step.kind === 'stop') {
      this.#decide(this.#scheduler.interrupt('escape'), step.moment, 'previous-call');
      return undefined;
    }
    const { call, moment } = step;
    if (step.kind === 'add') {
      this.#add(call, moment);
      return undefined;
    }
    if (this.#starts.has(call.id)) {
      if (step.kind === 'end') this.#end(call, moment);
      return undefined;
    }
    if (call.wasStopped || !call.hasResult) {
      if (step.kind === 'end' && this.#scheduler.phaseOf(call.id as CallId) === 'queued') this.over.push(call.id);
      return undefined;
    }
    const executing = [...this.#executing].map((id) => this.#byId.get(id) as PlayedCall);
    return { call, wait: this.#lastWait.get(call.id), executing };
  }

  #add(call: PlayedCall, moment: Moment): void {
    const loose = this.#beliefs.loose.get(call.id);
    if (loose === undefined) {
      const safe = this.#beliefs.safe.get(call.id) === true;
      const added = this.#scheduler.add({ callId: call.id as CallId, safe, kind: 'other', onInterrupt: 'block' });
      this.#decide(added, moment, 'block');
      return;
    }
    if (loose === 'never') return;
    const outOfTurn = loose === 'out-of-turn';
    const batchId = this.#newBatchId();
    this.#batches.push({ batchId, kind: this.#beliefs.safe.get(call.id) ? 'safe' : 'exclusive' });
    this.#starts.set(call.id, { moment: outOfTurn ? call.end : moment, cause: 'block', batchId, outOfTurn });
  }

  #end(call: PlayedCall, moment: Moment): void {
    if (!this.#executing.delete(call.id)) return;
    this.#decide(
      this.#scheduler.settle(call.id as CallId, { failed: call.isCulprit, modifies: false }),
      moment,
      'previous-call',
    );
  }

  #decide(decisions: readonly Decision[], moment: Moment, cause: PlayedStart['cause']): void {
    for (const decision of decisions) {
      if (decision.type === 'start') {
        const { callId, batchId } = decision;
        this.#executing.add(callId);
        if (cause === 'previous-call' && this.#isTooLate(callId, moment)) this.over.push(callId);
        this.#starts.set(callId, { moment, cause, batchId, outOfTurn: false });
      } else if (decision.type === 'blocked') {
        const wait = { callId: decision.callId, why: decision.why, by: decision.by, moment };
        this.#waits.push(wait);
        this.#lastWait.set(decision.callId, wait);
      } else if (decision.type === 'batch-started') {
        this.#batches.push({ batchId: decision.batchId, kind: decision.kind });
      } else if (decision.type === 'batch-planned') {
        this.#plans.push({ ...decision, moment });
      }
    }
  }

  /** Its turn came at the very moment it was over: then it was not its turn. */
  #isTooLate(id: string, moment: Moment): boolean {
    const call = this.#byId.get(id) as PlayedCall;
    return (call.wasStopped || !call.hasResult) && call.end.at <= moment.at;
  }

  result(): Reconstruction {
    return {
      strategy: this.#beliefs.strategy,
      starts: this.#starts,
      waits: this.#waits,
      batches: this.#batches,
      plans: this.#plans,
      safe: this.#beliefs.safe,
    };
  }
}
