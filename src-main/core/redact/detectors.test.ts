import { describe, expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

/** The text with what was found in its place. */
const shown = (text: string, homes: readonly string[] = []): string => {
  const secrets = new Secrets(homes, []);
  secrets.learn(secrets.find(text));
  let result = '';
  let last = 0;
  for (const { kind, from, until, value } of secrets.find(text)) {
    result += text.slice(last, from) + secrets.placeholder(kind, value);
    last = until;
  }
  return result + text.slice(last);
};

/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: readonly string[]): string => parts.join('');
const ANTHROPIC = key('sk-', 'ant-', 'api03-', 'Zx8Yw7Vu6Ts5Rq4Po3Nm2Lk1Ji0Hg-AA');
const GITHUB = key('ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8');

describe('known shapes', () => {
  test.each([
    ['anthropic-key', ANTHROPIC],
    ['openai-key', key('sk-', 'proj-', 'Ab12Cd34Ef56Gh78Ij90Kl12')],
    ['openai-key', key('sk-', 'Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90')],
    ['github-token', GITHUB],
    ['github-token', key('github_', 'pat_', '11ABCDEFG0abcdefghijkl_mnopqrstuv')],
    ['aws-key', key('AK', 'IA', 'IOSFODNN7EXAMPLE')],
    ['google-key', key('AI', 'za', 'SyA1234567890abcdefghijklmnopqrstuv')],
    ['slack-token', key('xo', 'xb-', '1234567890-abcdefghijkl')],
    ['npm-token', key('npm', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['jwt', key('ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0', '.dozjgNryP4J3jVmNHl0w5N')],
    ['email', 'ann.lee+shop@mail.example.org'],
  ])('%s', (kind, secret) => {
    expect(shown(`before ${secret} after`)).toBe(`before [redacted-${kind}-1] after`);
    expect(shown(JSON.stringify({ text: `${secret}\n` }))).toBe(`{"text":"[redacted-${kind}-1]\\n"}`);
  });

  test('a private key, whole, escaped, and cut off at either end', () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\nggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    const begin = key('-----BEGIN RSA ', 'PRIVATE KEY-----');
    const end = key('-----END RSA ', 'PRIVATE KEY-----');
    const pem = `${begin}\n${body}\n${end}`;
    expect(shown(`a ${pem} b`)).toBe('a [redacted-private-key-1] b');
    expect(shown(JSON.stringify({ pem }))).toBe('{"pem":"[redacted-private-key-1]"}');
    expect(shown(`a ${begin}\n${body}`)).toBe('a [redacted-private-key-1]');
    const block = (word: string) => key(`-----${word} PGP `, 'PRIVATE KEY BLOCK-----');
    expect(shown(`${block('BEGIN')}\n\n${body}\n${block('END')}`)).toBe('[redacted-private-key-1]');
    expect(shown(`${body}\n${end} b`)).toBe('[redacted-private-key-1] b');
  });

  test('headers, addresses with passwords, and values behind their names', () => {
    const value = 'q9W8e7R6t5Y4';
    expect(shown(`curl -H "Authorization: Bearer ${value}" x`)).toBe(
      'curl -H "Authorization: Bearer [redacted-authorization-1]" x',
    );
    expect(shown(`postgres://app:${value}@db:5432/shop`)).toBe(
      'postgres://app:[redacted-connection-password-1]@db:5432/shop',
    );
    expect(shown(`DB_PASSWORD=${value} npm start`)).toBe('DB_PASSWORD=[redacted-password-1] npm start');
    expect(shown(`Cookie: sid=${value}; theme=dark\nAccept: x`)).toBe('Cookie: [redacted-cookie-1]\nAccept: x');
    expect(shown('the cookie: a small file')).toBe('the cookie: a small file');
    expect(shown('password: swordfish!')).toBe('password: [redacted-password-1]!');
    expect(shown(`token: '${value}',`)).toBe("token: '[redacted-secret-1]',");
    expect(shown(`{\\"apiKey\\":\\"${value}\\"}`)).toBe('{\\"apiKey\\":\\"[redacted-secret-1]\\"}');
    expect(shown(`deploy --token ${value}`)).toBe('deploy --token [redacted-authorization-1]');
  });
});

describe('what hides', () => {
  test('in escapes, in escapes of escapes, and behind percent signs', () => {
    const escaped = ANTHROPIC.replace('a', '\\u0061').replace('p', '\\x70');
    expect(shown(`x="${escaped}"`)).toBe('x="[redacted-anthropic-key-1]"');
    expect(shown(JSON.stringify(JSON.stringify({ a: `"${escaped}"` })))).not.toContain('Zx8Yw7');
    expect(shown('to=ann%40mail.example.org&x=1')).toBe('to=[redacted-email-1]&x=1');
  });

  test('as the same secret with the same words, however it is written', () => {
    const escaped = ANTHROPIC.replace('Z', '\\u005a');
    expect(shown(`${ANTHROPIC} ${GITHUB} ${escaped}`)).toBe(
      '[redacted-anthropic-key-1] [redacted-github-token-1] [redacted-anthropic-key-1]',
    );
  });

  test('in a part that a preview has left', () => {
    const secrets = new Secrets([], []);
    secrets.learn(secrets.find(`password="${'N3'.repeat(16)}"`));
    expect(secrets.find(`cut off here: ${'N3'.repeat(7)}`)).toHaveLength(1);
    expect(secrets.find(`${'N3'.repeat(7)}" and so on`)).toHaveLength(1);
  });
});

test('home folders become ~, in all their spellings', () => {
  expect(shown('cd /home/ann/shop && ls /Users/ann.lee/x')).toBe('cd ~/shop && ls ~/x');
  expect(shown('C:\\Users\\ann\\shop')).toBe('~\\shop');
  expect(shown('"C:\\\\Users\\\\ann\\\\shop"')).toBe('"~\\\\shop"');
  expect(shown('/srv/people/ann/shop', ['/srv/people/ann'])).toBe('~/shop');
  expect(shown('/home/ann/.claude/projects/-home-ann-shop/a.jsonl')).toBe('~/.claude/projects/-~-shop/a.jsonl');
  expect(shown('/root/x /rooted', ['/root'])).toBe('~/x /rooted');
});

test.each([
  'the id is toolu_01AbCdEfGhIjKlMnOpQrStUv',
  'uuid 3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'integrity sha512-z3Zq1yJ0bX8C7m1fQ2n4K5v6B8n9M0a1S2d3F4g5H6j7K8l9==',
  'max_tokens: 1024, token_count: 300, tokens: 12',
  'const token: string = await getToken();',
  'password: string; secret?: undefined; apiKey: required',
  `TOKEN=$GITHUB_TOKEN and ${'$'}{PASSWORD} and <token>`,
  'import icon from "./icon@2x.png"; react@19.3.1 git@github.com:acme/shop.git',
  'PWD=/srv/shop',
  'https://localhost:3000/@vite/client',
  'the sk-ant- prefix, a bearer of news, Basic knowledge',
  'key: value, Token expired',
])('%s stays', (text) => {
  expect(shown(text)).toBe(text);
});

test('time grows with the length, not faster, on texts made to be slow', () => {
  const n = 200_000;
  for (const piece of [
    'a',
    'a.',
    '@',
    'a@',
    '-',
    'eyJ',
    'password',
    'password=',
    '://',
    '-----BEGIN PRIVATE KEY-----',
    '\\u0061',
    'a:',
  ]) {
    const startedAt = performance.now();
    new Secrets([], []).find(piece.repeat(Math.ceil(n / piece.length)));
    expect({ piece, isFast: performance.now() - startedAt < 4_000 }).toEqual({ piece, isFast: true });
  }
});
