import { MAIN_AGENT } from '../../../../src-shared/ids.ts';
import { ManualClock } from '../../../ports/clock.fake.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../../../ports/model-provider.ts';
import { createProvider } from '../create-provider.ts';
import type { NetworkChoice, ProviderDeps } from '../network-provider.ts';

export const KEY = 'sk-ant-test-0123456789abcdef';

export const request = (fields: Partial<ModelRequest> = {}): ModelRequest => ({
  agent: { agentId: MAIN_AGENT, agentType: 'main', name: '' },
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  stream: true,
  ...fields,
});

/** A provider for a server of the test: no environment, a key, counted ids, a clock that stands still. */
export function providerFor(
  choice: Partial<NetworkChoice> & { readonly baseUrl: string },
  deps: Partial<ProviderDeps> = {},
) {
  let ids = 0;
  const { provider = 'anthropic', model = 'claude-test', ...rest } = choice;
  return createProvider(
    { provider, model, ...rest },
    { apiKey: () => KEY, clock: new ManualClock(), newId: (prefix) => `${prefix}_${++ids}`, environment: {}, ...deps },
  );
}

export type Heard = { readonly items: readonly ModelItem[]; readonly failure: ModelFailure | undefined };

/** All that a provider says to one request, and how it failed. Anything else than a `ModelFailure` is thrown. */
export async function hear(
  provider: ModelProvider,
  asked: ModelRequest = request(),
  signal = new AbortController().signal,
): Promise<Heard> {
  const items: ModelItem[] = [];
  try {
    for await (const item of provider.stream(asked, signal)) items.push(item);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { items, failure: error };
  }
  return { items, failure: undefined };
}

/** Without what tells of blocks on their way. */
export const whole = (items: readonly ModelItem[]): readonly ModelItem[] =>
  items.filter(({ type }) => type !== 'growing');
