import { expect } from 'vitest';
import type { CallId } from '../ids.ts';
import { cascades } from './cascade.ts';
import type { SimulatedRun, SimulatedStep, Simulation } from './simulate.ts';
import type { Decision, SchedulerOptions } from './types.ts';

type Of<T extends Decision['type']> = Extract<Decision, { type: T }>;
type Choice = Omit<SchedulerOptions, 'newBatchId'>;

/** Follows a simulation step by step, keeps its own books of it, and fails at the first decision that breaks a rule. */
class Auditor {
  private readonly runs: ReadonlyMap<CallId, SimulatedRun & { readonly index: number }>;
  private readonly choice: Choice;
  private readonly added = new Set<CallId>();
  private readonly running = new Map<CallId, number>();
  private readonly started: number[] = [];
  private readonly completed = new Set<CallId>();
  private readonly cancelled = new Set<CallId>();
  private readonly yielded: CallId[] = [];
  private readonly told = new Map<CallId, number>();
  private readonly owedModifiers = new Set<CallId>();
  private readonly applied = new Set<CallId>();
  private openBatch: string | undefined;
  private discarded = false;
  private interruptible = false;
  private cascade: Of<'cascade'> | undefined;

  constructor({ runs }: Simulation, choice: Choice) {
    this.choice = choice;
    this.runs = new Map(runs.map((run, index) => [run.call.callId, { ...run, index }]));
  }

  follow(step: SimulatedStep): void {
    const { what, callId, decisions } = step;
    if (what === 'discard') this.discarded = true;
    if (what === 'arrive' && callId !== undefined) this.added.add(callId);
    if (what === 'settle' && callId !== undefined) this.settled(callId);
    for (const decision of decisions) this.check(decision);
    this.checkCascadeOf(step);
    const calls = [...this.running.keys()].map((id) => this.callOf(id));
    expect(this.interruptible).toBe(calls.length > 0 && calls.every(({ onInterrupt }) => onInterrupt === 'cancel'));
    for (const id of this.queued()) expect(this.told.has(id), `${id} waits and was told why`).toBe(true);
  }

  /** At the end: every call has ended and was answered once, in order, and no modifier was lost. */
  close({ done, runs }: Simulation): void {
    expect(done).toBe(true);
    expect(this.running.size).toBe(0);
    expect(this.openBatch).toBeUndefined();
    for (const { call, endedAt } of runs) expect(endedAt, `${call.callId} ended`).toBeDefined();
    const all = runs.map(({ call }) => call.callId);
    if (this.discarded) expect(this.yielded).toEqual(all.slice(0, this.yielded.length));
    else {
      expect(this.yielded).toEqual(all);
      expect([...this.owedModifiers]).toEqual([]);
    }
    for (const [id, times] of this.told) expect(times, `times ${id} was told why it waits`).toBeLessThanOrEqual(6);
  }

  private callOf(id: CallId) {
    const run = this.runs.get(id);
    if (run === undefined) throw new Error(`a decision about ${id}, which was never added`);
    return { ...run.call, index: run.index };
  }

  private queued(): CallId[] {
    return [...this.added].filter((id) => !this.running.has(id) && !this.completed.has(id));
  }

  private settled(id: CallId): void {
    expect(this.running.delete(id)).toBe(true);
    this.completed.add(id);
    if (this.callOf(id).modifies === true && !this.discarded) this.owedModifiers.add(id);
  }

  private check(decision: Decision): void {
    switch (decision.type) {
      case 'start':
        this.checkStart(decision);
        return;
      case 'cancel':
        this.checkCancel(decision);
        return;
      case 'yield':
        this.checkYield(decision);
        return;
      case 'blocked':
        this.checkBlocked(decision);
        return;
      case 'apply-modifiers':
        this.checkModifiers(decision);
        return;
      case 'batch-started':
        expect(this.openBatch).toBeUndefined();
        expect(this.owedModifiers.size, 'modifiers are applied before the next group').toBe(0);
        this.openBatch = decision.batchId;
        return;
      case 'batch-ended':
        expect(decision.batchId).toBe(this.openBatch);
        expect(this.running.size).toBe(0);
        this.openBatch = undefined;
        return;
      case 'cascade':
        expect(this.cascade, 'one cascade at most').toBeUndefined();
        this.cascade = decision;
        return;
      case 'interruptible':
        expect(decision.value).toBe(!this.interruptible);
        this.interruptible = decision.value;
        return;
      case 'batch-planned':
        expect(this.choice.strategy).toBe('batch');
        expect(decision.kind === 'safe' || decision.callIds.length === 1).toBe(true);
        return;
    }
  }

  private checkStart({ callId, lane, batchId }: Of<'start'>): void {
    const call = this.callOf(callId);
    expect(this.queued(), 'only a queued call starts').toContain(callId);
    expect(call.index, 'calls start in call order').toBeGreaterThan(this.started.at(-1) ?? -1);
    expect(batchId).toBe(this.openBatch);
    expect(this.running.size).toBeLessThan(this.choice.cap);
    const others = [...this.running.keys()].map((id) => this.callOf(id));
    const isAlone = !call.safe || this.choice.strategy === 'serial' || others.some(({ safe }) => !safe);
    if (isAlone) expect(others, 'nothing runs beside an unsafe call').toEqual([]);
    const lanes = [...this.running.values()];
    expect(lane).toBe([...lanes.keys(), lanes.length].find((free) => !lanes.includes(free)));
    this.started.push(call.index);
    this.running.set(callId, lane);
  }

  private checkCancel({ callId, hadStarted }: Of<'cancel'>): void {
    expect(this.completed.has(callId), 'a completed call keeps its result').toBe(false);
    expect(hadStarted).toBe(this.running.has(callId));
    if (!hadStarted) this.completed.add(callId);
    this.cancelled.add(callId);
  }

  private checkYield({ callId }: Of<'yield'>): void {
    expect(this.discarded, 'nothing is yielded after a discard').toBe(false);
    expect(this.completed.has(callId)).toBe(true);
    expect(this.callOf(callId).index).toBe(this.yielded.length);
    this.yielded.push(callId);
  }

  private checkBlocked({ callId, why, by }: Of<'blocked'>): void {
    expect(this.queued()).toContain(callId);
    const { index } = this.callOf(callId);
    for (const holder of by) {
      expect(this.completed.has(holder), `${holder} is not over`).toBe(false);
      expect(this.callOf(holder).index).toBeLessThan(index);
      if (why === 'lock' || why === 'no-lane') expect(this.running.has(holder)).toBe(true);
    }
    expect(by.length > 0).toBe(!['message-open', 'hold', 'settings'].includes(why));
    this.told.set(callId, (this.told.get(callId) ?? 0) + 1);
  }

  private checkModifiers({ callIds }: Of<'apply-modifiers'>): void {
    expect(this.running.size, 'nobody sees the context change while it runs').toBe(0);
    const indexes = callIds.map((id) => this.callOf(id).index);
    expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
    for (const id of callIds) {
      expect(this.owedModifiers.delete(id), `${id} is owed`).toBe(true);
      expect(this.applied.has(id)).toBe(false);
      this.applied.add(id);
    }
  }

  /** Who fell with a sibling fell by the policy, for a call that failed by itself. */
  private checkCascadeOf({ decisions }: SimulatedStep): void {
    const fallen = decisions.flatMap((decision) =>
      decision.type === 'cancel' && decision.reason === 'sibling_error' ? [decision] : [],
    );
    for (const { culprit } of fallen) expect(culprit).toBe(this.cascade?.culprit);
    const cascade = decisions.find((decision) => decision.type === 'cascade');
    if (cascade === undefined) return;
    expect(cascade.victims).toEqual(fallen.map(({ callId }) => callId));
    const culprit = this.callOf(cascade.culprit);
    expect(culprit.fails).toBe(true);
    expect(cascades(this.choice.cascade, culprit)).toBe(true);
    expect(this.cancelled.has(cascade.culprit), 'a culprit was not itself told to cancel').toBe(false);
  }
}

/** Fails if any decision of the simulation breaks a rule of spec 1. */
export function checkSteps(simulation: Simulation, choice: Choice): void {
  const auditor = new Auditor(simulation, choice);
  for (const step of simulation.steps) auditor.follow(step);
  auditor.close(simulation);
}
