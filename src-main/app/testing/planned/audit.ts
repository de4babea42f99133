import { expect } from 'vitest';
import { MAIN_AGENT } from '../../../../src-shared/ids.ts';
import type { EventOf, SessionEvent } from '../../../../src-shared/session/event.ts';
import { foldSession } from '../../../../src-shared/session/state.ts';
import { resultText } from '../../../../src-shared/tool-call/content.ts';
import { Stage } from '../../../../src-shared/tool-call/event.ts';
import { apiMessages } from '../../../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../../../core/conversation/request-validator.ts';
import type { CallPlan, MessagePlan } from './plans.ts';
import { idOf, type Played } from './play.ts';
import { failureOf } from './tools.ts';

type Kept = {
  readonly index: number;
  readonly safe: boolean;
  readonly plan: CallPlan;
  lane: number | undefined;
  stage: { readonly name: Stage; open: boolean } | undefined;
  started: boolean;
  completed: boolean;
  yielded: boolean;
  cancelled: boolean;
  verdict: 'allow' | 'deny' | undefined;
};

/** Follows the events of one message, keeps its own books of it, and fails at the first that breaks a rule (spec 1, 2). */
class Auditor {
  readonly #plan: MessagePlan;
  readonly #calls = new Map<string, Kept>();
  #yields = 0;

  constructor(plan: MessagePlan) {
    this.#plan = plan;
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'call-queued':
        this.#queued(event);
        return;
      case 'call-started':
        this.#started(event);
        return;
      case 'stage-started':
      case 'stage-ended':
        this.#stage(event);
        return;
      case 'permission-settled':
        expect(this.#of(event.callId).verdict, `${event.callId} is settled once`).toBeUndefined();
        this.#of(event.callId).verdict = event.verdict;
        return;
      case 'call-progressed':
        expect(this.#of(event.callId).completed, `${event.callId} tells nothing after its end`).toBe(false);
        return;
      case 'call-cancelled': {
        const call = this.#of(event.callId);
        expect(call.completed).toBe(false);
        expect(event.hadStarted).toBe(call.started);
        call.cancelled = true;
        return;
      }
      case 'call-completed':
        this.#completed(event);
        return;
      case 'call-yielded': {
        const call = this.#of(event.callId);
        expect([call.completed, call.yielded, call.index]).toEqual([true, false, this.#yields++]);
        call.yielded = true;
        return;
      }
      case 'cascade-triggered':
        expect(this.#plan.cascade).not.toBe('none');
        return;
      default:
    }
  }

  get calls(): ReadonlyMap<string, Kept> {
    return this.#calls;
  }

  #of(id: string): Kept {
    const call = this.#calls.get(id);
    if (call === undefined) throw new Error(`an event of ${id}, which was never queued`);
    return call;
  }

  #queued({ callId, safety, index }: EventOf<'call-queued'>): void {
    const plan = this.#plan.calls[index] as CallPlan;
    expect([callId, index]).toEqual([idOf(index), this.#calls.size]);
    const first = { lane: undefined, stage: undefined, started: false, completed: false, yielded: false };
    this.#calls.set(callId, { index, safe: safety.safe, plan, ...first, cancelled: false, verdict: undefined });
  }

  #running(): readonly Kept[] {
    return [...this.#calls.values()].filter(({ lane }) => lane !== undefined);
  }

  #started({ callId, lane }: EventOf<'call-started'>): void {
    const call = this.#of(callId);
    const { strategy, cap } = this.#plan;
    const running = this.#running();
    expect([call.started, call.completed, call.cancelled], `${callId} may start`).toEqual([false, false, false]);
    expect(call.plan.broken).toBe(false);
    expect(running.length).toBeLessThan(strategy === 'serial' ? 1 : cap);
    expect(running.map((other) => other.lane)).not.toContain(lane);
    expect(lane).toBeLessThan(cap);
    if (running.length > 0) expect([call.safe, ...running.map(({ safe }) => safe)]).not.toContain(false);
    const before = [...this.#calls.values()].filter(({ index }) => index < call.index);
    const waiting = before.filter(({ started, completed }) => !started && !completed);
    expect(
      waiting.filter(({ safe }) => !safe),
      `${callId} overtakes no exclusive call`,
    ).toEqual([]);
    call.started = true;
    call.lane = lane;
  }

  #stage(event: EventOf<'stage-started' | 'stage-ended'>): void {
    const call = this.#of(event.callId);
    expect([call.started, call.completed], `${event.callId} is between its start and its end`).toEqual([true, false]);
    if (event.type === 'stage-ended') {
      expect(call.stage).toEqual({ name: event.stage, open: true });
      call.stage = { name: event.stage, open: false };
      return;
    }
    const order = Stage.options;
    expect(call.stage?.open ?? false, 'one stage at a time').toBe(false);
    if (call.stage !== undefined) {
      expect(order.indexOf(event.stage)).toBeGreaterThan(order.indexOf(call.stage.name));
    }
    if (event.stage === 'run') expect(call.verdict, `${event.callId} runs only with permission`).toBe('allow');
    call.stage = { name: event.stage, open: true };
  }

  #completed({ callId, outcome, result }: EventOf<'call-completed'>): void {
    const call = this.#of(callId);
    expect(call.completed, `${callId} ends once`).toBe(false);
    call.completed = true;
    call.lane = undefined;
    if (outcome === 'ok') expect([call.verdict, result.isError]).toEqual(['allow', false]);
    else expect(result.isError, `${callId} says that it did not go well`).toBe(true);
    if (!call.started) expect(call.cancelled || call.plan.broken, `${callId} never started`).toBe(true);
    // Its own failure is never covered by one of somebody else's making.
    if (!call.cancelled && outcome === 'error') expect(resultText(result)).not.toContain('Cancelled:');
  }
}

/** Everything that has to be true of a message that was played to its end. */
export function audit(played: Played): void {
  const { plan, bench, discarded } = played;
  const auditor = new Auditor(plan);
  for (const event of bench.log.events) auditor.take(event);
  const { calls } = auditor;
  const queued = [...calls.keys()];
  expect(bench.finished, 'the executor ends').toBeDefined();
  expect(queued.length).toBe(plan.calls.length);
  expect([...calls.values()].every(({ completed, lane }) => completed && lane === undefined)).toBe(true);
  const yielded = queued.filter((id) => calls.get(id)?.yielded);
  expect(bench.finished?.map(({ callId }) => callId)).toEqual(yielded);
  // After a discard what was yielded is the beginning of the message, and nothing more.
  if (discarded) expect(yielded).toEqual(queued.slice(0, yielded.length));
  else expect(yielded).toEqual(queued);
  expect(bench.clock.pending, 'no timer is left').toBe(0);
  auditConversation(played);
  auditContexts(played, calls);
  auditOwnFailures(played, calls);
}

function auditConversation({ bench, discarded }: Played): void {
  const state = foldSession(bench.log.events);
  expect(state.calls.flatMap(({ asks }) => asks).every(({ until }) => until !== undefined)).toBe(true);
  expect(state.calls.flatMap(({ classified }) => classified).every(({ end }) => end !== undefined)).toBe(true);
  expect(state.hookRuns.every(({ end }) => end !== undefined)).toBe(true);
  if (discarded) return;
  expect(state.batches.every(({ from, until }) => from === undefined || until !== undefined)).toBe(true);
  const faults = faultsOfRequest(apiMessages(state, MAIN_AGENT)).filter(
    (fault) => fault !== 'the first message is not the user’s',
  );
  expect(faults).toEqual([]);
}

/** What a call is given of the others is what those had done that were over before it began, in call order. */
function auditContexts({ bench, tools }: Played, calls: ReadonlyMap<string, Kept>): void {
  const indexOf = (id: string): number => calls.get(id)?.index ?? -1;
  const inOrder = (ids: readonly string[]) => [...ids].sort((a, b) => indexOf(a) - indexOf(b));
  const events = bench.log.events;
  const placeOf = (type: 'call-started' | 'call-completed', id: string): number =>
    events.findIndex((event) => event.type === type && event.callId === id);
  for (const [id, context] of tools.seen) {
    const seen = [...context.discovered];
    expect(seen, `what ${id} is given is in call order`).toEqual(inOrder(seen));
    for (const other of seen) expect(placeOf('call-completed', other)).toBeLessThan(placeOf('call-started', id));
  }
  const last = [...bench.context.current.discovered];
  expect(last).toEqual(inOrder(last));
}

/** A call that failed by itself, and that nobody had told to stop, keeps its own words. */
function auditOwnFailures({ bench }: Played, calls: ReadonlyMap<string, Kept>): void {
  for (const [id, { cancelled, plan }] of calls) {
    if (cancelled || bench.outcome(id) !== 'error' || plan.broken) continue;
    const ran = bench.log.events.some((e) => e.type === 'stage-started' && e.stage === 'run' && e.callId === id);
    if (ran && plan.end !== 'unkeepable') expect(bench.result(id)).toContain(failureOf(id));
  }
}
