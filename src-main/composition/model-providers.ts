import { FailureError } from '../../src-shared/failure.ts';
import type { ListedModel } from '../../src-shared/ipc/contract.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import { createProvider, listModels } from '../adapters/providers/create-provider.ts';
import { environmentFor, originOf } from '../core/model/keys.ts';
import type { KeyPlace, KeyStore } from '../ports/key-store.ts';
import { ModelFailure, type ModelProvider } from '../ports/model-provider.ts';
import { clock, newId } from './compose.ts';

/** How long a server may take to say what models it has. */
const LIST_MS = 15_000;

export type ModelProviders = {
  /** @throws FailureError for an address that is none, and for a choice that no network provider answers. */
  readonly providerFor: (choice: ModelChoice) => ModelProvider;
  /** @throws FailureError in words for the person who asked. */
  readonly models: (place: KeyPlace) => Promise<readonly ListedModel[]>;
};

/** The providers of the network, each with the key that is kept for its server. */
export function modelProviders(keys: KeyStore, env: NodeJS.ProcessEnv = process.env): ModelProviders {
  return {
    providerFor: (choice) =>
      createProvider(networkPlace(choice, env), {
        apiKey: () => keys.keyFor(choice),
        clock,
        newId,
        environment: environmentFor(choice, env),
      }),
    models: async (place) => {
      const source = networkPlace(place, env);
      try {
        const environment = environmentFor(place, env);
        return await listModels(source, keys.keyFor(place), AbortSignal.timeout(LIST_MS), { environment });
      } catch (cause) {
        if (!(cause instanceof ModelFailure)) throw cause;
        throw new FailureError(
          {
            kind: 'unsupported',
            message: `The models could not be listed: ${cause.message}`,
            hint: 'The model can be typed by hand.',
          },
          { cause },
        );
      }
    },
  };
}

function networkPlace<C extends KeyPlace>(choice: C, env: NodeJS.ProcessEnv) {
  const { provider } = choice;
  if (provider === 'scripted') {
    throw new FailureError({
      kind: 'bad-input',
      message: 'A scripted session plays a scenario. Start it from the gallery.',
    });
  }
  originOf(choice, env);
  return { ...choice, provider };
}
