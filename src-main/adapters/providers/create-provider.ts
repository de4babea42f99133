import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import type { Clock } from '../../ports/clock.ts';
import { ModelFailure, type ModelProvider } from '../../ports/model-provider.ts';
import type { ProviderEnvironment } from './provider-environment.ts';

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

export type ListedModel = { readonly id: string; readonly name: string };

/** The provider of a choice. Makes no request and loads no SDK before it is asked for a message. */
export function createProvider(choice: NetworkChoice, _deps: ProviderDeps): ModelProvider {
  return {
    name: choice.provider,
    model: choice.model,
    // biome-ignore lint/correctness/useYield: replaced by the next change
    async *stream() {
      throw new ModelFailure('network', 'This provider is not connected yet.', { retry: false });
    },
  };
}

/**
 * The models that a server offers, in its order.
 * @param key the key kept in Gantry; undefined takes the environment's.
 * @throws ModelFailure with words for the person who asked.
 */
export async function listModels(
  _source: Pick<NetworkChoice, 'provider' | 'baseUrl'>,
  _key: string | undefined,
  _signal: AbortSignal,
  _deps: Pick<ProviderDeps, 'fetch' | 'environment'> = {},
): Promise<readonly ListedModel[]> {
  throw new ModelFailure('network', 'This provider is not connected yet.', { retry: false });
}
