import { assertNever } from '../../src-shared/assert-never.ts';
import type { AgentId, BatchId, CallId, MessageId } from '../../src-shared/ids.ts';
import { cascades } from '../../src-shared/scheduler/cascade.ts';
import { createScheduler } from '../../src-shared/scheduler/create-scheduler.ts';
import type { Decision, MessageEnd, ScheduledCall, Scheduler } from '../../src-shared/scheduler/types.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import type { ToolResult } from '../../src-shared/tool-call/content.ts';
import type { CancelReason, Safety } from '../../src-shared/tool-call/event.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { classify } from '../core/classify.ts';
import type { AnyTool, ToolRegistry } from '../ports/tool.ts';
import { deepFreeze, factsOf } from './arriving-call.ts';
import type { CallRun, Ending, Job } from './call-run.ts';
import { runCall } from './call-stages.ts';
import { type CancelledBy, cancelledEnding } from './cancelled-ending.ts';
import { applyModifier } from './context-changes.ts';
import type { ContextHolder } from './context-holder.ts';
import type { SessionLog } from './session-log.ts';

/** What the executor itself gives each call. */
type PerCall =
  | 'job'
  | 'signal'
  | 'context'
  | 'cancelled'
  | 'log'
  | 'record'
  | 'reminders'
  | 'classified'
  | 'classify'
  | 'sharesLock'
  | 'stopTurn';

export type ExecutorDeps = {
  readonly log: SessionLog;
  readonly tools: ToolRegistry;
  readonly settings: SessionSettings;
  readonly context: ContextHolder;
  readonly agentId: AgentId;
  readonly newBatchId: () => BatchId;
  /** Everything a call's stages need besides the call itself. */
  readonly runDeps: Omit<CallRun, PerCall>;
  /** A person refused a call without a word: the whole turn ends. */
  readonly onTurnRefused: () => void;
};

export type AddedCall = {
  readonly callId: CallId;
  readonly messageId: MessageId;
  readonly tool: string;
  readonly input: unknown;
  /** Its input was cut off or is no JSON: it never starts and is answered with these words (spec 1.9). */
  readonly problem?: string;
};

type Held = {
  readonly job: Job;
  /** What the cascade policies distinguish. */
  readonly kind: ScheduledCall['kind'];
  /** Only while the call runs: a message may hold 10,000 calls, and a signal is larger than its call. */
  controller: AbortController | undefined;
  /** Why it was told to stop; a stronger reason that comes later replaces an earlier one. */
  cancelledBy: CancelledBy | undefined;
  ending: Ending | undefined;
};

/** A hook wants the turn to end; `callId` where it was one of a call. */
export type TurnStop = { readonly callId?: CallId; readonly reason: string };

/** A result as it goes back to the model. */
export type FinishedCall = { readonly callId: CallId; readonly result: ToolResult };

/**
 * Runs the calls of one assistant message. The scheduler decides, this carries out: command in, decisions, events,
 * effects, in that order. Exactly one result comes out for every call that went in, in call order.
 */
export class Executor {
  readonly #deps: ExecutorDeps;
  readonly #scheduler: Scheduler;
  readonly #calls = new Map<CallId, Held>();
  readonly #yielded: FinishedCall[] = [];
  readonly #stops: TurnStop[] = [];
  #refused = false;
  #discarded = false;
  #finish: ((calls: readonly FinishedCall[]) => void) | undefined;
  /** Settles when every call has been yielded and the message has ended, or after a discard when nothing runs. */
  readonly finished: Promise<readonly FinishedCall[]>;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    const { strategy, cap, cascade, startUnsafe } = deps.settings;
    this.#scheduler = createScheduler({ strategy, cap, cascade, startUnsafe, newBatchId: deps.newBatchId });
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get size(): number {
    return this.#calls.size;
  }

  /** A person refused a call without a word. */
  get refused(): boolean {
    return this.#refused;
  }

  /** What hooks said of the turn's end; it ends when all calls have settled (spec 2.9). */
  get stops(): readonly TurnStop[] {
    return this.#stops;
  }

  /**
   * A call's block has arrived. Its id is new in the session, and its message has not ended.
   * @throws CallAddedTwice, CallAddedTooLate: bugs of the caller.
   */
  add(call: AddedCall): void {
    const { log, tools, agentId } = this.#deps;
    const tool = tools.find(call.tool);
    // The input goes back to the model as it came (spec 2.7): a tool that tries to change it fails by itself.
    const input = deepFreeze(call.input);
    const { callId, messageId, problem } = call;
    const safety = this.#classify(tool, input);
    const { summary, ...facts } = factsOf(tool, input);
    const job: Job = {
      callId,
      messageId,
      agentId,
      index: this.#calls.size,
      toolName: call.tool,
      tool,
      input,
      summary,
      safety,
      problem,
    };
    log.append({
      type: 'call-queued',
      callId,
      agentId,
      messageId,
      index: job.index,
      tool: call.tool,
      input,
      summary,
      safety,
      onInterrupt: facts.onInterrupt,
    });
    this.#calls.set(callId, {
      job,
      kind: facts.kind,
      controller: undefined,
      cancelledBy: undefined,
      ending: undefined,
    });
    const broken = problem === undefined ? {} : { broken: true as const };
    this.#carryOut(this.#scheduler.add({ callId, safe: safety.safe, ...facts, ...broken }));
  }

  #classify(tool: AnyTool | undefined, input: unknown): Safety {
    const { treatAsSafe, agentConcurrency } = this.#deps.settings;
    return classify({ tool, input, treatAsSafe, agentConcurrency });
  }

  messageEnded(how: MessageEnd): void {
    this.#carryOut(this.#scheduler.messageEnded(how));
  }

  interrupt(reason: 'interrupt' | 'escape' | 'shutdown'): void {
    this.#carryOut(this.#scheduler.interrupt(reason));
  }

  /** Debugger: while held no call starts; a step lets one go, and says whether one waited. */
  hold(on: boolean): void {
    this.#carryOut(this.#scheduler.hold(on));
  }

  step(): boolean {
    const waits = [...this.#calls.keys()].some((callId) => this.#scheduler.phaseOf(callId) === 'queued');
    if (waits) this.#carryOut(this.#scheduler.step());
    return waits;
  }

  /** The call its agent works for was told to stop: all calls stop for the same reason, but see `AgentLoop.end`. */
  stop(reason: CancelReason, culprit: CallId | undefined): void {
    if (reason === 'discarded') this.discard();
    else this.#carryOut(this.#scheduler.interrupt(reason, culprit));
  }

  discard(): void {
    this.#discarded = true;
    this.#carryOut(this.#scheduler.discard());
  }

  #carryOut(decisions: readonly Decision[]): void {
    const starts: Held[] = [];
    for (const decision of decisions) {
      const started = this.#apply(decision);
      if (started !== undefined) starts.push(started);
    }
    // Effects come last: every event of this step is on disk before the first process starts.
    if (starts.some(({ job }) => !job.safety.safe)) this.#deps.log.sync();
    for (const held of starts) void this.#run(held);
    if (this.#scheduler.done) this.#finish?.(this.#yielded);
  }

  /** Records one decision. Returns the call that is to be run, if it is a start. */
  #apply(decision: Decision): Held | undefined {
    const { log, agentId } = this.#deps;
    switch (decision.type) {
      case 'batch-planned':
        log.append({ ...decision, callIds: [...decision.callIds], agentId, messageId: this.#messageId() });
        return undefined;
      case 'batch-started':
        log.append({ ...decision, agentId, messageId: this.#messageId() });
        return undefined;
      case 'batch-ended':
        log.append(decision);
        return undefined;
      case 'start': {
        const { callId, lane, batchId } = decision;
        log.append({ type: 'call-started', callId, lane, batchId, timing: MEASURED });
        return this.#held(callId);
      }
      case 'blocked':
        log.append({ type: 'call-blocked', callId: decision.callId, why: decision.why, by: [...decision.by] });
        return undefined;
      case 'cascade':
        log.append({ ...decision, type: 'cascade-triggered', victims: [...decision.victims] });
        return undefined;
      case 'cancel':
        this.#cancel(decision);
        return undefined;
      case 'apply-modifiers':
        this.#applyModifiers(decision.callIds);
        return undefined;
      case 'yield': {
        log.append({ type: 'call-yielded', callId: decision.callId });
        const { ending } = this.#held(decision.callId);
        if (ending !== undefined) this.#yielded.push({ callId: decision.callId, result: ending.result });
        return undefined;
      }
      case 'interruptible':
        return undefined;
      default:
        return assertNever(decision, 'decision');
    }
  }

  #cancel(decision: Extract<Decision, { type: 'cancel' }>): void {
    const held = this.#held(decision.callId);
    // Its result is there already; only the scheduler has not been told yet.
    if (held.ending !== undefined) return;
    held.cancelledBy = { reason: decision.reason, culprit: decision.culprit };
    this.#deps.log.append({
      type: 'call-cancelled',
      callId: decision.callId,
      reason: decision.reason,
      hadStarted: decision.hadStarted,
      ...(decision.culprit === undefined ? {} : { culprit: decision.culprit }),
    });
    if (decision.hadStarted) held.controller?.abort(decision.reason);
    else this.#complete(held, this.#cancelledEnding(held, 'in-time'));
  }

  #cancelledEnding(held: Held, stopped: 'in-time' | 'given-up'): Ending {
    return cancelledEnding(this.#deps.log.state, held.job, held.cancelledBy, stopped);
  }

  #applyModifiers(callIds: readonly CallId[]): void {
    const { log, context } = this.#deps;
    for (const callId of callIds) {
      const { ending, job } = this.#held(callId);
      if (ending !== undefined) applyModifier({ log, context }, job, ending);
    }
  }

  async #run(held: Held): Promise<void> {
    const { log, context, settings } = this.#deps;
    const { clock, asker, rules, addRule, mode, hooks, classifier, files, saveThreshold, host, debug } =
      this.#deps.runDeps;
    const controller = new AbortController();
    held.controller = controller;
    // Told to stop in the same step that let it start.
    if (held.cancelledBy !== undefined) controller.abort(held.cancelledBy.reason);
    // Named one by one: spreading them costs a tenth of a call that does nothing.
    const ended = await runCall({
      clock,
      asker,
      rules,
      addRule,
      mode,
      hooks,
      classifier,
      files,
      saveThreshold,
      host,
      debug,
      job: held.job,
      log,
      signal: controller.signal,
      context: context.current,
      classify: (input) => this.#classify(held.job.tool, input),
      sharesLock: held.job.safety.safe && settings.strategy !== 'serial',
      stopTurn: (reason) => void this.#stops.push({ callId: held.job.callId, reason }),
      cancelled: (how = 'in-time') => this.#cancelledEnding(held, how),
    });
    if (ended.failed && !debug.isIdle) await this.#pauseAtFailure(held, controller.signal);
    // A stronger reason may have come between its last word and now.
    const ending = ended.stopped === undefined ? ended : this.#cancelledEnding(held, ended.stopped);
    this.#complete(held, ending);
    if (ending.endsTurn === true && !this.#discarded) {
      this.#refused = true;
      // Before the scheduler hears that a lane is free: nothing may start in a turn that has ended (spec 1.7).
      this.#deps.onTurnRefused();
    }
    const { failed, modifier } = ending;
    this.#carryOut(this.#scheduler.settle(held.job.callId, { failed, modifies: modifier !== undefined }));
  }

  /** A breakpoint at its failure, or at the cascade that would follow, before anybody hears of it. */
  async #pauseAtFailure({ job, kind }: Held, signal: AbortSignal): Promise<void> {
    const { settings, context, runDeps } = this.#deps;
    const { callId, toolName, input } = job;
    const hasSiblings = [...this.#calls.values()].some((other) => other.job !== job && other.ending === undefined);
    const policy = hasSiblings && cascades(settings.cascade, { kind }) ? settings.cascade : undefined;
    await runDeps.debug.afterFailure({ callId, toolName, input, context: context.current, signal }, policy);
  }

  #complete(held: Held, ending: Ending): void {
    held.ending = ending;
    held.controller = undefined;
    this.#deps.log.append({
      type: 'call-completed',
      callId: held.job.callId,
      outcome: ending.outcome,
      result: { ...ending.result, content: [...ending.result.content] },
      timing: MEASURED,
      ...(ending.exit === undefined ? {} : { exit: ending.exit }),
      ...(ending.failed === isFailure(ending.outcome) ? {} : { failed: ending.failed }),
    });
  }

  #messageId(): MessageId {
    const first = this.#calls.values().next().value;
    if (first === undefined) throw new Error('a batch without a call');
    return first.job.messageId;
  }

  #held(callId: CallId): Held {
    const held = this.#calls.get(callId);
    if (held === undefined) throw new Error(`the scheduler named a call it was never given: ${callId}`);
    return held;
  }
}

/** What an outcome says of the call's own failure where nothing else is recorded. */
const isFailure = (outcome: Ending['outcome']): boolean => outcome === 'error' || outcome === 'denied';
