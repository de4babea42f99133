import { z } from 'zod';
import { parts } from './anthropic-server.ts';
import type { Split } from './split.ts';
import { type Answer, type Wire, type WireFormat, type WireRequest, WireServer } from './wire-server.ts';

/** What a message may hold. `json` are the letters of the arguments, whole or not. */
export type ChatBlock =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly tool: string; readonly id: string; readonly input: unknown }
  | { readonly tool: string; readonly id: string; readonly json: string };

export type ChatSays = {
  readonly finishReason?: string;
  /** The most characters of one delta. */
  readonly delta?: number;
  readonly split?: Split;
  /** A comment after each delta, as gateways send them while they wait. */
  readonly pings?: boolean;
  /** How this server differs from the original. */
  readonly quirks?: {
    readonly noIds?: boolean;
    readonly noIndex?: boolean;
    /** This index for all calls. */
    readonly sameIndex?: number;
    readonly noUsage?: boolean;
    readonly repeatsNames?: boolean;
    readonly argumentsAsObject?: boolean;
  };
};

const USAGE = { prompt_tokens: 160, completion_tokens: 33, prompt_tokens_details: { cached_tokens: 40 } };
let messages = 0;

/** The stream of one message, step by step. */
export class ChatStream {
  readonly wire: Wire;
  readonly #options: ChatSays;
  readonly #id = `chatcmpl-${++messages}`;
  #calls = 0;
  #model = 'chat-test';

  constructor(wire: Wire, options: ChatSays = {}) {
    this.wire = wire;
    this.#options = options;
    if (options.split !== undefined) wire.split = options.split;
  }

  async start(model = 'chat-test'): Promise<void> {
    this.#model = model;
    this.wire.head(200, { 'content-type': 'text/event-stream' });
    await this.delta({ role: 'assistant', content: '' });
  }

  chunk(fields: Readonly<Record<string, unknown>>): Promise<void> {
    const chunk = { id: this.#id, object: 'chat.completion.chunk', created: 1, model: this.#model, ...fields };
    return this.wire.send(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  async delta(delta: Readonly<Record<string, unknown>>, finish_reason: string | null = null): Promise<void> {
    await this.chunk({ choices: [{ index: 0, delta, finish_reason }] });
    if (this.#options.pings) await this.ping();
  }

  ping(): Promise<void> {
    return this.wire.send(': working\n\n');
  }

  /** An error in the middle of the stream, as vLLM and gateways send it, after which the server closes it. */
  async fail(code: number, message: string): Promise<void> {
    await this.wire.send(`data: ${JSON.stringify({ error: { message, type: 'server_error', code } })}\n\n`);
    await this.wire.end();
  }

  async block(block: ChatBlock): Promise<void> {
    const { delta = 24 } = this.#options;
    if ('text' in block) for (const content of parts(block.text, delta)) await this.delta({ content });
    else if ('reasoning' in block) {
      for (const reasoning_content of parts(block.reasoning, delta)) await this.delta({ reasoning_content });
    } else for (const call of this.#fragments(block, delta)) await this.delta({ tool_calls: [call] });
  }

  #fragments(block: Extract<ChatBlock, { tool: string }>, most: number): readonly unknown[] {
    const { noIds, noIndex, sameIndex, repeatsNames, argumentsAsObject } = this.#options.quirks ?? {};
    const index = noIndex ? {} : { index: sameIndex ?? this.#calls };
    this.#calls++;
    const id = noIds ? {} : { id: block.id };
    const json = 'json' in block ? block.json : JSON.stringify(block.input);
    if (argumentsAsObject) return [{ ...index, ...id, function: { name: block.tool, arguments: JSON.parse(json) } }];
    const named = { ...index, ...id, type: 'function' };
    return [
      { ...named, function: { name: block.tool, arguments: '' } },
      ...parts(json, most).map((part) =>
        repeatsNames
          ? { ...named, function: { name: block.tool, arguments: part } }
          : { ...index, function: { arguments: part } },
      ),
    ];
  }

  async end(finishReason = 'stop'): Promise<void> {
    await this.delta({}, finishReason);
    if (!this.#options.quirks?.noUsage) await this.chunk({ choices: [], usage: USAGE });
    await this.wire.send('data: [DONE]\n\n');
    await this.wire.end();
  }
}

/** A message, streamed or whole as it was asked for. */
export const chats =
  (blocks: readonly ChatBlock[], options: ChatSays = {}): Answer =>
  async (wire, request) => {
    const calls = blocks.filter((block) => 'tool' in block);
    const finishReason = options.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    if ((request.body as { stream?: boolean }).stream === true) {
      const stream = new ChatStream(wire, options);
      await stream.start();
      for (const block of blocks) await stream.block(block);
      return stream.end(finishReason);
    }
    const text = blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('');
    const tool_calls = calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.tool, arguments: 'json' in call ? call.json : JSON.stringify(call.input) },
    }));
    const message = { role: 'assistant', content: text || null, ...(calls.length > 0 ? { tool_calls } : {}) };
    await wire.json(200, {
      id: `chatcmpl-${++messages}`,
      object: 'chat.completion',
      model: 'chat-test',
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage: USAGE,
    });
  };

/** A message step by step. */
export const chatStreams =
  (steps: (stream: ChatStream, request: WireRequest) => Promise<void>, options: ChatSays = {}): Answer =>
  (wire, request) =>
    steps(new ChatStream(wire, options), request);

/** An answer with an error's status, in OpenAI's words. */
export const chatRefuses =
  (
    status: number,
    error: { readonly message: string; readonly type?: string; readonly code?: string },
    headers: Readonly<Record<string, string>> = {},
  ): Answer =>
  (wire) =>
    wire.json(status, { error }, headers);

/** Speaks chat completions below `/v1`. Wants no key, unless `key` names one. */
export function startChatServer(options: { readonly key?: string } = {}): Promise<WireServer> {
  const format: WireFormat = {
    faultsOf,
    refuse: (wire, faults) =>
      wire.json(400, { error: { message: faults.join('; '), type: 'invalid_request_error', code: null } }),
    async aside(wire, request) {
      if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
        await wire.json(401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } });
        return true;
      }
      if (request.method !== 'GET' || request.path !== '/v1/models') return false;
      await wire.json(200, { object: 'list', data: [{ id: 'chat-test', object: 'model', owned_by: 'test' }] });
      return true;
    },
  };
  return WireServer.start(format);
}

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1) }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string().regex(/^data:image\/\w+;base64,/) }),
  }),
]);
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string().min(1), z.array(Part).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().min(1).nullable(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          type: z.literal('function'),
          function: z.strictObject({ name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
type Message = z.output<typeof Message>;

const Body = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string(),
          parameters: z
            .looseObject({ type: z.literal('object') })
            .refine((schema) => !('oneOf' in schema || 'anyOf' in schema || 'allOf' in schema), 'oneOf at the top'),
        }),
      }),
    )
    .min(1)
    .optional(),
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
});

function faultsOf(request: WireRequest): readonly string[] {
  if (request.method !== 'POST' || request.path !== '/v1/chat/completions')
    return [`${request.method} ${request.path}`];
  const parsed = Body.safeParse(request.body);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { messages: said, stream, stream_options } = parsed.data;
  const faults = [...faultsOfAnswers(said)];
  if (!stream && stream_options !== undefined) faults.push('stream_options without a stream');
  if (said.slice(1).some(({ role }) => role === 'system')) faults.push('a system message that is not the first');
  return faults;
}

/** Right behind a message with calls stands one answer for each, in their order, and nowhere else. */
function faultsOfAnswers(said: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [at, message] of said.entries()) {
    if (message.role === 'tool') {
      const wanted = open.shift();
      if (message.tool_call_id !== wanted) faults.push(`message ${at} answers ${message.tool_call_id}, not ${wanted}`);
      continue;
    }
    if (open.length > 0) faults.push(`message ${at} comes before the answers to ${open.join()}`);
    open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
  }
  if (open.length > 0) faults.push(`the calls ${open.join()} are not answered`);
  return faults;
}
