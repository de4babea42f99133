import type { ProviderName } from '../../../src-shared/model/choice.ts';

/** Where a key comes from, in words that fit "The key comes from …". */
export type KeySource = 'the settings of Gantry' | `${string} of the environment`;

/** `token` goes as a bearer token, `api-key` as the provider's own header. */
export type Credential = {
  readonly kind: 'api-key' | 'token';
  readonly value: string;
  readonly from: KeySource;
};

/** What the environment says of the providers: the variables that their own programs read too. */
export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

type Names = { readonly apiKey: string; readonly token?: string; readonly baseUrl: string };

const NAMES: Readonly<Record<Exclude<ProviderName, 'scripted'>, Names>> = {
  anthropic: { apiKey: 'ANTHROPIC_API_KEY', token: 'ANTHROPIC_AUTH_TOKEN', baseUrl: 'ANTHROPIC_BASE_URL' },
  'openai-compatible': { apiKey: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
};

/** The variable that holds the provider's key, for messages: `ANTHROPIC_API_KEY`. */
export const keyVariable = (provider: Exclude<ProviderName, 'scripted'>): string => NAMES[provider].apiKey;

/** The key of the environment, or undefined. A key wins over a token. */
export function credentialFromEnvironment(
  provider: ProviderName,
  environment: ProviderEnvironment = process.env,
): Credential | undefined {
  if (provider === 'scripted') return undefined;
  const { apiKey, token } = NAMES[provider];
  const read = (kind: Credential['kind'], name: string | undefined): Credential | undefined => {
    const value = name === undefined ? undefined : environment[name]?.trim();
    return value ? { kind, value, from: `${name} of the environment` } : undefined;
  };
  return read('api-key', apiKey) ?? read('token', token);
}

/** The address that the environment names for a provider, or undefined. */
export function baseUrlFromEnvironment(
  provider: ProviderName,
  environment: ProviderEnvironment = process.env,
): string | undefined {
  if (provider === 'scripted') return undefined;
  return environment[NAMES[provider].baseUrl]?.trim() || undefined;
}
