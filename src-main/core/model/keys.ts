import { FailureError } from '../../../src-shared/failure.ts';
import type { ProviderName } from '../../../src-shared/model/choice.ts';

type Place = { readonly provider: ProviderName; readonly baseUrl?: string | undefined };
type Environment = Readonly<Record<string, string | undefined>>;

/** The servers of the providers themselves, and how the environment names key and address. */
type Own = { readonly origin: string; readonly keys: readonly string[]; readonly url: string };
const OWN: Readonly<Record<ProviderName, Own>> = {
  scripted: { origin: 'gantry:', keys: [], url: '' },
  anthropic: {
    origin: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    url: 'ANTHROPIC_BASE_URL',
  },
  'openai-compatible': { origin: 'https://api.openai.com', keys: ['OPENAI_API_KEY'], url: 'OPENAI_BASE_URL' },
};

/**
 * Where requests of this choice go: scheme, host and port. What a key is kept for.
 * @throws FailureError when the address is none of the web.
 */
export function originOf({ provider, baseUrl }: Place, env: Environment): string {
  const address = baseUrl?.trim() || env[OWN[provider].url]?.trim() || OWN[provider].origin;
  if (URL.canParse(address)) {
    const { protocol, origin } = new URL(address);
    if (protocol === 'https:' || protocol === 'http:') return origin;
  }
  throw new FailureError({
    kind: 'bad-input',
    message: `${address.slice(0, 200)} is no address of a server.`,
    hint: 'Write it with http:// or https:// and without blanks, for example http://127.0.0.1:11434/v1.',
  });
}

/** Is it this machine itself? What is sent there leaves it for nobody. */
export function isOwnMachine(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Under which name a key is kept. */
export const keyId = (place: Place, env: Environment): string => `${place.provider} ${originOf(place, env)}`;

export type EnvironmentKey = {
  readonly variable: string;
  /** The variable is meant for this server: its provider's own, the one the environment names, or this machine. */
  readonly isForPlace: boolean;
};

/** What the environment holds. A key in a variable is not sent to any address that somebody writes into a file. */
export function keyInEnvironment(place: Place, env: Environment): EnvironmentKey | undefined {
  const { keys, origin, url } = OWN[place.provider];
  const variable = keys.find((name) => env[name]?.trim());
  if (variable === undefined) return undefined;
  const goesTo = originOf(place, env);
  const named = env[url]?.trim() ?? '';
  const isNamed = URL.canParse(named) && new URL(named).origin === goesTo;
  return { variable, isForPlace: goesTo === origin || isNamed || isOwnMachine(goesTo) };
}

/** The environment as the provider of this place may see it: without keys that are not meant for it. */
export function environmentFor(place: Place, env: Environment): Environment {
  if (keyInEnvironment(place, env)?.isForPlace !== false) return env;
  const { keys } = OWN[place.provider];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.includes(name)));
}

/** Do requests go without a key? Servers on one's own machine mostly want none. */
export const isKeyOptional = (place: Place, env: Environment): boolean =>
  place.provider === 'scripted' ||
  (place.provider === 'openai-compatible' && originOf(place, env) !== OWN['openai-compatible'].origin);
