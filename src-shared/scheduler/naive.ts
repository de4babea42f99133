import type { CancelReason } from '../tool-call/event.ts';
import { cascades } from './cascade.ts';
import { partition } from './partition.ts';
import type { SimulatedCall, SimulatedInput, SimulatedMessage } from './simulate.ts';
import type { SchedulerOptions } from './types.ts';

/**
 * The rules of spec 1.4 to 1.9 once more, for tests: written down as the spec says them, tick by tick, with whole
 * scans, and without a thought for speed. It shares no state, no queue and no decision with the scheduler.
 */
type NaiveCall = {
  readonly call: SimulatedCall;
  readonly index: number;
  phase: 'coming' | 'queued' | 'running' | 'done';
  startedAt: number | undefined;
  due: number;
  endedAt: number | undefined;
  yieldedAt: number | undefined;
  reason: CancelReason | undefined;
};

/** What became of a call: as in `SimulatedRun`, flat. */
export type NaiveRun = Pick<NaiveCall, 'startedAt' | 'endedAt' | 'yieldedAt' | 'reason'>;

const ORDER = ['discarded', 'sibling_error'];
const rank = (reason: CancelReason): number => (ORDER.includes(reason) ? ORDER.indexOf(reason) : ORDER.length);

class Naive {
  readonly calls: NaiveCall[];
  readonly options: SchedulerOptions;
  now = 0;
  messageIsOpen = true;
  latecomersFallFor: CancelReason | undefined;
  held = false;
  mayStep = false;

  constructor(calls: readonly SimulatedCall[], options: SchedulerOptions) {
    this.options = options;
    this.calls = calls.map((call, index) => ({
      call,
      index,
      phase: 'coming',
      startedAt: undefined,
      due: Number.POSITIVE_INFINITY,
      endedAt: undefined,
      yieldedAt: undefined,
      reason: undefined,
    }));
  }

  in(phase: NaiveCall['phase']): NaiveCall[] {
    return this.calls.filter((one) => one.phase === phase);
  }

  /** Does something, then everything that follows from it at the same time. */
  act(deed: () => void): void {
    deed();
    this.scan();
    this.yield();
    for (let due = this.due(); due !== undefined; due = this.due()) {
      this.settle(due);
      this.scan();
      this.yield();
    }
  }

  due(): NaiveCall | undefined {
    return this.in('running').find((one) => one.due <= this.now);
  }

  settle(one: NaiveCall): void {
    one.phase = 'done';
    one.endedAt = this.now;
    if (!one.call.fails || one.reason !== undefined || !cascades(this.options.cascade, one.call)) return;
    this.stop('sibling_error', () => true);
  }

  stop(reason: CancelReason, falls: (running: NaiveCall) => boolean): void {
    for (const one of this.in('queued')) this.cancel(one, reason);
    for (const one of this.in('running').filter(falls)) this.cancel(one, reason);
    if (this.latecomersFallFor === undefined || rank(reason) < rank(this.latecomersFallFor)) {
      this.latecomersFallFor = reason;
    }
  }

  cancel(one: NaiveCall, reason: CancelReason): void {
    if (one.phase === 'running') {
      if (one.reason === undefined) one.due = Math.min(one.due, this.now + (one.call.stopsAfter ?? 0));
      if (one.reason === undefined || rank(reason) < rank(one.reason)) one.reason = reason;
      return;
    }
    one.phase = 'done';
    one.endedAt = this.now;
    one.reason = reason;
  }

  add(one: NaiveCall): void {
    one.phase = 'queued';
    if (this.latecomersFallFor !== undefined) this.cancel(one, this.latecomersFallFor);
  }

  endMessage(how: 'well' | 'refused' | 'cut-off'): void {
    this.messageIsOpen = false;
    if (how === 'well') return;
    for (const one of this.in('queued').filter(({ call }) => !call.safe)) this.cancel(one, how);
  }

  input(what: SimulatedInput['do']): void {
    if (what === 'discard') this.stop('discarded', () => true);
    else if (what === 'interrupt') this.stop(what, ({ call }) => call.onInterrupt === 'cancel');
    else if (what === 'escape' || what === 'shutdown') this.stop(what, () => true);
    else if (what === 'step') this.mayStep = this.held && this.in('queued').length > 0;
    else if (this.held !== (what === 'hold')) {
      this.held = what === 'hold';
      this.mayStep = false;
    }
  }

  yield(): void {
    if (this.latecomersFallFor === 'discarded') return;
    for (const one of this.calls) {
      if (one.phase !== 'done') return;
      one.yieldedAt ??= this.now;
    }
  }

  /** Starts the call if a lane and the debugger let it. */
  start(one: NaiveCall): void {
    if (this.in('running').length >= this.options.cap || (this.held && !this.mayStep)) return;
    this.mayStep = false;
    one.phase = 'running';
    one.startedAt = this.now;
    one.due = this.now + one.call.runs;
  }

  scan(): void {
    if (this.options.strategy === 'streaming') this.scanStreaming();
    else if (this.options.strategy === 'batch') this.scanBatch();
    else this.scanSerial();
  }

  scanSerial(): void {
    const first = this.in('queued')[0];
    if (first !== undefined && this.in('running').length === 0) this.start(first);
  }

  scanStreaming(): void {
    for (const one of this.in('queued')) {
      const running = this.in('running');
      const lockLets = running.length === 0 || (one.call.safe && running.every(({ call }) => call.safe));
      const settingLets = one.call.safe || !this.messageIsOpen || this.options.startUnsafe === 'at-once';
      if (lockLets && settingLets) this.start(one);
      // A queued unsafe call that cannot start ends the scan; a safe one is skipped.
      if (one.phase === 'queued' && !one.call.safe) return;
    }
  }

  scanBatch(): void {
    if (this.messageIsOpen) return;
    const asked = this.calls.filter(({ startedAt, phase }) => startedAt !== undefined || phase === 'queued');
    const batches = partition(asked.map((one) => ({ one, safe: one.call.safe })));
    const current = batches.find(({ calls }) => calls.some(({ one }) => one.phase !== 'done'));
    for (const { one } of current?.calls ?? []) if (one.phase === 'queued') this.start(one);
  }
}

/** Simulates the message in whole ticks. Every time in it must be a whole number. */
export function naively(message: SimulatedMessage, options: SchedulerOptions): readonly NaiveRun[] {
  const naive = new Naive(message.calls, options);
  const inputs = message.inputs ?? [];
  const arrivals: number[] = [];
  for (const { arrives } of message.calls) arrivals.push(Math.max(arrives, arrivals.at(-1) ?? 0));
  const messageEnd = Math.max(message.ends?.at ?? 0, arrivals.at(-1) ?? 0);
  const longest = message.calls.reduce((sum, { runs }) => sum + (Number.isFinite(runs) ? runs : 0), 0);
  const horizon = messageEnd + longest + Math.max(0, ...inputs.map(({ at }) => at)) + 10;
  for (naive.now = 0; naive.now <= horizon; naive.now += 1) {
    naive.act(() => {});
    for (const { at, do: what } of inputs) if (at === naive.now) naive.act(() => naive.input(what));
    for (const one of naive.calls) if (arrivals[one.index] === naive.now) naive.act(() => naive.add(one));
    if (messageEnd === naive.now) naive.act(() => naive.endMessage(message.ends?.how ?? 'well'));
  }
  return naive.calls.map(({ startedAt, endedAt, yieldedAt, reason }) => ({ startedAt, endedAt, yieldedAt, reason }));
}
