import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { ModelRequest } from '../../ports/model-provider.ts';
import type { Connection } from './connection.ts';
import type { Server, WireFormat } from './network-provider.ts';
import { OpenAiReader } from './openai-reader.ts';
import { openAiBody, type Refused } from './openai-request.ts';
import { eventsOf, isJson, QUIET } from './sdk.ts';

/** Chat completions, through OpenAI's SDK, with whatever server speaks them. One object serves one session. */
export function openAiFormat(settings: Pick<ModelChoice, 'maxTokens'>, newId: (prefix: string) => string): WireFormat {
  let refused: Refused = { usage: false, maxTokens: false };
  /** A request went well: what is refused later is refused for another reason. */
  let isKnown = false;
  return {
    reader: (model) => new OpenAiReader(model, newId),
    async answer(request, model, server, connection) {
      for (let trying = refused; ; ) {
        try {
          const events = await sendRequest(request, { ...settings, model }, server, connection, trying);
          refused = trying;
          isKnown = true;
          return { events };
        } catch (error) {
          const less = isKnown ? undefined : withLess(error, trying, settings, request.stream);
          if (less === undefined) throw error;
          trying = less;
        }
      }
    },
  };
}

async function sendRequest(
  request: ModelRequest,
  settings: Pick<ModelChoice, 'model' | 'maxTokens'>,
  server: Server,
  connection: Connection,
  refused: Refused,
): Promise<AsyncIterator<unknown>> {
  const client = await openAiClient(server, connection.fetch);
  const body = openAiBody(request, settings, refused);
  const options = { signal: connection.signal };
  if (!request.stream) {
    const whole: ChatCompletionCreateParamsNonStreaming = { ...body, stream: false };
    return eventsOf([await client.chat.completions.create(whole, options)]);
  }
  const streamed: ChatCompletionCreateParamsStreaming = { ...body, stream: true };
  const { data, response } = await client.chat.completions.create(streamed, options).withResponse();
  // Some servers do not stream although they are asked to.
  if (isJson(response)) return eventsOf([await response.json()]);
  return data[Symbol.asyncIterator]();
}

/** The SDK, loaded when it is needed first. It reads no variables of its own. */
export async function openAiClient({ baseUrl, credential }: Server, fetch: typeof globalThis.fetch) {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    ...QUIET,
    baseURL: baseUrl,
    // Servers on one's own machine want no key, the SDK does.
    apiKey: credential?.value ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch,
  });
}

/**
 * What to leave out of a request that the server refused, where that may be why: the question for the numbers, and the
 * name of the limit. Undefined: it was something else.
 */
function withLess(
  error: unknown,
  refused: Refused,
  settings: Pick<ModelChoice, 'maxTokens'>,
  isStreamed: boolean,
): Refused | undefined {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  if (status !== 400 && status !== 422) return undefined;
  const words = String(message);
  if (settings.maxTokens !== undefined && !refused.maxTokens && /max_(?:completion_)?tokens/.test(words)) {
    return { ...refused, maxTokens: true };
  }
  // Not every server names what it does not know.
  return isStreamed && !refused.usage ? { ...refused, usage: true } : undefined;
}
