import type { AgentId, CallId, ShellId } from '../../../../src-shared/ids.ts';
import { type Fields, fieldsOf, listAt, textAt, timeOf } from '../common/fields.ts';
import { summaryOf } from '../common/summary.ts';
import type { OnFinding } from '../importer.ts';
import type { UnknownKinds } from '../plain/unknown.ts';
import type { OpenCall } from './call.ts';
import { askedIn, endsAtLine, itemResult, noteEnd, openCall, outputIn, scriptedCall } from './calls.ts';
import { contentOf, type Output, textOf } from './outputs.ts';
import type { Rollout } from './record.ts';
import { Steps } from './steps.ts';
import { TokenCounts, usageOf } from './usage.ts';

export type RolloutRecord = Rollout & { readonly line: number };

type Surroundings = {
  readonly agent: string;
  readonly file: string;
  readonly unknown: UnknownKinds;
  readonly onFinding: OnFinding;
};

/** Kinds that say nothing that is shown, or say again what another record says. */
const INERT: ReadonlySet<string> = new Set([
  'world_state',
  'state',
  'inter_agent_communication_metadata',
  'response_item/ghost_snapshot',
  'response_item/compaction',
  'response_item/compaction_summary',
  'response_item/context_compaction',
  'event_msg/item_started',
  'event_msg/agent_message_delta',
  'event_msg/agent_reasoning_section_break',
  'event_msg/session_configured',
  'event_msg/turn_diff',
  'event_msg/plan_update',
  'event_msg/exec_command_output_delta',
  'event_msg/web_search_begin',
  'event_msg/mcp_startup_complete',
  'event_msg/mcp_startup_update',
  'event_msg/account/rateLimits/updated',
  'event_msg/thread_name_updated',
  'event_msg/turn_started',
  'event_msg/collab_waiting_begin',
  'event_msg/collab_waiting_end',
]);

/** Texts that the program writes in the place of a person. */
const PROGRAM_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|collaboration_mode|skills_instructions|apps_instructions|plugins_instructions|personality_spec|model_switch|turn_aborted|subagent_notification|user_shell_command|skill|INSTRUCTIONS|hook_prompt)\b|# AGENTS\.md instructions|# Codex desktop context)/i;
const ABORT_TEXT = /^\s*<turn_aborted>/;

/** Reads the records of one agent's file, one after the other. */
export class RolloutReader {
  readonly steps: Steps;
  readonly #around: Surroundings;
  /** How often a text stands in an item of a response: an event that says it again is left out. */
  readonly #told = new Map<string, number>();
  /** Threads that calls started, by call. */
  readonly threads = new Map<string, string>();
  readonly #running = new Map<string, { readonly shellId: string; readonly call: OpenCall }>();
  #model = 'unknown';
  readonly #counts = new TokenCounts();
  #inTask = false;
  #prompted = false;
  #aborted = false;
  firstPrompt: string | undefined;
  threadName: string | undefined;

  constructor(records: readonly RolloutRecord[], around: Surroundings) {
    this.#around = around;
    this.steps = new Steps(around.agent);
    for (const { kind, payload } of records) this.#noteTold(kind, payload);
    for (const record of records) this.#take(record);
  }

  #noteTold(kind: string, payload: Fields): void {
    if (kind === 'response_item/message')
      this.#tell(`${textAt(payload, 'role')}`, textOf(payload.content ?? payload.message));
    if (kind === 'response_item/reasoning') this.#tell('reasoning', reasoningOf(payload));
  }

  #tell(role: string, text: string): void {
    const key = `${role}\n${text.trim()}`;
    this.#told.set(key, (this.#told.get(key) ?? 0) + 1);
  }

  /** Is this text in an item of a response too? Each item answers for one event. */
  #isTold(role: string, text: string): boolean {
    const key = `${role}\n${text.trim()}`;
    const times = this.#told.get(key) ?? 0;
    if (times > 0) this.#told.set(key, times - 1);
    return times > 0;
  }

  #take(record: RolloutRecord): void {
    const { kind, payload, at } = record;
    const [envelope, type = ''] = kind.split(/\/(.*)/s);
    if (envelope === 'response_item') this.#takeItem(type, record);
    else if (envelope === 'event_msg') this.#takeEvent(type, record);
    else if (kind === 'turn_context') this.#model = textAt(payload, 'model') ?? this.#model;
    else if (kind === 'compacted') this.#notice(at, 'The conversation was compacted', textAt(payload, 'message'));
    else if (kind === 'token_usage_record') this.#usageRecord(payload);
    else if (kind !== 'session_meta' && !INERT.has(kind)) this.#countUnknown(record);
  }

  #countUnknown({ kind, line }: RolloutRecord): void {
    this.#around.unknown.count(`records of kind "${kind}"`, { file: this.#around.file, line });
  }

  #notice(at: number | undefined, text: string, detail?: string): void {
    this.steps.fact(at, { type: 'notice-given', level: 'info', text, ...(detail ? { detail } : {}) });
  }

  #takeItem(type: string, record: RolloutRecord): void {
    const { payload, at, kind } = record;
    const model = textAt(payload, 'model');
    if (model !== undefined) this.#model = model;
    if (type === 'message') {
      this.#takeMessage(textAt(payload, 'role') ?? 'assistant', textOf(payload.content ?? payload.message), at);
      return;
    }
    if (type === 'agent_message') {
      this.steps.entry({ at, text: textOf(payload.content), says: 'said', from: 'program' });
      return;
    }
    if (type === 'reasoning') {
      const text = reasoningOf(payload);
      // Without a summary only its encrypted form is there.
      if (text !== '') this.steps.block({ kind: 'thinking', text, at }, this.#model);
      return;
    }
    if (/(?:_output|_result)$/.test(type)) {
      this.#takeOutput(record);
      return;
    }
    const asked = askedIn(type, payload);
    if (asked !== undefined) this.#addCall(openCall(asked, at, endsAtLine(type)), record);
    else if (!INERT.has(kind)) {
      this.#countUnknown(record);
      this.steps.block({ kind: 'other', raw: payload, at }, this.#model);
    }
  }

  #addCall(call: OpenCall, { line }: RolloutRecord): void {
    if (call.id !== undefined && this.steps.calls.has(call.id)) {
      this.#find(line, 'repeated-call', `The call ${call.id} was already there; shown once`);
    } else {
      this.steps.call(call, this.#model);
    }
  }

  #find(line: number, kind: string, message: string): void {
    this.#around.onFinding({ file: this.#around.file, line, kind, message });
  }

  #takeMessage(role: string, text: string, at: number | undefined): void {
    if (role === 'assistant') {
      this.steps.block({ kind: 'text', text, at }, this.#model);
      return;
    }
    if (ABORT_TEXT.test(text)) {
      this.#abort(at, text);
      return;
    }
    const isPerson = role === 'user' && !PROGRAM_TEXT.test(text);
    if (!isPerson) {
      this.steps.entry({ at, text, says: 'said', from: 'program' });
      return;
    }
    this.firstPrompt ??= text;
    // Words typed while a turn runs are taken into it.
    const says = this.#inTask && this.#prompted ? 'said' : 'prompt';
    this.#prompted = true;
    this.#aborted = false;
    this.steps.entry({ at, text, says, from: 'person' });
  }

  #abort(at: number | undefined, text: string): void {
    if (!this.#aborted) {
      this.steps.stop();
      this.steps.entry({ at, text, says: 'interrupt', from: 'program' });
    }
    this.#aborted = true;
  }

  #takeOutput({ payload, at, line, kind }: RolloutRecord): void {
    const id = textAt(payload, 'call_id');
    const unnamed = this.steps.waiting.filter((one) => one.id === undefined);
    const call = id === undefined ? (unnamed.length === 1 ? unnamed[0] : undefined) : this.steps.calls.get(id);
    if (call === undefined) {
      const what =
        id === undefined ? 'names no call and was left out' : `is of the call ${id}, which is not in the file`;
      this.#find(line, id === undefined ? 'result-without-id' : 'result-without-call', `A result ${what}`);
      return;
    }
    if (call.output !== undefined) {
      this.#find(line, 'second-result', `A second result of ${call.id}; the first one is shown`);
      return;
    }
    const output = kind.endsWith('tool_search_output') ? searchOutput(payload) : outputIn(payload);
    this.steps.output(call, at, output);
    this.#noteThread(call, output);
    this.#noteShell(call, output, at);
    this.#usageIn(payload);
  }

  /** Starting an agent brings back its id, or the path that its file names too. */
  #noteThread(call: OpenCall, { result }: Output): void {
    if (call.id === undefined || !/spawn_agent/.test(call.tool)) return;
    const said = /"(?:agent_id|thread_id|task_name)"\s*:\s*"([^"]+)"/.exec(
      textOf(result.content.map((one) => ('text' in one ? one.text : ''))),
    );
    if (said?.[1] !== undefined && !this.threads.has(said[1])) this.threads.set(said[1], call.id);
  }

  /** A command that outlives its call is a shell of its own, until a later call brings its end. */
  #noteShell(call: OpenCall, output: Output, at: number | undefined): void {
    const input = fieldsOf(call.input);
    const number = input?.session_id ?? input?.cell_id;
    const session = typeof number === 'string' || typeof number === 'number' ? String(number) : undefined;
    const open = session === undefined ? undefined : this.#running.get(session);
    if (open !== undefined && session !== undefined) {
      if (output.runningAs !== undefined) return;
      this.#running.delete(session);
      const end =
        output.exitCode === undefined
          ? ({ kind: 'unknown', said: 'The script ended' } as const)
          : ({ kind: 'exited', code: output.exitCode } as const);
      this.steps.fact(at, { type: 'shell-ended', shellId: open.shellId as ShellId, end });
      return;
    }
    if (output.runningAs === undefined || call.id === undefined || session !== undefined) return;
    const shellId = `${output.runningAs}@${call.id}`.slice(0, 400);
    this.#running.set(output.runningAs, { shellId, call });
    this.steps.fact(at, {
      type: 'shell-started',
      shellId: shellId as ShellId,
      callId: call.id as CallId,
      agentId: this.#around.agent as AgentId,
      command: summaryOf(call.input),
    });
  }

  #takeEvent(type: string, record: RolloutRecord): void {
    const { payload, at } = record;
    const call = this.steps.calls.get(textAt(payload, 'call_id') ?? '');
    switch (type) {
      case 'user_message':
        this.#spoken('user', textAt(payload, 'message') ?? '', at);
        return;
      case 'agent_message':
        this.#spoken('assistant', textAt(payload, 'message') ?? '', at);
        return;
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        this.#spoken('reasoning', textAt(payload, 'text') ?? '', at);
        return;
      case 'token_count':
        this.#tokenCount(payload);
        return;
      case 'task_started':
        this.#inTask = true;
        this.#prompted = false;
        this.#aborted = false;
        return;
      case 'task_complete':
      case 'turn.completed':
        this.#inTask = false;
        this.steps.mark({ at, says: 'ended', message: undefined });
        return;
      case 'turn_aborted':
        this.#inTask = false;
        this.#abort(at, `Turn aborted: ${textAt(payload, 'reason') ?? 'interrupted'}`);
        return;
      case 'item_completed':
        this.#takeCompleted(record);
        return;
      default:
        this.#takeOther(type, call, record);
    }
  }

  #takeOther(type: string, call: OpenCall | undefined, record: RolloutRecord): void {
    const { payload, at } = record;
    if (type === 'error' || type === 'stream_error' || type === 'warning') {
      const text =
        textAt(payload, 'message') ?? textAt(fieldsOf(payload.error), 'message') ?? 'The program noted an error';
      this.steps.fact(at, { type: 'notice-given', level: type === 'error' ? 'error' : 'warning', text });
      if (type === 'error') this.steps.mark({ at, says: 'error', message: text });
    } else if (type === 'tool_call' && call === undefined) {
      const asked = askedIn(type, payload);
      if (asked !== undefined) this.#addCall(openCall(asked, at), record);
    } else if (/_(?:begin|request)$/.test(type)) {
      if (call !== undefined) call.started ??= at;
    } else if (/_(?:end|response)$/.test(type)) {
      if (call !== undefined) noteEnd(call, payload, at);
    } else if (/^entered_review_mode|^exited_review_mode|^context_compacted|^thread_rolled_back/.test(type)) {
      this.#notice(at, words(type), textAt(payload, 'prompt') ?? textAt(payload, 'user_facing_hint'));
    } else if (!INERT.has(record.kind)) {
      this.#countUnknown(record);
    }
  }

  /** Words that an event holds, for files that have no item with them. */
  #spoken(role: 'user' | 'assistant' | 'reasoning', text: string, at: number | undefined): void {
    if (text === '' || this.#isTold(role, text)) return;
    if (role === 'reasoning') this.steps.block({ kind: 'thinking', text, at }, this.#model);
    else this.#takeMessage(role, text, at);
  }

  #takeCompleted(record: RolloutRecord): void {
    const { payload, at } = record;
    const item = fieldsOf(payload.item) ?? {};
    const type = textAt(item, 'type');
    if (type === 'UserMessage') this.#spoken('user', textOf(item.content), at);
    else if (type === 'AgentMessage') this.#spoken('assistant', textOf(item.content), at);
    else if (type === 'Reasoning') this.#spoken('reasoning', textOf(item.summary_text), at);
    else if (type === 'SubAgentActivity') this.#noteActivity(item);
    else if (type !== 'ContextCompaction') this.#takeWork(item, record);
  }

  #noteActivity(item: Fields): void {
    const [id, thread, path] = [textAt(item, 'id'), textAt(item, 'agent_thread_id'), textAt(item, 'agent_path')];
    if (id === undefined || item.kind !== 'started') return;
    if (thread !== undefined) this.threads.set(thread, id);
    if (path !== undefined) this.threads.set(path, id);
  }

  #takeWork(item: Fields, { payload, at }: RolloutRecord): void {
    const known = this.steps.calls.get(textAt(item, 'id') ?? '');
    const asked = known === undefined ? scriptedCall(item) : undefined;
    const beside = this.steps.script;
    const call = known ?? (asked === undefined ? undefined : openCall(asked, undefined));
    if (call === undefined) return;
    const asTold = (value: unknown): number | undefined => {
      const ms = timeOf(value);
      // A clock that does not fit the lines around it says nothing.
      if (ms === undefined || at === undefined || ms > at + 1000) return undefined;
      return beside?.at !== undefined && ms < beside.at - 1000 ? undefined : ms;
    };
    call.started ??= asTold(payload.started_at_ms);
    noteEnd(call, item, asTold(payload.completed_at_ms) ?? at);
    if (known !== undefined) return;
    const started = call.started ?? (call.ended === undefined ? undefined : call.ended - (call.duration ?? 0));
    const from = started === undefined || beside?.at === undefined ? started : Math.max(started, beside.at);
    call.eventResult = itemResult(item, call.failed);
    this.steps.callBeside({ ...call, at: from }, beside, this.#model);
  }

  #tokenCount(payload: Fields): void {
    const usage = this.#counts.take(payload);
    if (usage === undefined) return;
    this.steps.usage(usage);
    this.steps.closeMessage();
  }

  #usageRecord(payload: Fields): void {
    const usage = fieldsOf(payload.usage);
    if (usage !== undefined) this.steps.usage(usageOf(usage));
  }

  #usageIn(payload: Fields): void {
    const last = fieldsOf(fieldsOf(payload.info)?.last_token_usage);
    if (last !== undefined) this.steps.usage(usageOf(last));
  }
}

const words = (type: string): string => {
  const text = type.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const searchOutput = (payload: Fields): Output => ({
  result: { content: contentOf(listAt(payload, 'tools').map((tool) => ({ tool }))), isError: false },
  wallMs: undefined,
  exitCode: undefined,
  runningAs: undefined,
  ending: 'ok',
});

/** A summary, where there is one; else the text itself, where that is open. */
function reasoningOf(payload: Fields): string {
  const summary = textOf(listAt(payload, 'summary'));
  return summary !== '' ? summary : textOf(payload.content ?? payload.text);
}
