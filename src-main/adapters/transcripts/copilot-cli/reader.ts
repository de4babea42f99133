import type { AgentId, CallId, HookRunId, ShellId } from '../../../../src-shared/ids.ts';
import type { EventFacts } from '../../../../src-shared/session/event.ts';
import type { ShellEnd } from '../../../../src-shared/shell/event.ts';
import { MEASURED } from '../../../../src-shared/tool-call/timing.ts';
import { type Fields, fieldsOf, listAt, numberAt, textAt, timeOf } from '../common/fields.ts';
import { summaryOf } from '../common/summary.ts';
import { nothingLearned, type ReadFile, type RecordReader } from '../plain/one-by-one.ts';
import { MAIN, type PlainAgent, type PlainBlock, type PlainMessage, type PlainStep } from '../plain/session.ts';
import { type OpenCall, openCall, plainCall, resultText } from './call.ts';
import { HOOK_EVENTS, INERT, noticeOf } from './kinds.ts';

type OpenBlock = { readonly kind: 'call'; readonly open: OpenCall } | Exclude<PlainBlock, { kind: 'call' }>;
type OpenMessage = Omit<PlainMessage, 'blocks' | 'id'> & {
  id: string | undefined;
  readonly blocks: OpenBlock[];
  output: number | undefined;
};
type OtherStep = Exclude<PlainStep, PlainMessage>;
type Agent = { -readonly [K in keyof PlainAgent]: PlainAgent[K] };

/** Takes the events of a session one by one. Finish with `done`. */
export class EventReader implements RecordReader {
  readonly #file: ReadFile;
  readonly #list: (OtherStep | OpenMessage)[] = [];
  readonly #messages = new Map<string, OpenMessage>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #agents = new Map<string, Agent>();
  readonly #asks = new Map<string, { readonly call: OpenCall; readonly at: number | undefined }>();
  readonly #hooks = new Map<string, HookRunId>();
  readonly #shellEnds = new Map<string, { readonly at: number | undefined; readonly how: ShellEnd }>();
  readonly #ends: {
    readonly id: string;
    readonly at: number | undefined;
    readonly data: Fields;
    readonly line: number;
  }[] = [];
  readonly #turnAt = new Map<string, number | undefined>();
  #model = 'unknown';
  #lastAt: number | undefined;
  readonly learned = nothingLearned();

  constructor(file: ReadFile) {
    this.#file = file;
  }

  take(event: Fields, line: number): void {
    const type = textAt(event, 'type') ?? '?';
    const data = fieldsOf(event.data) ?? {};
    const at = timeOf(event.timestamp);
    this.#lastAt = at ?? this.#lastAt;
    const agent = this.#agentOf(data, type);
    switch (type) {
      case 'session.start':
      case 'session.resume':
        this.#takeSession(type, data, at);
        return;
      case 'session.model_change':
        this.#model = textAt(data, 'newModel') ?? this.#model;
        return;
      case 'session.title_changed':
        this.learned.title = textAt(data, 'title') ?? this.learned.title;
        return;
      case 'user.message':
        this.#takePrompt(agent, textAt(data, 'content') ?? '', at);
        return;
      case 'assistant.turn_start':
        this.#turnAt.set(agent, at);
        return;
      case 'assistant.message':
        this.#takeMessage(agent, data, at, line);
        return;
      case 'assistant.reasoning':
        this.#think(agent, textAt(data, 'content') ?? '', at);
        return;
      case 'tool.execution_start':
        this.#takeStart(agent, data, at);
        return;
      case 'tool.execution_complete':
        this.#ends.push({ id: textAt(data, 'toolCallId') ?? '', at, data, line });
        return;
      case 'abort':
        this.#takeAbort(agent, at);
        return;
      case 'system.message':
        this.#fact(at, {
          type: 'prompt-prepared',
          agentId: MAIN as AgentId,
          text: textAt(data, 'content') ?? '',
          sources: [],
        });
        return;
      default:
        this.#takeOther(type, data, at, line);
    }
  }

  #takeOther(type: string, data: Fields, at: number | undefined, line: number): void {
    if (type === 'hook.start' || type === 'hook.end') this.#takeHook(type, data, at);
    else if (type === 'permission.requested' || type === 'permission.completed') this.#takePermission(type, data, at);
    else if (type.startsWith('subagent.')) this.#takeAgent(type, data, at);
    else if (type === 'system.notification') this.#takeNotification(data, at);
    else if (type === 'session.error') this.#takeError(data, at);
    else {
      const notice = noticeOf(type, data);
      if (notice !== undefined) this.#fact(at, { type: 'notice-given', ...notice });
      else if (!INERT.has(type)) this.#file.unknown(`events of type "${type}"`, line);
    }
  }

  /** Events of a sub-agent name the call that started it. */
  #agentOf(data: Fields, type: string): string {
    const parent = textAt(data, 'parentToolCallId');
    if (parent === undefined || type === 'session.start') return MAIN;
    if (!this.#agents.has(parent)) this.#addAgent(parent, 'sub-agent');
    return parent;
  }

  #addAgent(key: string, name: string): Agent {
    const agent: Agent = { key, name, agentType: name, prompt: '', parentCallId: key };
    this.#agents.set(key, agent);
    return agent;
  }

  #takeAgent(type: string, data: Fields, at: number | undefined): void {
    const key = textAt(data, 'toolCallId');
    if (type !== 'subagent.started' || key === undefined) return;
    const agent = this.#agents.get(key) ?? this.#addAgent(key, 'sub-agent');
    agent.agentType = textAt(data, 'agentName') ?? agent.agentType;
    agent.name = textAt(data, 'agentDisplayName') ?? agent.agentType;
    const prompt = textAt(fieldsOf(this.#calls.get(key)?.input), 'prompt');
    if (prompt !== undefined) this.#takePrompt(key, prompt, at);
  }

  #takeSession(type: string, data: Fields, at: number | undefined): void {
    const context = fieldsOf(data.context);
    this.learned.sessionId ??= textAt(data, 'sessionId');
    this.learned.version ??= textAt(data, 'copilotVersion');
    this.learned.cwd ??= textAt(context, 'cwd') ?? textAt(data, 'cwd');
    this.#model = textAt(data, 'selectedModel') ?? this.#model;
    if (type === 'session.start') this.learned.startedAt ??= timeOf(data.startTime) ?? at;
    else this.#fact(at, { type: 'notice-given', level: 'info', text: 'The session was resumed' });
  }

  #takePrompt(agent: string, text: string, at: number | undefined): void {
    const own = this.#agents.get(agent);
    if (own !== undefined && own.prompt === '') own.prompt = text;
    if (agent === MAIN) this.learned.firstPrompt ??= text;
    this.#list.push({ kind: 'entry', agent, at, text, says: 'prompt', from: agent === MAIN ? 'person' : 'program' });
  }

  #fact(at: number | undefined, facts: EventFacts): void {
    this.#list.push({ kind: 'fact', at, facts });
  }

  #messageOf(agent: string, id: string | undefined, at: number | undefined): OpenMessage {
    const known = id === undefined ? undefined : this.#messages.get(`${agent}\n${id}`);
    if (known !== undefined) return known;
    const message: OpenMessage = {
      kind: 'message',
      agent,
      at,
      until: undefined,
      askedAt: this.#turnAt.get(agent),
      id,
      model: this.#model,
      blocks: [],
      usage: {},
      stopReason: 'unknown',
      failed: false,
      left: false,
      output: undefined,
    };
    this.#turnAt.delete(agent);
    this.#list.push(message);
    if (id !== undefined) this.#messages.set(`${agent}\n${id}`, message);
    return message;
  }

  /** Reasoning comes in an event of its own before its message, in the message, or in both. */
  #think(agent: string, text: string, at: number | undefined): void {
    if (text !== '') this.#messageOf(agent, undefined, at).blocks.push({ kind: 'thinking', text, at });
  }

  #takeMessage(agent: string, data: Fields, at: number | undefined, line: number): void {
    this.#model = textAt(data, 'model') ?? this.#model;
    const before = this.#list.at(-1);
    const thought =
      before?.kind === 'message' && before.agent === agent && before.blocks.every((block) => block.kind === 'thinking');
    const id = textAt(data, 'messageId');
    if (thought && id !== undefined && !this.#messages.has(`${agent}\n${id}`))
      this.#messages.set(`${agent}\n${id}`, before);
    const message = thought && id === undefined ? before : this.#messageOf(agent, id, at);
    message.id ??= id;
    const add = (kind: 'text' | 'thinking', text: string | undefined) => {
      const isThere = message.blocks.some((block) => block.kind === kind && block.text === text);
      if (text && !isThere) message.blocks.push({ kind, text, at });
    };
    add('thinking', textAt(data, 'reasoningText'));
    add('text', textAt(data, 'content'));
    for (const value of listAt(data, 'toolRequests')) this.#request(message, fieldsOf(value) ?? {}, at, line);
    const output = numberAt(data, 'outputTokens');
    if (output !== undefined) message.output = Math.max(output, message.output ?? 0);
  }

  #request(message: OpenMessage, request: Fields, at: number | undefined, line: number): void {
    const id = textAt(request, 'toolCallId');
    const known = id === undefined ? undefined : this.#calls.get(id);
    if (known !== undefined) {
      // Some versions write that a call has started before they write that it was asked for.
      if (known.asked) this.#file.odd('repeated-call', `The call ${id} was already there; shown once`, line);
      known.asked = true;
      return;
    }
    const call = openCall(request, textAt(request, 'name'), at);
    call.asked = true;
    if (id !== undefined) this.#calls.set(id, call);
    message.blocks.push({ kind: 'call', open: call });
  }

  #takeStart(agent: string, data: Fields, at: number | undefined): void {
    const id = textAt(data, 'toolCallId');
    let call = id === undefined ? undefined : this.#calls.get(id);
    if (call === undefined) {
      call = openCall(data, textAt(data, 'toolName'), at);
      this.#messageOf(agent, undefined, at).blocks.push({ kind: 'call', open: call });
      if (id !== undefined) this.#calls.set(id, call);
    }
    call.started ??= { at };
  }

  #takeAbort(agent: string, at: number | undefined): void {
    const ended = new Set(this.#ends.map((end) => end.id));
    for (const [id, call] of this.#calls) if (!ended.has(id) && call.denied === undefined) call.aborted = true;
    this.#list.push({
      kind: 'entry',
      agent,
      at,
      text: 'The user stopped the turn',
      says: 'interrupt',
      from: 'program',
    });
  }

  #takeHook(type: string, data: Fields, at: number | undefined): void {
    const id = textAt(data, 'hookInvocationId') ?? '';
    if (type === 'hook.start') {
      const runId = `hook-${this.#hooks.size + 1}` as HookRunId;
      const name = textAt(data, 'hookType') ?? 'unknown';
      this.#hooks.set(id, runId);
      this.#fact(at, {
        type: 'hook-started',
        runId,
        hookEvent: HOOK_EVENTS[name] ?? name,
        command: name,
        timing: MEASURED,
      });
      return;
    }
    const runId = this.#hooks.get(id);
    if (runId === undefined) return;
    this.#hooks.set(id, '' as HookRunId);
    if (runId === '') return;
    const outcome = data.success === false ? 'error' : 'ok';
    const output = data.output === undefined ? '' : JSON.stringify(data.output);
    const stderr = textAt(fieldsOf(data.error), 'message') ?? '';
    this.#fact(at, { type: 'hook-ended', runId, outcome, stdout: output, stderr, effects: [] });
  }

  #takePermission(type: string, data: Fields, at: number | undefined): void {
    const requestId = textAt(data, 'requestId') ?? '';
    if (type === 'permission.requested') {
      const call = this.#calls.get(textAt(fieldsOf(data.permissionRequest), 'toolCallId') ?? '');
      if (call !== undefined) this.#asks.set(requestId, { call, at });
      return;
    }
    const ask = this.#asks.get(requestId);
    if (ask === undefined) return;
    const result = fieldsOf(data.result);
    const kind = textAt(result, 'kind') ?? 'unknown';
    const isNo = /^denied|^rejected|^cancelled/.test(kind);
    const by = /rule|policy/.test(kind) ? 'rule' : /could-not|no-approval/.test(kind) ? 'no-user' : 'user';
    if (isNo) ask.call.denied = { by, feedback: textAt(result, 'feedback') };
    else if (ask.call.id !== undefined) this.#allow(ask.call.id, ask.at, at, kind);
  }

  /** The wait for an answer is a stage of its call. */
  #allow(id: string, from: number | undefined, until: number | undefined, kind: string): void {
    const callId = id as CallId;
    this.#fact(from, { type: 'stage-started', callId, stage: 'permission' });
    this.#fact(until, { type: 'stage-ended', callId, stage: 'permission', verdict: 'allow' });
    const text = `The recording says: ${kind}.`;
    this.#fact(until, {
      type: 'permission-settled',
      callId,
      verdict: 'allow',
      by: 'user',
      trace: [{ step: 'user', verdict: 'allow', text }],
    });
  }

  #takeNotification(data: Fields, at: number | undefined): void {
    const kind = fieldsOf(data.kind);
    const text = textAt(data, 'content') ?? textAt(kind, 'type') ?? 'The program noted something';
    this.#fact(at, { type: 'notice-given', level: 'info', text });
    const shell = textAt(kind, 'shellId');
    const said = textAt(kind, 'type') ?? '';
    if (shell === undefined || !said.startsWith('shell_')) return;
    const code = numberAt(kind, 'exitCode');
    this.#shellEnds.set(shell, { at, how: code === undefined ? { kind: 'unknown', said } : { kind: 'exited', code } });
  }

  #takeError(data: Fields, at: number | undefined): void {
    const text = textAt(data, 'message') ?? 'The program noted an error';
    this.#fact(at, { type: 'notice-given', level: 'error', text });
    this.#list.push({ kind: 'mark', agent: MAIN, at, says: 'error', message: text });
  }

  /** Everything that was told, and the agents in it. Ends are paired by id once all calls are known. */
  done(): { readonly steps: readonly PlainStep[]; readonly agents: readonly PlainAgent[] } {
    for (const { id, at, data, line } of this.#ends) {
      const call = this.#file.callOf(id, this.#calls, (one) => one.completed !== undefined, line);
      if (call === undefined) continue;
      call.completed = { at, data };
      call.aborted &&= data.success === false;
      this.#noteShell(call, at);
    }
    for (const runId of this.#hooks.values()) {
      if (runId !== '')
        this.#fact(this.#lastAt, {
          type: 'hook-ended',
          runId,
          outcome: 'cancelled',
          stdout: '',
          stderr: '',
          effects: [],
        });
    }
    const steps = this.#list.map((step): PlainStep => (step.kind === 'message' ? plainMessage(step) : step));
    return { steps, agents: [...this.#agents.values()] };
  }

  /** A command that was started in the background outlives its call. */
  #noteShell(call: OpenCall, at: number | undefined): void {
    const found = /shell ?Id:? ?"?([\w-]+)/i.exec(resultText(call).slice(0, 500));
    if (found?.[1] === undefined || call.id === undefined || fieldsOf(call.input)?.mode === 'sync') return;
    const shellId = `${found[1]}@${call.id}`.slice(0, 400) as ShellId;
    const command = summaryOf(call.input);
    const facts = { callId: call.id as CallId, agentId: MAIN as AgentId, command };
    this.#fact(at, { type: 'shell-started', shellId, ...facts });
    const end = this.#shellEnds.get(found[1]);
    if (end !== undefined) this.#fact(end.at, { type: 'shell-ended', shellId, end: end.how });
  }
}

function plainMessage({ output, blocks, ...message }: OpenMessage): PlainMessage {
  return {
    ...message,
    blocks: blocks.map((block) => (block.kind === 'call' ? { kind: 'call', call: plainCall(block.open) } : block)),
    usage: output === undefined ? {} : { outputTokens: output },
    stopReason: blocks.some((block) => block.kind === 'call') ? 'tool-use' : 'end-turn',
  };
}
