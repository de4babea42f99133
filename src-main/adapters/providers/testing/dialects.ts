import { AnthropicStream, refuses, says, startAnthropicServer } from './anthropic-server.ts';
import { ChatStream, chatRefuses, chats, startChatServer } from './chat-server.ts';
import type { Split } from './split.ts';
import type { Answer, WireServer } from './wire-server.ts';

/** What both wire formats have words for. `json` are the letters of an input as they go over the wire, whole or not. */
export type DialectBlock =
  | { readonly text: string }
  | { readonly tool: string; readonly id: string; readonly input: unknown }
  | { readonly tool: string; readonly id: string; readonly json: string };

/** Why a message ended, in the words of neither format. Undefined: because of its calls, or because all was said. */
export type DialectStop = 'end' | 'calls' | 'limit' | 'refusal';

export type DialectOptions = {
  /** The most characters of one delta. */
  readonly delta?: number;
  readonly split?: Split;
  readonly stop?: DialectStop;
  /** Signs of life between the deltas. */
  readonly pings?: boolean;
};

/** A message step by step. */
export type DialectStream = {
  readonly wire: AnthropicStream['wire'];
  readonly start: (model?: string) => Promise<void>;
  readonly block: (block: DialectBlock) => Promise<void>;
  readonly ping: () => Promise<void>;
  readonly end: (stop?: DialectStop) => Promise<void>;
  /** The server says in the middle of its answer that it is overloaded. */
  readonly overload: () => Promise<void>;
};

/** One wire format, so that a test can be written once for both. */
export type Dialect = {
  readonly provider: 'anthropic' | 'openai-compatible';
  readonly startServer: (options?: { readonly key?: string }) => Promise<WireServer>;
  readonly says: (blocks: readonly DialectBlock[], options?: DialectOptions) => Answer;
  readonly streams: (steps: (stream: DialectStream) => Promise<void>, options?: DialectOptions) => Answer;
  /** An answer with an error's status, in the words of the format. */
  readonly refuses: (status: number, message: string, headers?: Readonly<Record<string, string>>) => Answer;
};

const ANTHROPIC_STOPS = { end: 'end_turn', calls: 'tool_use', limit: 'max_tokens', refusal: 'refusal' } as const;
const ANTHROPIC_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const anthropic: Dialect = {
  provider: 'anthropic',
  startServer: startAnthropicServer,
  says: (blocks, { stop, pings = false, ...options } = {}) =>
    says(blocks, { ...options, noise: pings, ...(stop === undefined ? {} : { stopReason: ANTHROPIC_STOPS[stop] }) }),
  streams:
    (steps, { pings = false, stop: _, ...options } = {}) =>
    (wire) => {
      const stream = new AnthropicStream(wire, { ...options, noise: pings });
      return steps({
        wire,
        start: (model) => stream.start(undefined, model),
        block: (block) => stream.block(block),
        ping: () => stream.ping(),
        end: (stop = 'end') => stream.end(ANTHROPIC_STOPS[stop]),
        overload: () => stream.fail('overloaded_error', 'Overloaded'),
      });
    },
  refuses: (status, message, headers) => refuses(status, ANTHROPIC_ERRORS[status] ?? 'api_error', message, headers),
};

const CHAT_STOPS = { end: 'stop', calls: 'tool_calls', limit: 'length', refusal: 'content_filter' } as const;

const chat: Dialect = {
  provider: 'openai-compatible',
  startServer: startChatServer,
  says: (blocks, { stop, ...options } = {}) =>
    chats(blocks, { ...options, ...(stop === undefined ? {} : { finishReason: CHAT_STOPS[stop] }) }),
  streams:
    (steps, { stop: _, ...options } = {}) =>
    (wire) => {
      const stream = new ChatStream(wire, options);
      return steps({
        wire,
        start: (model) => stream.start(model),
        block: (block) => stream.block(block),
        ping: () => stream.ping(),
        end: (stop = 'end') => stream.end(CHAT_STOPS[stop]),
        overload: () => stream.fail(529, 'Overloaded'),
      });
    },
  refuses: (status, message, headers) => chatRefuses(status, { message }, headers),
};

export const DIALECTS: readonly Dialect[] = [anthropic, chat];
