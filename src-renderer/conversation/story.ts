import {
  type AgentId,
  type AskId,
  type BatchId,
  type CallId,
  MAIN_AGENT,
  type MessageId,
  type RequestId,
  type SessionId,
  type TurnId,
} from '../../src-shared/ids.ts';
import type { Question, TraceStep } from '../../src-shared/permission/event.ts';
import type { EventFacts, EventOf, Origin, SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { foldSession, type SessionState } from '../../src-shared/session/state.ts';
import { type ToolResult, textResult } from '../../src-shared/tool-call/content.ts';
import type { Outcome } from '../../src-shared/tool-call/event.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';

const STARTED = Date.UTC(2025, 10, 18, 16, 20);

type CallOptions = {
  readonly input?: unknown;
  readonly agent?: AgentId;
  readonly safe?: boolean;
  readonly because?: EventOf<'call-queued'>['safety']['because'];
  readonly detail?: string;
};
type EndOptions = {
  readonly outcome?: Outcome;
  readonly exit?: EventOf<'call-completed'>['exit'];
  readonly result?: ToolResult | string;
};

/**
 * Tells a made-up session for tests and the component gallery: `at(ms)` moves its clock, the other methods say what
 * happened then. Every method returns the story, so that they chain.
 */
export class Story {
  readonly events: SessionEvent[] = [];
  private now = 0;
  private messages = 0;
  private readonly message = new Map<AgentId, MessageId>();
  private readonly blocks = new Map<MessageId, number>();
  private turns = 0;

  constructor(title = 'A session', origin: Origin = { kind: 'live', provider: 'scripted' }) {
    this.add({
      type: 'session-started',
      sessionId: 'session' as SessionId,
      title,
      cwd: '/home/mira/work/shop',
      origin,
      app: '0.1.0',
      settings: defaultSettings(),
    });
  }

  at(ms: number): this {
    this.now = ms;
    return this;
  }

  add(facts: EventFacts): this {
    this.events.push({
      ...facts,
      seq: this.events.length,
      at: instant(STARTED + this.now),
      t: sessionTime(this.now),
    } as SessionEvent);
    return this;
  }

  you(text: string): this {
    this.turns++;
    this.add({ type: 'turn-started', turnId: this.turn(), agentId: MAIN_AGENT });
    return this.add({ type: 'user-message-added', messageId: this.id(), agentId: MAIN_AGENT, text, from: 'person' });
  }

  /** A request and the start of its message. */
  request(agentId: AgentId = MAIN_AGENT, attempt = 1): this {
    const messageId = this.id();
    const requestId = `request-${messageId}` as RequestId;
    this.message.set(agentId, messageId);
    this.add({
      type: 'request-started',
      requestId,
      agentId,
      turnId: agentId === MAIN_AGENT ? this.turn() : (`turn-${agentId}` as TurnId),
      attempt,
      timing: MEASURED,
    });
    return this.add({ type: 'message-started', requestId, messageId, agentId, model: 'scripted' });
  }

  says(text: string, agentId: AgentId = MAIN_AGENT): this {
    return this.block({ kind: 'text', text }, agentId);
  }

  thinks(text: string, agentId: AgentId = MAIN_AGENT): this {
    return this.block({ kind: 'thinking', text }, agentId);
  }

  /** The message of an agent is complete. */
  said(agentId: AgentId = MAIN_AGENT): this {
    const messageId = this.current(agentId);
    return this.add({
      type: 'message-completed',
      messageId,
      requestId: `request-${messageId}` as RequestId,
      stopReason: 'tool-use',
      usage: {},
    });
  }

  call(id: string, tool: string, summary: string, options: CallOptions = {}): this {
    const agentId = options.agent ?? MAIN_AGENT;
    const callId = id as CallId;
    this.block({ kind: 'tool-use', callId, tool }, agentId);
    return this.add({
      type: 'call-queued',
      callId,
      agentId,
      messageId: this.current(agentId),
      index: 0,
      tool,
      input: options.input ?? (tool === 'Bash' ? { command: summary } : { file_path: summary }),
      summary,
      safety: {
        safe: options.safe ?? tool !== 'Edit',
        because: options.because ?? (tool === 'Edit' ? 'declared-unsafe' : 'declared-safe'),
        ...(options.detail === undefined ? {} : { detail: options.detail }),
      },
    });
  }

  starts(id: string, lane = 0): this {
    return this.add({
      type: 'call-started',
      callId: id as CallId,
      lane,
      batchId: 'batch' as BatchId,
      timing: MEASURED,
    });
  }

  stage(id: string, stage: EventOf<'stage-started'>['stage'], ms: number): this {
    this.add({ type: 'stage-started', callId: id as CallId, stage });
    this.now += ms;
    return this.add({ type: 'stage-ended', callId: id as CallId, stage });
  }

  ends(id: string, options: EndOptions = {}): this {
    const { outcome = 'ok', exit, result = '' } = options;
    this.add({
      type: 'call-completed',
      callId: id as CallId,
      outcome,
      ...(exit === undefined ? {} : { exit }),
      result: typeof result === 'string' ? textResult(result, outcome !== 'ok') : result,
      timing: MEASURED,
    });
    return this.add({ type: 'call-yielded', callId: id as CallId });
  }

  asks(id: string, question: Partial<Question> & { readonly title: string }, trace: readonly TraceStep[] = []): this {
    return this.add({
      type: 'permission-asked',
      askId: `ask-${id}` as AskId,
      callId: id as CallId,
      agentId: MAIN_AGENT,
      question: { reason: '', risk: 'runs a program', dangerous: false, ...question },
      trace: [...trace],
    });
  }

  settles(id: string, verdict: 'allow' | 'deny', by: EventOf<'permission-settled'>['by'] = 'user'): this {
    return this.add({
      type: 'permission-settled',
      callId: id as CallId,
      askId: `ask-${id}` as AskId,
      verdict,
      by,
      trace: [],
    });
  }

  cancels(id: string, culprit: string, hadStarted: boolean): this {
    return this.add({
      type: 'call-cancelled',
      callId: id as CallId,
      reason: 'sibling_error',
      culprit: culprit as CallId,
      hadStarted,
    });
  }

  agent(id: string, parent: string, name: string, prompt: string): this {
    this.add({
      type: 'agent-started',
      agentId: id as AgentId,
      parentCallId: parent as CallId,
      depth: 1,
      name,
      agentType: 'general',
      prompt,
    });
    return this.add({
      type: 'user-message-added',
      messageId: this.id(),
      agentId: id as AgentId,
      text: prompt,
      from: 'program',
    });
  }

  turnEnds(reason: EventOf<'turn-ended'>['reason'] = 'completed'): this {
    return this.add({ type: 'turn-ended', turnId: this.turn(), agentId: MAIN_AGENT, reason });
  }

  state(): SessionState {
    return foldSession(this.events);
  }

  private block(block: EventOf<'block-arrived'>['block'], agentId: AgentId): this {
    const messageId = this.current(agentId);
    const index = this.blocks.get(messageId) ?? 0;
    this.blocks.set(messageId, index + 1);
    return this.add({ type: 'block-arrived', messageId, agentId, index, block });
  }

  private current(agentId: AgentId): MessageId {
    const messageId = this.message.get(agentId);
    if (messageId === undefined) throw new Error(`${agentId} has no message yet: call request() first`);
    return messageId;
  }

  private id(): MessageId {
    this.messages++;
    return `message-${this.messages}` as MessageId;
  }

  private turn(): TurnId {
    return `turn-${this.turns}` as TurnId;
  }
}
