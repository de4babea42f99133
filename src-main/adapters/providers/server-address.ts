import { ModelFailure } from '../../ports/model-provider.ts';

/** What people paste behind the address: the SDKs add it themselves. */
const PASTED = { anthropic: /\/v1(?:\/messages)?\/?$/, 'openai-compatible': /\/chat\/completions\/?$/ } as const;

/**
 * A base URL as the SDK of the provider wants it: without a slash at its end, without the path of a request, and for
 * `openai-compatible` with `/v1` where only a host was given.
 *
 * @throws ModelFailure when it is no http address.
 */
export function serverAddress(provider: keyof typeof PASTED, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const problem = 'The base URL is no http or https address without name and password.';
    throw new ModelFailure('bad-request', `${problem} Give one like http://127.0.0.1:11434/v1.`, { retry: false });
  }
  const path = url.pathname.replace(PASTED[provider], '').replace(/\/+$/, '');
  return `${url.origin}${provider === 'openai-compatible' && path === '' ? '/v1' : path}`;
}
