import { z } from 'zod';
import { faultsOfRequest } from '../../../core/conversation/request-validator.ts';
import type { Split } from './split.ts';
import { type Answer, type Wire, type WireFormat, type WireRequest, WireServer } from './wire-server.ts';

/** What a message may hold. `json` are the letters of an input as they go over the wire, whole or not. */
export type WireBlock =
  | { readonly text: string }
  | { readonly thinking: string; readonly signature: string }
  /** A block of any other kind, sent whole. */
  | { readonly raw: { readonly type: string; readonly [field: string]: unknown } }
  | { readonly tool: string; readonly id: string; readonly input: unknown }
  | { readonly tool: string; readonly id: string; readonly json: string };

export type Says = {
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, number>>;
  /** The most characters of one delta. */
  readonly delta?: number;
  readonly split?: Split;
  /** A ping after each delta, and events and fields that no client knows. */
  readonly noise?: boolean;
};

const USAGE = { input_tokens: 120, cache_read_input_tokens: 40, cache_creation_input_tokens: 8 };

/** The stream of one message, step by step. */
export class AnthropicStream {
  readonly wire: Wire;
  readonly #delta: number;
  readonly #noise: boolean;
  #index = 0;

  constructor(wire: Wire, { delta = 24, noise = false, split }: Says = {}) {
    this.wire = wire;
    this.#delta = delta;
    this.#noise = noise;
    if (split !== undefined) wire.split = split;
  }

  /** One server-sent event as bytes. */
  static event(type: string, fields: Readonly<Record<string, unknown>> = {}): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  }

  async start(id = newMessageId(), model = 'claude-test'): Promise<void> {
    this.wire.head(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': `req_${id}` });
    const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
    await this.send('message_start', { message: { ...message, usage: { ...USAGE, output_tokens: 1 } } });
    await this.ping();
  }

  send(type: string, fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
    return this.wire.send(AnthropicStream.event(type, fields));
  }

  ping(): Promise<void> {
    return this.send('ping');
  }

  async block(block: WireBlock): Promise<void> {
    const index = this.#index++;
    await this.begin(block, index);
    await this.send('content_block_stop', { index });
  }

  /** All of a block but its end. */
  async begin(block: WireBlock, index = this.#index++): Promise<void> {
    await this.send('content_block_start', { index, content_block: emptyBlock(block) });
    for (const delta of deltasOf(block, this.#delta)) {
      await this.send('content_block_delta', { index, delta });
      if (!this.#noise) continue;
      await this.ping();
      await this.send('content_block_delta', { index, delta: { type: 'news_delta', news: 'x' } });
      await this.send('news_of_tomorrow', { index, weather: 'fair' });
    }
  }

  async end(stopReason = 'end_turn', usage: Readonly<Record<string, number>> = { output_tokens: 33 }): Promise<void> {
    await this.send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
    await this.send('message_stop');
    await this.wire.end();
  }

  /** An error in the middle of the stream, after which the server closes it. */
  async fail(type: string, message: string): Promise<void> {
    await this.send('error', { error: { type, message } });
    await this.wire.end();
  }
}

/** A message, streamed or whole as it was asked for. */
export const says =
  (blocks: readonly WireBlock[], options: Says = {}): Answer =>
  async (wire, request) => {
    const isUse = blocks.some((block) => 'tool' in block);
    const stopReason = options.stopReason ?? (isUse ? 'tool_use' : 'end_turn');
    if (streamWanted(request)) {
      const stream = new AnthropicStream(wire, options);
      await stream.start();
      for (const block of blocks) await stream.block(block);
      await stream.end(stopReason, { output_tokens: 33, ...options.usage });
      return;
    }
    await wire.json(200, {
      id: newMessageId(),
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: blocks.map(wholeBlock),
      stop_reason: stopReason,
      usage: { ...USAGE, output_tokens: 33, ...options.usage },
    });
  };

/** A message step by step. */
export const streams =
  (steps: (stream: AnthropicStream, request: WireRequest) => Promise<void>, options: Says = {}): Answer =>
  (wire, request) =>
    steps(new AnthropicStream(wire, options), request);

/** An answer with an error's status: `refuses(529, 'overloaded_error', 'Overloaded')`. */
export const refuses =
  (status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (wire) =>
    wire.json(status, { type: 'error', error: { type, message }, request_id: 'req_refused' }, headers);

/** What `GET /v1/models` lists. */
const MODELS = [
  { type: 'model', id: 'claude-test', display_name: 'Claude Test', created_at: '2026-01-01T00:00:00Z' },
  { type: 'model', id: 'claude-other', display_name: 'Claude Other', created_at: '2025-01-01T00:00:00Z' },
];

/** Speaks the Messages API. Wants a key, whatever it is, unless `key` names the only one it takes. */
export function startAnthropicServer(options: { readonly key?: string } = {}): Promise<WireServer> {
  /** Thoughts that were sent, by their signature: they have to come back as they were. */
  const thoughts = new Map<string, string>();
  const format: WireFormat = {
    faultsOf: (request) => faultsOf(request, thoughts),
    refuse: (wire, faults) =>
      wire.json(400, { type: 'error', error: { type: 'invalid_request_error', message: faults.join('; ') } }),
    async aside(wire, request) {
      const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '');
      if (key === undefined || (options.key !== undefined && key !== options.key)) {
        await wire.json(401, { type: 'error', error: { type: 'authentication_error', message: `invalid x-api-key` } });
        return true;
      }
      if (request.method !== 'GET' || !request.path.startsWith('/v1/models')) return false;
      await wire.json(200, { data: MODELS, has_more: false, first_id: null, last_id: null });
      return true;
    },
  };
  return WireServer.start(format);
}

const Block = z.looseObject({ type: z.string() });
const Body = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().int().positive(),
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(Block)]) }))
    .min(1),
  system: z.union([z.string().min(1), z.array(Block).min(1)]).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        input_schema: z
          .looseObject({
            type: z.literal('object'),
            properties: z.record(z.string().regex(/^[a-zA-Z0-9_.-]{1,64}$/), z.unknown()).optional(),
          })
          .refine((schema) => !('oneOf' in schema || 'anyOf' in schema || 'allOf' in schema), 'oneOf at the top'),
      }),
    )
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1_024) }),
      z.looseObject({ type: z.literal('adaptive') }),
    ])
    .optional(),
  stream: z.boolean().optional(),
});

function faultsOf(request: WireRequest, thoughts: Map<string, string>): readonly string[] {
  if (request.method !== 'POST' || request.path !== '/v1/messages') return [`${request.method} ${request.path}`];
  if (request.headers['anthropic-version'] === undefined) return ['anthropic-version is missing'];
  const parsed = Body.safeParse(request.body);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { messages, thinking, max_tokens } = parsed.data;
  const faults = [...faultsOfRequest(messages)];
  if (messages.at(-1)?.role !== 'user') faults.push('the last message is not the user’s');
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens) faults.push('no room behind the thoughts');
  if ((request.text.match(/"cache_control"/g) ?? []).length > 4) faults.push('more than four cache marks');
  for (const { content } of messages) {
    for (const block of typeof content === 'string' ? [] : content) faults.push(...faultsOfThought(block, thoughts));
    for (const block of typeof content === 'string' ? [] : content) faults.push(...faultsOfImages(block));
    for (const block of typeof content === 'string' ? [] : content)
      faults.push(...faultsOfNames(block), ...faultsOfErrors(block));
  }
  return faults;
}

/** Signed thoughts are remembered when they come back first, and stay as they are. */
function faultsOfThought(block: z.output<typeof Block>, thoughts: Map<string, string>): readonly string[] {
  if (block.type !== 'thinking') return [];
  const signature = String(block.signature);
  const known = thoughts.get(signature) ?? String(block.thinking);
  thoughts.set(signature, known);
  return known === block.thinking ? [] : [`the thought with the signature ${signature} was changed`];
}

const Result = z.looseObject({ type: z.literal('tool_result'), is_error: z.literal(true), content: z.array(Block) });

/** What is an error may hold nothing but words. */
function faultsOfErrors(block: z.output<typeof Block>): readonly string[] {
  const failed = Result.safeParse(block).data;
  return failed?.content.some(({ type }) => type !== 'text') ? ['a failed result holds more than words'] : [];
}

function faultsOfNames({ type, id, name, tool_use_id }: z.output<typeof Block>): readonly string[] {
  if (type === 'tool_result') return /^[a-zA-Z0-9_-]+$/.test(String(tool_use_id)) ? [] : ['a result has an odd id'];
  if (type !== 'tool_use') return [];
  return [
    ...(/^[a-zA-Z0-9_-]+$/.test(String(id)) ? [] : ['a call has an odd id']),
    ...(/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) ? [] : ['a call has an odd name']),
  ];
}

const Image = z.object({
  source: z.object({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string().regex(/^[A-Za-z0-9+/]+=*$/),
  }),
});

function faultsOfImages(block: z.output<typeof Block>): readonly string[] {
  if (block.type === 'tool_result' && Array.isArray(block.content)) return block.content.flatMap(faultsOfImages);
  return block.type === 'image' && !Image.safeParse(block).success ? ['an image is none'] : [];
}

const streamWanted = ({ body }: WireRequest): boolean => (body as { stream?: boolean } | undefined)?.stream === true;

let messages = 0;
const newMessageId = (): string => `msg_wire_${++messages}`;

function emptyBlock(block: WireBlock): unknown {
  if ('text' in block) return { type: 'text', text: '' };
  if ('thinking' in block) return { type: 'thinking', thinking: '', signature: '' };
  if ('raw' in block) return block.raw;
  return { type: 'tool_use', id: block.id, name: block.tool, input: {} };
}

function wholeBlock(block: WireBlock): unknown {
  if ('text' in block) return { type: 'text', text: block.text };
  if ('thinking' in block) return { type: 'thinking', thinking: block.thinking, signature: block.signature };
  if ('raw' in block) return block.raw;
  const input = 'json' in block ? JSON.parse(block.json || '{}') : block.input;
  return { type: 'tool_use', id: block.id, name: block.tool, input };
}

function deltasOf(block: WireBlock, most: number): readonly Readonly<Record<string, unknown>>[] {
  if ('text' in block) return parts(block.text, most).map((text) => ({ type: 'text_delta', text }));
  if ('raw' in block) return [];
  if ('thinking' in block) {
    const words = parts(block.thinking, most).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return [...words, { type: 'signature_delta', signature: block.signature }];
  }
  const json = 'json' in block ? block.json : JSON.stringify(block.input);
  // The real one begins each input with nothing, too.
  return ['', ...parts(json, most)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

/** Never half a character: JSON has no bytes for it. */
export function parts(text: string, most: number): readonly string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / most);
  return Array.from({ length: count }, (_, at) => characters.slice(at * most, (at + 1) * most).join(''));
}
