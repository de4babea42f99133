import { describe, expect, test } from 'vitest';
import { environmentFor, isKeyOptional, isOwnMachine, keyId, keyInEnvironment, originOf } from './keys.ts';

const anthropic = (baseUrl?: string) => ({ provider: 'anthropic', baseUrl }) as const;
const openai = (baseUrl?: string) => ({ provider: 'openai-compatible', baseUrl }) as const;

describe('a key is kept for one server', () => {
  test('whatever the path behind its address, and whatever its case', () => {
    expect(keyId(openai('https://Models.example:8443/v1'), {})).toBe('openai-compatible https://models.example:8443');
    expect(keyId(openai('https://models.example:8443/other/'), {})).toBe(
      'openai-compatible https://models.example:8443',
    );
    expect(keyId(anthropic(), {})).toBe('anthropic https://api.anthropic.com');
    expect(keyId(anthropic(), { ANTHROPIC_BASE_URL: 'https://gateway.example/a' })).toBe(
      'anthropic https://gateway.example',
    );
  });

  test.each(['api.anthropic.com', 'file:///etc/passwd', 'javascript:alert(1)', 'http//x', 'not a url'])(
    '%s is no address',
    (address) => {
      expect(() => originOf(anthropic(address), {})).toThrow('no address of a server');
    },
  );
});

describe('a key of the environment', () => {
  const env = { ANTHROPIC_API_KEY: ' sk-a ', OPENAI_API_KEY: 'sk-o' };
  const isSent = (place: Parameters<typeof keyInEnvironment>[0], more = {}) =>
    keyInEnvironment(place, { ...env, ...more })?.isForPlace;

  test('goes to the provider’s own server, to the one the environment names, and to this machine', () => {
    expect(keyInEnvironment(anthropic(), env)).toEqual({
      variable: 'ANTHROPIC_API_KEY',
      isForPlace: true,
    });
    expect(isSent(anthropic('https://api.anthropic.com/'))).toBe(true);
    expect(isSent(anthropic('https://gateway.example'), { ANTHROPIC_BASE_URL: 'https://gateway.example/v1' })).toBe(
      true,
    );
    expect(isSent(openai('http://127.0.0.1:11434/v1'))).toBe(true);
  });

  test.each([
    'https://api.anthropic.com.evil.example',
    'https://evil.example/?https://api.anthropic.com',
    'https://api.anthropic.com@evil.example',
    'http://api.anthropic.com',
    'http://127.0.0.1.evil.example',
    'http://192.168.1.5:1234',
  ])('does not go to %s', (address) => {
    expect(isSent(anthropic(address))).toBe(false);
    expect(environmentFor(anthropic(address), { ...env, PATH: '/bin' })).toEqual({
      OPENAI_API_KEY: 'sk-o',
      PATH: '/bin',
    });
  });

  test('may be a token too', () => {
    expect(keyInEnvironment(anthropic(), { ANTHROPIC_AUTH_TOKEN: 't' })?.variable).toBe('ANTHROPIC_AUTH_TOKEN');
  });

  test('that is empty is none', () => {
    expect(keyInEnvironment(anthropic(), { ANTHROPIC_API_KEY: ' ' })).toBeUndefined();
    expect(keyInEnvironment({ provider: 'scripted' }, { '': 'x' })).toBeUndefined();
  });
});

test('only servers that speak like OpenAI’s, but are not OpenAI’s, may need no key', () => {
  expect(isKeyOptional(openai('http://localhost:1234/v1'), {})).toBe(true);
  expect(isKeyOptional(openai(), {})).toBe(false);
  expect(isKeyOptional(anthropic('http://localhost:1234'), {})).toBe(false);
  expect(['http://localhost:1', 'http://[::1]:1', 'http://127.1.2.3'].every(isOwnMachine)).toBe(true);
});
