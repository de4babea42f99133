import { createHash } from 'node:crypto';
import type { AgentId, CallId } from '../../../src-shared/ids.ts';
import type { Block, Usage } from '../../../src-shared/model/event.ts';
import type { EventOf } from '../../../src-shared/session/event.ts';
import { callById } from '../../../src-shared/session/state.ts';
import type { ContentBlock, ToolResult } from '../../../src-shared/tool-call/content.ts';
import { sentResult } from '../../../src-shared/tool-call/state.ts';
import { type ExportInput, hasTimes } from './session.ts';

/**
 * The lines that `claude -p --output-format stream-json` prints: `system` init, `assistant` with one block a line,
 * `user` with results, `result` at the end. Lines carry `timestamp`, unless the session has no times.
 */
export function* exportStreamJson(input: ExportInput): Iterable<string> {
  const writer = new Writer(input);
  yield writer.init();
  for (const event of input.events) {
    switch (event.type) {
      case 'agent-started':
        yield writer.agent(event);
        break;
      case 'user-message-added':
        yield writer.prompt(event);
        break;
      case 'block-arrived':
        yield* writer.block(event);
        break;
      case 'call-completed':
        yield* writer.result(event);
        break;
      default:
    }
  }
  yield writer.end();
}

type Message = { readonly model: string; readonly usage: Usage | undefined; readonly stopReason: string | undefined };

class Writer {
  readonly #input: ExportInput;
  readonly #sessionId: string;
  readonly #parents = new Map<AgentId, CallId | undefined>();
  readonly #messages = new Map<string, Message>();
  #lines = 0;

  constructor(input: ExportInput) {
    this.#input = input;
    this.#sessionId = uuidOf(input.state.sessionId ?? input.state.title);
    for (const { agentId, parentCallId } of input.state.agents) this.#parents.set(agentId, parentCallId);
    for (const { messageId, model, end } of input.state.requests) {
      if (messageId === undefined) continue;
      const done = end?.kind === 'completed' ? end : undefined;
      this.#messages.set(messageId, { model: model ?? '', usage: done?.usage, stopReason: done?.stopReason });
    }
  }

  init(): string {
    const { state } = this.#input;
    return this.#line(state.startedAt, {
      type: 'system',
      subtype: 'init',
      cwd: state.cwd,
      tools: [...new Set(state.calls.map(({ tool }) => tool))],
      mcp_servers: state.mcpServers.map(({ name, status }) => ({ name, status })),
      model: state.requests.find(({ model }) => model !== undefined)?.model ?? '',
      permissionMode: state.settings.mode,
      ...this.#version(),
    });
  }

  /** Only what another program has written has its version: rules about cascades hang on it. */
  #version() {
    const { origin } = this.#input.state;
    const version = origin?.kind === 'imported' && origin.format.startsWith('claude') ? origin.version : undefined;
    return version === undefined ? {} : { claude_code_version: version };
  }

  agent(event: EventOf<'agent-started'>): string {
    return this.#line(event.at, {
      type: 'system',
      subtype: 'task_started',
      task_id: event.agentId,
      ...(event.parentCallId === undefined ? {} : { tool_use_id: event.parentCallId }),
      description: event.name,
      task_type: 'local_agent',
      prompt: event.prompt,
    });
  }

  prompt({ at, agentId, text, images, from }: EventOf<'user-message-added'>): string {
    const pictures = (images ?? []).map(({ mediaType, data }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data },
    }));
    const content = pictures.length === 0 ? text : [...pictures, { type: 'text', text }];
    const parent = this.#parentOf(agentId);
    const isMeta = from === 'program' && parent === null && !text.startsWith('[Request interrupted');
    return this.#line(at, {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: parent,
      ...(isMeta ? { isMeta: true } : {}),
    });
  }

  *block({ at, agentId, messageId, block }: EventOf<'block-arrived'>): Iterable<string> {
    const content = this.#blockOf(block);
    if (content === undefined) return;
    const { model = '', usage, stopReason } = this.#messages.get(messageId) ?? {};
    yield this.#line(at, {
      type: 'assistant',
      message: {
        id: messageId,
        type: 'message',
        role: 'assistant',
        model,
        content: [content],
        stop_reason: stopReason?.replaceAll('-', '_') ?? null,
        stop_sequence: null,
        usage: usageOf(usage),
      },
      parent_tool_use_id: this.#parentOf(agentId),
    });
  }

  #blockOf(block: Block): unknown {
    switch (block.kind) {
      case 'text':
        return { type: 'text', text: block.text };
      case 'thinking':
        return { type: 'thinking', thinking: block.text, signature: block.signature ?? '' };
      case 'tool-use': {
        const call = callById(this.#input.state, block.callId);
        return { type: 'tool_use', id: block.callId, name: block.tool, input: call?.input ?? {} };
      }
      case 'other':
        return block.raw;
    }
  }

  /** The result as the model was sent it. A call that the recording left open has none here either. */
  *result(event: EventOf<'call-completed'>): Iterable<string> {
    const call = callById(this.#input.state, event.callId);
    if (call === undefined || call.phase === 'queued' || call.phase === 'executing') return;
    if (event.outcome === 'unknown' && call.phase !== 'yielded') return;
    const result = sentResult(call);
    yield this.#line(event.at, {
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            tool_use_id: event.callId,
            type: 'tool_result',
            content: contentOf(result),
            ...(result.isError ? { is_error: true } : {}),
          },
        ],
      },
      parent_tool_use_id: this.#parentOf(call.agentId),
      ...(event.outcome === 'rejected' ? { tool_use_result: 'User rejected tool use' } : {}),
    });
  }

  end(): string {
    const { state } = this.#input;
    const last = state.turns.at(-1)?.end;
    const text = state.entries.findLast((entry) => entry.kind === 'assistant' && entry.agentId === 'main');
    const words = text?.kind === 'assistant' ? text.blocks.flatMap((b) => (b.kind === 'text' ? [b.text] : [])) : [];
    const isError = last?.reason === 'error';
    return this.#line(state.startedAt + state.now, {
      type: 'result',
      subtype: last?.reason === 'limit' ? 'error_max_turns' : isError ? 'error_during_execution' : 'success',
      is_error: isError,
      duration_ms: Math.round(state.now),
      num_turns: Math.max(1, state.requests.filter(({ agentId }) => agentId === 'main').length),
      result: words.join('\n'),
      total_cost_usd: state.requests.reduce((sum, { end }) => sum + costOf(end), 0),
      permission_denials: state.calls.flatMap((call) =>
        (call.phase === 'completed' || call.phase === 'yielded') && call.end.outcome === 'denied'
          ? [{ tool_name: call.tool, tool_use_id: call.callId, tool_input: call.input ?? {} }]
          : [],
      ),
    });
  }

  #parentOf(agentId: AgentId): string | null {
    return this.#parents.get(agentId) ?? null;
  }

  #line(at: number, facts: object): string {
    const timestamp = hasTimes(this.#input.state) ? { timestamp: new Date(at).toISOString() } : {};
    const uuid = uuidOf(`${this.#sessionId} ${this.#lines++}`);
    return `${JSON.stringify({ ...facts, session_id: this.#sessionId, uuid, ...timestamp })}\n`;
  }
}

const costOf = (end: ExportInput['state']['requests'][number]['end']): number =>
  end?.kind === 'completed' ? (end.usage.costUsd ?? 0) : 0;

const usageOf = (usage: Usage | undefined) => ({
  input_tokens: usage?.inputTokens ?? 0,
  output_tokens: usage?.outputTokens ?? 0,
  cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
  cache_creation_input_tokens: usage?.cacheCreationTokens ?? 0,
});

function contentOf({ content }: ToolResult): unknown {
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return only.text;
  return content.map(foreignBlock);
}

function foreignBlock(block: ContentBlock): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
    case 'other':
      return block.raw;
  }
}

/** Programs expect ids of this form. The same text, the same id. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
