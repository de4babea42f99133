import type { ModelRequest } from '../../ports/model-provider.ts';
import { AnthropicReader, eventsOfMessage } from './anthropic-reader.ts';
import { anthropicBody, type Settings } from './anthropic-request.ts';
import type { Connection } from './connection.ts';
import { OWN_SERVERS, type Server, type WireFormat } from './network-provider.ts';
import { eventsOf, isJson, QUIET } from './sdk.ts';

/** The Messages API, through Anthropic's SDK. One object serves one session. */
export function anthropicFormat(settings: Settings): WireFormat {
  // Once the server has refused the thoughts of a conversation, it refuses them for ever.
  let withThoughts = true;
  return {
    reader: (model) => new AnthropicReader(model),
    async events(request, model, server, connection) {
      const send = () => sendRequest(request, { ...settings, model }, server, connection, withThoughts);
      try {
        return await send();
      } catch (error) {
        if (!withThoughts || !refusesThoughts(error)) throw error;
        withThoughts = false;
        return await send();
      }
    },
  };
}

async function sendRequest(
  request: ModelRequest,
  settings: Settings,
  server: Server,
  connection: Connection,
  withThoughts: boolean,
): Promise<AsyncIterator<unknown>> {
  const client = await anthropicClient(server, connection.fetch);
  const body = { ...anthropicBody(request, settings, withThoughts), stream: request.stream };
  // Not `messages.create`, which prints warnings of its own about old models.
  const answer = client.post('/v1/messages', { body, stream: request.stream, signal: connection.signal });
  if (!request.stream) return eventsOf(eventsOfMessage(await answer));
  const { data, response } = await answer.withResponse();
  // Some servers do not stream although they are asked to.
  if (isJson(response)) return eventsOf(eventsOfMessage(await response.json()));
  return (data as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

/** The SDK, loaded when it is needed first. It reads no variables and no files of its own for the key. */
export async function anthropicClient({ baseUrl, credential }: Server, fetch: typeof globalThis.fetch) {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const isToken = credential?.kind === 'token';
  // The own server takes a key as the SDK sends it; gateways with the older header only are still about.
  const isGateway = baseUrl !== OWN_SERVERS.anthropic;
  return new Anthropic({
    ...QUIET,
    baseURL: baseUrl,
    // A server without a key is sent the word "none": the SDK would look for one in the files of other programs.
    ...(isToken ? { authToken: credential.value } : { apiKey: credential?.value ?? 'none' }),
    ...(isGateway && credential !== undefined && !isToken ? { defaultHeaders: { 'x-api-key': credential.value } } : {}),
    fetch,
    openTelemetry: false,
  });
}

/**
 * The thoughts of this conversation are bound to something else than what stands before them now: tools that were found
 * since, or another account.
 *
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function refusesThoughts(error: unknown): boolean {
  if (!(error instanceof Error) || (error as { status?: unknown }).status !== 400) return false;
  return /signature/i.test(error.message) && /thinking/i.test(error.message);
}
