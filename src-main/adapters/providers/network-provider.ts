import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelItem, ModelProvider, ModelRequest } from '../../ports/model-provider.ts';
import { Connection } from './connection.ts';
import { type MessageReader, readMessage } from './message-reader.ts';
import { type FailureFacts, failureOf, noKey, oddKey, silenceOf, unreadableKey } from './model-errors.ts';
import {
  baseUrlFromEnvironment,
  type Credential,
  credentialFromEnvironment,
  type ProviderEnvironment,
} from './provider-environment.ts';
import { serverAddress } from './server-address.ts';

/** A choice of a model that answers over the network. */
export type NetworkChoice = ModelChoice & { readonly provider: 'anthropic' | 'openai-compatible' };

export type ProviderDeps = {
  /** The key kept in Gantry, asked for with every request. Undefined: the environment's is taken, where there is one. */
  readonly apiKey: () => Promise<string | undefined> | string | undefined;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  /** What the SDKs send with; the global one when left out. */
  readonly fetch?: typeof globalThis.fetch;
  /** Variables of the environment; the process's own when left out. */
  readonly environment?: ProviderEnvironment;
};

/** A server and how one shows who one is. */
export type Server = { readonly baseUrl: string; readonly credential: Credential | undefined };

/** The events of an answer. `thoughtsRefused`: the server took the conversation only without its thoughts. */
export type WireAnswer = { readonly events: AsyncIterator<unknown>; readonly thoughtsRefused?: true };

/** One way to speak with servers. `answer` makes the request; it is whole when `stream` was false. */
export type WireFormat = {
  readonly reader: (model: string) => MessageReader;
  readonly answer: (
    request: ModelRequest,
    model: string,
    server: Server,
    connection: Connection,
  ) => Promise<WireAnswer>;
};

/** The servers of the providers themselves. */
export const OWN_SERVERS = {
  anthropic: 'https://api.anthropic.com',
  'openai-compatible': 'https://api.openai.com/v1',
} as const;

/**
 * The server of a choice with its key: the one kept in Gantry, else the environment's.
 * @throws ModelFailure when the address is none, or the server wants a key and there is none.
 */
export async function serverOf(
  { provider, baseUrl }: { readonly provider: NetworkChoice['provider']; readonly baseUrl?: string | undefined },
  { apiKey, environment }: Pick<ProviderDeps, 'apiKey' | 'environment'>,
): Promise<Server> {
  const given = baseUrl?.trim() || baseUrlFromEnvironment(provider, environment);
  const address = serverAddress(provider, given ?? OWN_SERVERS[provider]);
  const kept = (await keptKey(apiKey))?.trim();
  const fromEnvironment = credentialFromEnvironment(provider, environment);
  const credential: Credential | undefined =
    kept && kept !== fromEnvironment?.value
      ? { kind: 'api-key', value: kept, from: 'the settings of Gantry' }
      : fromEnvironment;
  if (credential !== undefined && !/^[\x21-\x7e]+$/.test(credential.value)) throw oddKey(credential.from);
  const { host } = new URL(address);
  if (credential === undefined && host === new URL(OWN_SERVERS[provider]).host) throw noKey(provider, host);
  return { baseUrl: address, credential };
}

/** A key that cannot be read is the person's trouble, not a fault of ours. */
async function keptKey(apiKey: ProviderDeps['apiKey']): Promise<string | undefined> {
  try {
    return await apiKey();
  } catch (error) {
    throw unreadableKey(error);
  }
}

/** What is known of a server when a request to it fails. */
export const factsOf = (
  provider: NetworkChoice['provider'],
  { baseUrl, credential }: Server,
  clock: Pick<Clock, 'now'>,
  connection: Pick<Connection, 'refusal' | 'contentType'>,
): Omit<FailureFacts, 'hasStarted' | 'hasAnswered'> => ({
  provider,
  host: new URL(baseUrl).host,
  keyFrom: credential?.from,
  secrets: credential === undefined ? [] : [credential.value],
  clock,
  refusal: connection.refusal,
  contentType: connection.contentType,
});

/** A model behind a server: what all wire formats share. Makes no request before it is asked for a message. */
export class NetworkProvider implements ModelProvider {
  readonly name: string;
  readonly model: string;
  readonly #choice: NetworkChoice;
  readonly #deps: ProviderDeps;
  readonly #format: WireFormat;
  #hasAnswered = false;

  constructor(choice: NetworkChoice, deps: ProviderDeps, format: WireFormat) {
    this.name = choice.provider;
    this.model = choice.model;
    this.#choice = choice;
    this.#deps = deps;
    this.#format = format;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelItem> {
    const server = await serverOf(this.#choice, this.#deps);
    if (signal.aborted) return;
    const model = request.model ?? this.model;
    const reader = this.#format.reader(model);
    const connection = new Connection(this.#deps, signal);
    const facts = () => ({
      ...factsOf(this.#choice.provider, server, this.#deps.clock, connection),
      hasStarted: reader.hasStarted,
      hasAnswered: this.#hasAnswered,
    });
    try {
      const { events, thoughtsRefused } = await this.#format.answer(request, model, server, connection);
      for await (const item of readMessage(events, reader, connection)) {
        if (item.type === 'message-started') this.#hasAnswered = true;
        yield item.type === 'message-started' && thoughtsRefused ? { ...item, thoughtsRefused } : item;
      }
    } catch (error) {
      if (connection.isStopped) return;
      if (!connection.isSilent) throw failureOf(error, facts());
      // All of the message was there; only its numbers never came.
      if (!reader.isWhole) throw silenceOf(facts());
      yield* reader.finish();
    } finally {
      connection.dispose();
    }
  }
}
