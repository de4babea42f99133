import type { Breakpoint, Fault, FaultKind, PauseReason } from '../../src-shared/debugger/event.ts';
import type { Disposable } from '../../src-shared/disposable.ts';
import type { CallId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import { millis } from '../../src-shared/units.ts';
import { ruleMeans } from '../core/permission/matching.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolContext } from '../ports/tool.ts';
import { worldOf } from './permission-world.ts';
import type { SessionLog } from './session-log.ts';

/** An executor whose queue can be held. `step` lets one call go and says whether one waited. */
export type HeldQueue = { hold(on: boolean): void; step(): boolean };

/** A call as the debugger looks at it. */
export type DebuggedCall = {
  readonly callId: CallId;
  readonly toolName: string;
  readonly input: unknown;
  readonly context: ToolContext;
  readonly signal: AbortSignal;
};

/** How a person lets a paused call go on. `cancelled`: the call was told to stop meanwhile. */
export type Resumed = { readonly how: 'go-on' | 'cancelled' } | { readonly how: 'edited'; readonly input: unknown };

type Paused = { readonly resolve: (how: Resumed) => void };

/**
 * Holds, steps and breakpoints of one session, and trouble on purpose (spec 4.4). What is set lies in the session's log,
 * so that it is there again after the session was reopened; who waits lies here.
 */
export class Debugger {
  readonly #log: SessionLog;
  readonly #clock: Clock;
  readonly #queues = new Set<HeldQueue>();
  readonly #paused = new Map<CallId, Paused>();

  constructor(deps: { readonly log: SessionLog; readonly clock: Clock }) {
    this.#log = deps.log;
    this.#clock = deps.clock;
  }

  /** Nothing is set: calls need not ask. */
  get isIdle(): boolean {
    const { breakpoints, faults } = this.#log.state.debugger;
    return breakpoints.length === 0 && faults.length === 0;
  }

  /** The queue of one message's calls, until it is disposed of. */
  attach(queue: HeldQueue): Disposable {
    this.#queues.add(queue);
    if (this.#log.state.debugger.held !== undefined) queue.hold(true);
    return { dispose: () => void this.#queues.delete(queue) };
  }

  /** Holds the queues of all agents, or lets them go. Calls that wait at a breakpoint stay there. */
  hold(on: boolean, by: 'person' | 'breakpoint' = 'person'): void {
    if ((this.#log.state.debugger.held !== undefined) === on) return;
    this.#log.append({ type: 'queue-held', on, by });
    for (const queue of this.#queues) queue.hold(on);
  }

  /** Lets the next call of the oldest waiting queue start. Holds the queue first where nobody did. */
  step(): void {
    this.hold(true);
    this.#log.append({ type: 'queue-stepped' });
    for (const queue of this.#queues) if (queue.step()) return;
  }

  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#log.append({ type: 'breakpoints-changed', breakpoints: [...breakpoints] });
  }

  /** What a scenario brings. Without a person nobody would let a paused call go, so breakpoints are left out. */
  setUp(scenario: Pick<Scenario, 'breakpoints' | 'faults'>, hasPerson: boolean): void {
    const set = { enabled: true } as const;
    const breakpoints = hasPerson ? (scenario.breakpoints ?? []) : [];
    const faults = scenario.faults ?? [];
    if (breakpoints.length > 0) {
      this.setBreakpoints(breakpoints.map((one, at) => ({ ...one, ...set, id: `scenario-${at + 1}` }) as Breakpoint));
    }
    if (faults.length > 0) {
      this.setFaults(faults.map((one, at) => ({ ...one, ...set, id: `scenario-${at + 1}` }) as Fault));
    }
  }

  setFaults(faults: readonly Fault[]): void {
    this.#log.append({ type: 'faults-changed', faults: [...faults] });
  }

  /**
   * Lets a call that waits at a breakpoint go on, with another input where one is given.
   * @param keepHeld the queue stays held, as in stepping; otherwise it is let go when the breakpoint held it and no
   * other call waits.
   * @returns false when the call does not wait.
   */
  resume(
    callId: CallId,
    options: { readonly edited?: { readonly input: unknown }; readonly keepHeld?: boolean } = {},
  ): boolean {
    const paused = this.#paused.get(callId);
    if (paused === undefined) return false;
    paused.resolve(options.edited === undefined ? { how: 'go-on' } : { how: 'edited', input: options.edited.input });
    const { held } = this.#log.state.debugger;
    if (options.keepHeld !== true && held?.by === 'breakpoint' && this.#paused.size === 0) this.hold(false);
    return true;
  }

  /** Waits when a breakpoint stands before such a call. */
  async before(call: DebuggedCall): Promise<Resumed> {
    const found = this.#breakpoint('before', call);
    return found === undefined ? { how: 'go-on' } : this.#pause(call, found.id, 'before');
  }

  /** Waits when a breakpoint stands at the failure of such a call, or at the cascade that is about to follow. */
  async afterFailure(call: DebuggedCall, cascadesTo: SessionSettings['cascade'] | undefined): Promise<void> {
    const cascade = cascadesTo === undefined ? undefined : this.#breakpoint('cascade', call);
    const found = cascade ?? this.#breakpoint('failure', call);
    if (found !== undefined) await this.#pause(call, found.id, cascade === undefined ? 'failure' : 'cascade');
  }

  #breakpoint(kind: Breakpoint['kind'], call: DebuggedCall): Breakpoint | undefined {
    return this.#log.state.debugger.breakpoints.find(
      (breakpoint) =>
        breakpoint.enabled &&
        breakpoint.kind === kind &&
        (breakpoint.rule === undefined || isMeant(breakpoint.rule, call)),
    );
  }

  #pause(call: DebuggedCall, breakpointId: string, why: PauseReason): Promise<Resumed> {
    const { callId, signal } = call;
    if (signal.aborted) return Promise.resolve({ how: 'cancelled' });
    this.#log.append({ type: 'call-paused', callId, breakpointId, why });
    this.hold(true, 'breakpoint');
    return new Promise((resolve) => {
      const end = (how: Resumed): void => {
        signal.removeEventListener('abort', onAbort);
        this.#paused.delete(callId);
        this.#log.append({ type: 'call-resumed', callId, how: how.how });
        resolve(how);
      };
      const onAbort = (): void => end({ how: 'cancelled' });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#paused.set(callId, { resolve: end });
    });
  }

  /** The fault of this kind that strikes the call now. It is written down as having struck. */
  strike<K extends FaultKind>(kind: K, call: Omit<DebuggedCall, 'signal'>): Extract<Fault, { kind: K }> | undefined {
    const { faults, struck } = this.#log.state.debugger;
    const found = faults.find(
      (fault): fault is Extract<Fault, { kind: K }> =>
        fault.enabled &&
        fault.kind === kind &&
        (fault.times === undefined || (struck[fault.id] ?? 0) < fault.times) &&
        isMeant(fault.rule, call),
    );
    if (found === undefined) return undefined;
    const ms = 'ms' in found ? { ms: found.ms } : {};
    this.#log.append({ type: 'fault-injected', callId: call.callId, faultId: found.id, kind, ...ms });
    return found;
  }

  /** Waits as a fault says; ends early with the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        timer.dispose();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.#clock.schedule(millis(ms), end);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

const isMeant = (rule: string, { toolName, input, context }: Omit<DebuggedCall, 'signal'>): boolean =>
  ruleMeans(rule, { tool: toolName, input }, worldOf(context));
