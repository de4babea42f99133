import { z } from 'zod';
import type { ModelProvider } from '../../ports/model-provider.ts';
import { systemClock } from '../process/system-clock.ts';
import { anthropicClient, anthropicFormat } from './anthropic.ts';
import { Connection } from './connection.ts';
import { failureOf } from './model-errors.ts';
import {
  factsOf,
  type NetworkChoice,
  NetworkProvider,
  type ProviderDeps,
  type Server,
  serverOf,
} from './network-provider.ts';
import { openAiClient, openAiFormat } from './openai-compatible.ts';

/** The provider of a choice, for one session. Makes no request and loads no SDK before it is asked for a message. */
export function createProvider(choice: NetworkChoice, deps: ProviderDeps): ModelProvider {
  const format = choice.provider === 'anthropic' ? anthropicFormat(choice) : openAiFormat(choice, deps.newId);
  return new NetworkProvider(choice, deps, format);
}

export type ListedModel = { readonly id: string; readonly name: string };

const Text = z.string().optional().catch(undefined);
const ModelList = z.object({
  data: z
    .array(z.object({ id: z.string().min(1), display_name: Text, name: Text }))
    .nullish()
    .transform((models) => models ?? []),
});

/**
 * The models that a server offers, in its order.
 * @param key the key kept in Gantry; undefined takes the environment's.
 * @throws ModelFailure with words for the person who asked.
 */
export async function listModels(
  source: { readonly provider: NetworkChoice['provider']; readonly baseUrl?: string | undefined },
  key: string | undefined,
  signal: AbortSignal,
  deps: Pick<ProviderDeps, 'fetch' | 'environment'> = {},
): Promise<readonly ListedModel[]> {
  const { provider } = source;
  const server = await serverOf(source, { ...deps, apiKey: () => key });
  const connection = new Connection({ ...deps, clock: systemClock }, signal);
  const failure = (error: unknown) =>
    failureOf(error, { ...factsOf(provider, server, systemClock, connection), hasStarted: false, hasAnswered: false });
  try {
    const { data } = ModelList.parse(await askForModels(provider, server, connection));
    return data.map(({ id, display_name, name }) => ({ id, name: display_name || name || id }));
  } catch (error) {
    throw failure(error instanceof z.ZodError ? new SyntaxError('no list of models') : error);
  } finally {
    connection.dispose();
  }
}

async function askForModels(
  provider: NetworkChoice['provider'],
  server: Server,
  { fetch, signal }: Connection,
): Promise<unknown> {
  if (provider === 'anthropic') {
    const client = await anthropicClient(server, fetch);
    return client.get('/v1/models', { query: { limit: 1_000 }, signal });
  }
  const client = await openAiClient(server, fetch);
  return client.get('/models', { signal });
}
