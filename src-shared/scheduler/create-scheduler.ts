import type { CallId } from '../ids.ts';
import type { Strategy } from '../session/settings.ts';
import type { CancelReason } from '../tool-call/event.ts';
import { batch } from './batch.ts';
import { cascades } from './cascade.ts';
import { CallAddedTooLate, CallAddedTwice, CapNotPositive } from './errors.ts';
import { Lanes } from './lanes.ts';
import type { Policy } from './policy.ts';
import { serial } from './serial.ts';
import { type Entry, idOf, inCallOrder, newEntry, type State } from './state.ts';
import { streaming } from './streaming.ts';
import type {
  CallPhase,
  Decision,
  MessageEnd,
  ScheduledCall,
  Scheduler,
  SchedulerOptions,
  Settlement,
} from './types.ts';
import { tellAdded, tellFirst, tellPlanned } from './waiting.ts';

const policies: Readonly<Record<Strategy, Policy>> = { streaming, batch, serial };

/** When several reasons apply the higher one counts; among equals the one that came first (spec 1.7). */
const strength: Readonly<Record<CancelReason, number>> = {
  discarded: 3,
  sibling_error: 2,
  interrupt: 1,
  escape: 1,
  shutdown: 1,
  refused: 1,
  'cut-off': 1,
};

const NOTHING: readonly Decision[] = [];

/** What befalls every call that is added from now on. */
type Stop = { readonly reason: CancelReason; readonly culprit: CallId | undefined };
const CUT_OFF: Stop = { reason: 'cut-off', culprit: undefined };

/** The rules of spec 1.4 to 1.9 for one assistant message, as state changed in place. */
class MessageScheduler implements Scheduler {
  private readonly state: State;
  private readonly policy: Policy;
  private readonly byId = new Map<CallId, Entry>();
  private out: Decision[] = [];
  private nextToYield = 0;
  /** Settled calls whose modifiers wait for the end of their group. */
  private modified: Entry[] = [];
  /** Executing calls that do not stop for a new user message. */
  private blocking = 0;
  private toldInterruptible = false;
  private held = false;
  private stepping = false;
  private stop: Stop | undefined;
  private cascadeIsTold = false;

  constructor(options: SchedulerOptions) {
    this.policy = policies[options.strategy];
    this.state = {
      options,
      entries: [],
      head: 0,
      running: new Lanes(),
      exclusive: undefined,
      lastUnsafe: undefined,
      messageEnd: undefined,
      group: undefined,
      laneWait: undefined,
    };
  }

  add(call: ScheduledCall): readonly Decision[] {
    const { state } = this;
    if (this.byId.has(call.callId)) throw new CallAddedTwice(call.callId);
    if (state.messageEnd !== undefined) throw new CallAddedTooLate(call.callId);
    const entry = newEntry(call, state.entries.length);
    state.entries.push(entry);
    this.byId.set(call.callId, entry);
    if (this.stop !== undefined) this.cancelLatecomer(entry, this.stop);
    else if (call.broken) this.cancelLatecomer(entry, CUT_OFF);
    else if (state.head === entry.index) this.startWhatMay();
    if (entry.phase === 'queued') tellAdded(this.policy, state, entry, this.out);
    if (!call.safe) state.lastUnsafe = entry;
    return this.decided();
  }

  messageEnded(how: MessageEnd): readonly Decision[] {
    const { state, policy } = this;
    if (state.messageEnd !== undefined) return NOTHING;
    state.messageEnd = how;
    if (how !== 'well') this.cancelQueued({ reason: how, culprit: undefined }, (entry) => !entry.call.safe);
    if (policy.plan === undefined) return this.decided();
    policy.plan(state, this.out);
    this.moveOn();
    tellPlanned(policy, state, this.out);
    return this.decided();
  }

  settle(callId: CallId, how: Settlement): readonly Decision[] {
    const entry = this.byId.get(callId);
    if (entry?.phase !== 'executing') return NOTHING;
    const { state } = this;
    entry.phase = 'completed';
    state.running.release(entry.lane);
    if (state.exclusive === entry) state.exclusive = undefined;
    if (entry.call.onInterrupt === 'block') this.blocking -= 1;
    if (how.modifies && !this.isDiscarded) this.modified.push(entry);
    const fellByItself = how.failed && entry.cancelled === undefined;
    if (fellByItself && cascades(state.options.cascade, entry.call)) this.cascadeFrom(entry);
    return this.decided();
  }

  interrupt(reason: Exclude<CancelReason, 'discarded'>, culprit?: CallId): readonly Decision[] {
    const all = reason !== 'interrupt';
    // A cascade above has been told there.
    if (culprit !== undefined) this.cascadeIsTold = true;
    this.stopAll({ reason, culprit }, (entry) => all || entry.call.onInterrupt === 'cancel');
    return this.decided();
  }

  discard(): readonly Decision[] {
    this.stopAll({ reason: 'discarded', culprit: undefined }, () => true);
    this.modified = [];
    return this.decided();
  }

  hold(on: boolean): readonly Decision[] {
    if (on === this.held) return NOTHING;
    this.held = on;
    this.stepping = false;
    return this.decided();
  }

  step(): readonly Decision[] {
    const { state } = this;
    if (!this.held || state.head === state.entries.length) return NOTHING;
    this.stepping = true;
    return this.decided();
  }

  phaseOf(callId: CallId): CallPhase | undefined {
    return this.byId.get(callId)?.phase;
  }

  get done(): boolean {
    const { state } = this;
    if (this.isDiscarded) return state.running.size === 0;
    return state.messageEnd !== undefined && this.nextToYield === state.entries.length;
  }

  private get isDiscarded(): boolean {
    return this.stop?.reason === 'discarded';
  }

  /** Carries the consequences of an input through and hands over everything decided since the last hand-over. */
  private decided(): readonly Decision[] {
    this.moveOn();
    const { running } = this.state;
    const interruptible = running.size > 0 && this.blocking === 0;
    if (interruptible !== this.toldInterruptible) {
      this.toldInterruptible = interruptible;
      this.out.push({ type: 'interruptible', value: interruptible });
    }
    if (this.out.length === 0) return NOTHING;
    const { out } = this;
    this.out = [];
    return out;
  }

  /** In this order: a call that starts sees every modifier that was due, and a result is yielded after its modifier. */
  private moveOn(): void {
    this.closeGroup();
    this.yieldWhatIsReady();
    this.startWhatMay();
    tellFirst(this.policy, this.state, this.out);
  }

  private closeGroup(): void {
    const { state, out, modified } = this;
    if (state.group === undefined || state.running.size > 0 || !this.policy.groupIsOver(state)) return;
    out.push({ type: 'batch-ended', batchId: state.group.id });
    state.group = undefined;
    if (modified.length === 0) return;
    // By call order, not by who was done first: the same input always gives the same context (spec 1.6).
    out.push({ type: 'apply-modifiers', callIds: modified.sort(inCallOrder).map(idOf) });
    this.modified = [];
  }

  private yieldWhatIsReady(): void {
    if (this.isDiscarded) return;
    const { entries } = this.state;
    for (;;) {
      const next = entries[this.nextToYield];
      if (next?.phase !== 'completed') return;
      next.phase = 'yielded';
      this.nextToYield += 1;
      this.out.push({ type: 'yield', callId: next.call.callId });
    }
  }

  private startWhatMay(): void {
    const { state, policy } = this;
    const { entries, running, options } = state;
    while (running.size < options.cap) {
      const first = entries[state.head];
      if (first === undefined || !policy.mayStart(state, first)) return;
      if (this.held && !this.stepping) return;
      this.stepping = false;
      this.start(first);
    }
  }

  private start(entry: Entry): void {
    const { state, out } = this;
    const group = this.policy.groupFor(state, entry);
    if (group !== state.group) {
      state.group = group;
      out.push({ type: 'batch-started', batchId: group.id, kind: group.kind });
    }
    entry.phase = 'executing';
    entry.lane = state.running.take(entry);
    state.laneWait = undefined;
    if (!entry.call.safe) state.exclusive = entry;
    if (entry.call.onInterrupt === 'block') this.blocking += 1;
    this.passOver();
    out.push({ type: 'start', callId: entry.call.callId, lane: entry.lane, batchId: group.id });
  }

  /** Moves the head of the queue to the first call that is still queued. */
  private passOver(): void {
    const { state } = this;
    while (state.head < state.entries.length && state.entries[state.head]?.phase !== 'queued') state.head += 1;
  }

  /** Cancels what runs and `falls`, everything queued, and whatever is added later. */
  private stopAll(stop: Stop, falls: (executing: Entry) => boolean): void {
    if (this.stop === undefined || strength[stop.reason] > strength[this.stop.reason]) this.stop = stop;
    for (const entry of this.state.running.occupants().sort(inCallOrder)) {
      if (falls(entry)) this.cancel(entry, stop);
    }
    this.cancelQueued(stop, () => true);
  }

  private cancelQueued(stop: Stop, falls: (queued: Entry) => boolean): void {
    const { entries, head } = this.state;
    for (let at = head; at < entries.length; at += 1) {
      const entry = entries[at] as Entry;
      if (entry.phase === 'queued' && falls(entry)) this.cancel(entry, stop);
    }
    this.passOver();
  }

  /** Ends a queued call, or tells a running one to stop unless it was told so for as good a reason. */
  private cancel(entry: Entry, { reason, culprit }: Stop): void {
    if (entry.cancelled !== undefined && strength[reason] <= strength[entry.cancelled]) return;
    const hadStarted = entry.phase === 'executing';
    entry.cancelled = reason;
    if (!hadStarted) entry.phase = 'completed';
    const callId = idOf(entry);
    this.out.push(
      culprit === undefined
        ? { type: 'cancel', callId, reason, hadStarted }
        : { type: 'cancel', callId, reason, culprit, hadStarted },
    );
  }

  private cascadeFrom(culprit: Entry): void {
    const { out } = this;
    const from = out.length;
    this.stopAll({ reason: 'sibling_error', culprit: idOf(culprit) }, () => true);
    const victims = out.slice(from).flatMap((decision) => (decision.type === 'cancel' ? [decision.callId] : []));
    if (victims.length > 0) this.tellCascade(idOf(culprit), victims, from);
  }

  private cancelLatecomer(entry: Entry, stop: Stop): void {
    const { culprit } = stop;
    if (culprit !== undefined && !this.cascadeIsTold) this.tellCascade(culprit, [idOf(entry)], this.out.length);
    this.cancel(entry, stop);
    this.passOver();
  }

  /** The cause goes before its effects, which may stand in `out` already. */
  private tellCascade(culprit: CallId, victims: readonly CallId[], before: number): void {
    this.cascadeIsTold = true;
    this.out.splice(before, 0, { type: 'cascade', culprit, policy: this.state.options.cascade, victims });
  }
}

/**
 * The executor core of one assistant message. Amortised O(log n) an input, whatever the message's length.
 * @throws CapNotPositive
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  if (!Number.isSafeInteger(options.cap) || options.cap < 1) throw new CapNotPositive(options.cap);
  return new MessageScheduler(options);
}
