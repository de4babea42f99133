import type { ModelRequest } from '../../ports/model-provider.ts';
import { AnthropicReader, eventsOfMessage } from './anthropic-reader.ts';
import { anthropicBody, type Settings } from './anthropic-request.ts';
import type { Connection } from './connection.ts';
import { OWN_SERVERS, type Server, type WireFormat } from './network-provider.ts';
import { eventsOf, isJson, QUIET } from './sdk.ts';

/** The Messages API, through Anthropic's SDK. */
export const anthropicFormat = (settings: Settings): WireFormat => ({
  reader: (model) => new AnthropicReader(model),
  async answer(request, model, server, connection) {
    for (let taken: Taken = ALL; ; ) {
      try {
        const events = await sendRequest(request, { ...settings, model }, server, connection, taken);
        return { events, ...(taken.thoughts ? {} : { thoughtsRefused: true as const }) };
      } catch (error) {
        const less = withLess(error, taken);
        if (less === undefined) throw error;
        taken = less;
      }
    }
  },
});

/** What the server takes of a request, found out by asking. */
type Taken = { readonly thoughts: boolean; readonly thinking: boolean };
const ALL: Taken = { thoughts: true, thinking: true };

async function sendRequest(
  request: ModelRequest,
  settings: Settings,
  server: Server,
  connection: Connection,
  { thoughts, thinking }: Taken,
): Promise<AsyncIterator<unknown>> {
  const client = await anthropicClient(server, connection.fetch);
  const asked = anthropicBody(request, settings, thoughts);
  const body = { ...asked, ...(thinking ? {} : { thinking: undefined }), stream: request.stream };
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
 * What to leave out of a request that the server refused, where that may be why. Undefined: it was something else.
 *
 * Its thoughts, where they are bound to something else than what stands before them now: tools that were found since, or
 * another account. And the wish for new ones, where older models want calls that are being answered to have begun with a
 * thought, and theirs cannot be sent.
 *
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
function withLess(error: unknown, taken: Taken): Taken | undefined {
  if (!(error instanceof Error) || (error as { status?: unknown }).status !== 400) return undefined;
  const { message } = error;
  if (taken.thoughts && /signature/i.test(message) && /thinking/i.test(message)) return { ...taken, thoughts: false };
  if (taken.thinking && /must start with a thinking block/i.test(message)) return { ...taken, thinking: false };
  return undefined;
}
