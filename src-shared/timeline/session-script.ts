import {
  type AgentId,
  type AskId,
  type BatchId,
  type CallId,
  type HookRunId,
  MAIN_AGENT,
  type MessageId,
  type RequestId,
  type SessionId,
  type TurnId,
} from '../ids.ts';
import type { Usage } from '../model/event.ts';
import type { EventFacts, Origin, SessionEvent } from '../session/event.ts';
import { defaultSettings, type SessionSettings } from '../session/settings.ts';
import { foldSession, type SessionState } from '../session/state.ts';
import { textResult } from '../tool-call/content.ts';
import type { BlockedBy, CancelReason, Exit, Outcome, Stage } from '../tool-call/event.ts';
import { MEASURED, type Timing } from '../tool-call/timing.ts';
import { instant, sessionTime } from '../units.ts';

/** A call told by its times, in milliseconds since the session's start. What is left out did not happen. */
export type ScriptedCall = {
  readonly id: string;
  readonly tool: string;
  readonly summary?: string;
  readonly input?: unknown;
  readonly agent?: string;
  readonly message?: string;
  readonly safe?: boolean;
  readonly queued: number;
  readonly waits?: readonly { readonly why: BlockedBy; readonly by?: readonly string[]; readonly at: number }[];
  readonly start?: number;
  readonly lane?: number;
  readonly batch?: string;
  readonly startTiming?: Timing;
  readonly stages?: readonly (readonly [Stage, number, number?])[];
  /** Asked, and answered when there is a second time. */
  readonly ask?: readonly [number, number?];
  readonly answer?: 'allow' | 'deny';
  /** Settled by a rule, without a question. */
  readonly settled?: number;
  readonly editedBy?: 'user' | 'hook';
  readonly cancelled?: { readonly at: number; readonly reason: CancelReason; readonly culprit?: string };
  readonly end?: number;
  readonly endTiming?: Timing;
  readonly outcome?: Outcome;
  readonly exit?: Exit;
  readonly yielded?: number;
  readonly savedBytes?: number;
  readonly sameAs?: string;
  readonly staleFiles?: readonly string[];
  readonly processes?: readonly {
    readonly pid: number;
    readonly command: string;
    readonly from: number;
    readonly until?: number;
  }[];
};

const call = (id: string): CallId => id as CallId;
const agent = (id: string | undefined): AgentId => (id ?? MAIN_AGENT) as AgentId;
const NO_USAGE: Usage = {};

/**
 * Writes made-up sessions: facts are given with their times in any order and come out as a journal, stamped and
 * sorted. The legend, the gallery and the tests are drawn from these.
 */
export class SessionScript {
  private readonly facts: { readonly t: number; readonly facts: EventFacts }[] = [];
  private readonly indexOf = new Map<string, number>();
  private readonly startedAt: number;

  constructor(
    options: {
      readonly title?: string;
      readonly startedAt?: number;
      readonly settings?: Partial<SessionSettings>;
      readonly origin?: Origin;
    } = {},
  ) {
    this.startedAt = options.startedAt ?? Date.UTC(2025, 10, 18, 10, 12, 6);
    this.at(0, {
      type: 'session-started',
      sessionId: 'made-up' as SessionId,
      title: options.title ?? 'A made-up session',
      cwd: '/work/shop',
      origin: options.origin ?? { kind: 'live', provider: 'scripted' },
      app: 'gantry',
      settings: { ...defaultSettings(), ...options.settings },
    });
  }

  /** Any fact at any time. */
  at(t: number, facts: EventFacts): this {
    this.facts.push({ t, facts });
    return this;
  }

  turn(id: string, from: number, until?: number, agentId?: string): this {
    const turnId = id as TurnId;
    this.at(from, { type: 'turn-started', turnId, agentId: agent(agentId) });
    if (until !== undefined)
      this.at(until, { type: 'turn-ended', turnId, agentId: agent(agentId), reason: 'completed' });
    return this;
  }

  agent(
    id: string,
    name: string,
    from: number,
    options: {
      readonly until?: number;
      readonly parent?: string;
      readonly type?: string;
      readonly depth?: number;
    } = {},
  ): this {
    this.at(from, {
      type: 'agent-started',
      agentId: agent(id),
      parentCallId: options.parent === undefined ? undefined : call(options.parent),
      depth: options.depth ?? 1,
      name,
      agentType: options.type ?? 'general-purpose',
      prompt: '',
    });
    if (options.until !== undefined) this.at(options.until, { type: 'agent-ended', agentId: agent(id) });
    return this;
  }

  /** A request: its start, the times its blocks arrived, and its end if it has one. */
  request(
    id: string,
    from: number,
    blocks: readonly number[],
    until?: number,
    options: {
      readonly turn?: string;
      readonly agent?: string;
      readonly attempt?: number;
      readonly failed?: string;
      readonly message?: string;
    } = {},
  ): this {
    const requestId = id as RequestId;
    const messageId = (options.message ?? `m-${id}`) as MessageId;
    const agentId = agent(options.agent);
    this.at(from, {
      type: 'request-started',
      requestId,
      agentId,
      turnId: (options.turn ?? 'turn-1') as TurnId,
      attempt: options.attempt ?? 1,
      timing: MEASURED,
    });
    const [first] = blocks;
    if (first !== undefined)
      this.at(first, { type: 'message-started', requestId, messageId, agentId, model: 'made-up' });
    for (const [index, t] of blocks.entries()) {
      this.at(t, { type: 'block-arrived', messageId, agentId, index, block: { kind: 'text', text: '' } });
    }
    if (until === undefined) return this;
    if (options.failed !== undefined)
      return this.at(until, { type: 'request-failed', requestId, message: options.failed, retryInMs: 1000 });
    return this.at(until, { type: 'message-completed', messageId, requestId, stopReason: 'tool-use', usage: NO_USAGE });
  }

  batch(id: string, kind: 'safe' | 'exclusive', from: number, until?: number, agentId?: string): this {
    const batchId = id as BatchId;
    this.at(from, { type: 'batch-started', batchId, agentId: agent(agentId), messageId: 'm' as MessageId, kind });
    if (until !== undefined) this.at(until, { type: 'batch-ended', batchId });
    return this;
  }

  hook(id: string, callId: string | undefined, command: string, from: number, until?: number): this {
    const runId = id as HookRunId;
    this.at(from, {
      type: 'hook-started',
      runId,
      callId: callId === undefined ? undefined : call(callId),
      hookEvent: 'PreToolUse',
      command,
      timing: MEASURED,
    });
    if (until === undefined) return this;
    return this.at(until, {
      type: 'hook-ended',
      runId,
      exitCode: 0,
      outcome: 'ok',
      stdout: '',
      stderr: '',
      effects: [],
    });
  }

  call(c: ScriptedCall): this {
    const callId = call(c.id);
    const message = c.message ?? 'm';
    const index = this.indexOf.get(message) ?? 0;
    this.indexOf.set(message, index + 1);
    const safe = c.safe ?? true;
    this.at(c.queued, {
      type: 'call-queued',
      callId,
      agentId: agent(c.agent),
      messageId: message as MessageId,
      index,
      tool: c.tool,
      input: c.input ?? {},
      summary: c.summary ?? '',
      safety: { safe, because: safe ? 'declared-safe' : 'declared-unsafe' },
    });
    for (const wait of c.waits ?? [])
      this.at(wait.at, { type: 'call-blocked', callId, why: wait.why, by: (wait.by ?? []).map(call) });
    if (c.start !== undefined) {
      this.at(c.start, {
        type: 'call-started',
        callId,
        lane: c.lane ?? 0,
        batchId: (c.batch ?? 'none') as BatchId,
        timing: c.startTiming ?? MEASURED,
      });
    }
    this.stagesOf(c, callId);
    if (c.cancelled !== undefined) {
      const { at, reason, culprit } = c.cancelled;
      this.at(at, {
        type: 'call-cancelled',
        callId,
        reason,
        culprit: culprit === undefined ? undefined : call(culprit),
        hadStarted: c.start !== undefined,
      });
    }
    this.marksOf(c, callId);
    if (c.end !== undefined) {
      const outcome = c.outcome ?? 'ok';
      this.at(c.end, {
        type: 'call-completed',
        callId,
        outcome,
        exit: c.exit,
        result: textResult('', outcome !== 'ok'),
        timing: c.endTiming ?? MEASURED,
      });
    }
    if (c.yielded !== undefined) this.at(c.yielded, { type: 'call-yielded', callId });
    return this;
  }

  private stagesOf(c: ScriptedCall, callId: CallId): void {
    for (const [stage, from, until] of c.stages ?? []) {
      this.at(from, { type: 'stage-started', callId, stage });
      if (until !== undefined) this.at(until, { type: 'stage-ended', callId, stage });
    }
    if (c.settled !== undefined)
      this.at(c.settled, { type: 'permission-settled', callId, verdict: 'allow', by: 'rule', trace: [] });
    if (c.ask === undefined) return;
    const [asked, answered] = c.ask;
    const askId = `ask-${c.id}` as AskId;
    this.at(asked, {
      type: 'permission-asked',
      askId,
      callId,
      agentId: agent(c.agent),
      question: { title: 'Run this?', reason: 'It changes files.', risk: 'changes files', dangerous: false },
      trace: [],
    });
    if (answered !== undefined)
      this.at(answered, {
        type: 'permission-settled',
        callId,
        askId,
        verdict: c.answer ?? 'allow',
        by: 'user',
        trace: [],
      });
  }

  private marksOf(c: ScriptedCall, callId: CallId): void {
    const t = c.end ?? c.start ?? c.queued;
    if (c.editedBy !== undefined)
      this.at(c.ask?.[1] ?? t, { type: 'call-input-changed', callId, by: c.editedBy, input: {} });
    if (c.savedBytes !== undefined)
      this.at(t, { type: 'result-saved', callId, path: '/tmp/out.txt', bytes: c.savedBytes, found: true });
    if (c.sameAs !== undefined) this.at(t, { type: 'result-deduplicated', callId, sameAs: call(c.sameAs) });
    if (c.staleFiles !== undefined) this.at(t, { type: 'reads-went-stale', callId, files: [...c.staleFiles] });
    for (const process of c.processes ?? []) {
      this.at(process.from, { type: 'process-spawned', callId, pid: process.pid, command: process.command });
      if (process.until !== undefined)
        this.at(process.until, { type: 'process-ended', callId, pid: process.pid, code: 0 });
    }
  }

  /** The journal: facts by time, equal times in the order they were told. */
  events(): readonly SessionEvent[] {
    const sorted = this.facts.toSorted((a, b) => a.t - b.t);
    return sorted.map(
      ({ t, facts }, seq) => ({ ...facts, seq, t: sessionTime(t), at: instant(this.startedAt + t) }) as SessionEvent,
    );
  }

  state(): SessionState {
    return foldSession(this.events());
  }
}
