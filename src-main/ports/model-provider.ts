import type { StopReason, Usage } from '../../src-shared/model/event.ts';
import type { ApiMessage } from '../core/conversation/api-message.ts';

export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly ApiMessage[];
  /** `inputSchema` is JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
};

/** What arrives, in order. A `tool-use` block comes whole; its input is parsed JSON. */
export type ModelItem =
  | { readonly type: 'message-started'; readonly messageId: string; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool-use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'message-ended'; readonly stopReason: StopReason; readonly usage: Usage };

/** The model could not answer. `retry` says whether another try may help; `afterMs` what the server asked for. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: 'overloaded' | 'rate-limited' | 'network' | 'broken-stream' | 'auth' | 'bad-request' | 'script-ended';
  readonly retry: boolean;
  readonly afterMs: number | undefined;

  constructor(
    kind: ModelFailure['kind'],
    message: string,
    options: { readonly retry: boolean; readonly afterMs?: number; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retry = options.retry;
    this.afterMs = options.afterMs;
  }
}

/** One interface for every source of assistant messages (spec 4.2). Fails with `ModelFailure`. */
export interface ModelProvider {
  readonly name: string;
  readonly model: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelItem>;
}
