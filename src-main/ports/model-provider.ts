import type { AgentId } from '../../src-shared/ids.ts';
import type { StopReason, Usage } from '../../src-shared/model/event.ts';
import type { ApiMessage } from '../core/conversation/api-message.ts';

export type ModelRequest = {
  /** Who asks. `name` is what its order calls it (the description of an Agent call); empty for the main agent. */
  readonly agent: { readonly agentId: AgentId; readonly agentType: string; readonly name: string };
  /** Overrides the provider's model for this request (an agent's own). */
  readonly model?: string;
  readonly system: string;
  readonly messages: readonly ApiMessage[];
  /** `inputSchema` is JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
  /** `compact`: it asks for a summary of the messages, which no call and no other answer belongs to. */
  readonly purpose?: 'compact';
  /** So many answers of the model are no longer in the messages: a summary stands for them. */
  readonly answersBefore?: number;
  /** False: the whole answer at once, for the try after a stream that broke (spec 4.2). */
  readonly stream: boolean;
};

/**
 * What arrives, in order. Blocks come whole: a `tool-use` block's input is parsed JSON, and it is handed over as soon as
 * its own end has arrived, not the message's. `growing` tells of a block that is still on its way.
 */
export type ModelItem =
  | {
      readonly type: 'message-started';
      readonly messageId: string;
      readonly model: string;
      /** The server has refused the thoughts of this conversation: the message answers one without them. */
      readonly thoughtsRefused?: true;
    }
  | {
      readonly type: 'growing';
      readonly kind: 'text' | 'thinking' | 'tool-use';
      /** What has been added: words, or the letters of an input. */
      readonly added: string;
      /** The tool of a `tool-use` block. */
      readonly name?: string;
    }
  | { readonly type: 'text'; readonly text: string }
  /** `signature` goes back to the server with the text, unchanged. */
  | { readonly type: 'thinking'; readonly text: string; readonly signature?: string }
  /** Any other block, to go back as it came (`redacted_thinking`). */
  | { readonly type: 'other'; readonly raw: unknown }
  | { readonly type: 'tool-use'; readonly id: string; readonly name: string; readonly input: unknown }
  /** A call whose input was cut off or is no JSON. It never starts and is answered with `problem` (spec 1.9). */
  | { readonly type: 'broken-tool-use'; readonly id: string; readonly name: string; readonly problem: string }
  | { readonly type: 'message-ended'; readonly stopReason: StopReason; readonly usage: Usage };

/**
 * The model could not answer. `retry` says whether another try may help, `mostRetries` how many where that is fewer than
 * with other failures; `afterMs` what the server asked for.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind:
    | 'overloaded'
    | 'rate-limited'
    | 'network'
    | 'broken-stream'
    | 'auth'
    | 'bad-request'
    /** The conversation does not fit the model's window. */
    | 'too-long'
    | 'script-ended';
  readonly retry: boolean;
  readonly afterMs: number | undefined;
  readonly mostRetries: number | undefined;

  constructor(
    kind: ModelFailure['kind'],
    message: string,
    options: {
      readonly retry: boolean;
      readonly afterMs?: number;
      readonly mostRetries?: number;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retry = options.retry;
    this.afterMs = options.afterMs;
    this.mostRetries = options.mostRetries;
  }
}

/** One interface for every source of assistant messages (spec 4.2). Fails with `ModelFailure`. */
export interface ModelProvider {
  readonly name: string;
  readonly model: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelItem>;
}
