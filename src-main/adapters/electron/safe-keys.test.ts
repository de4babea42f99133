import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import { SafeKeys } from './safe-keys.ts';

const system = vi.hoisted(() => ({ backend: 'gnome_libsecret', plain: false, works: true }));
vi.mock('electron', () => ({
  safeStorage: {
    getSelectedStorageBackend: () => system.backend,
    isEncryptionAvailable: () => system.works && (system.backend !== 'basic_text' || system.plain),
    setUsePlainTextEncryption: (on: boolean) => {
      system.plain = on;
    },
    encryptString: (text: string) => {
      if (!system.works) throw new Error(`cannot encrypt ${text}`);
      return Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a));
    },
    decryptString: (bytes: Buffer) => {
      if (!system.works) throw new Error('another machine');
      return Buffer.from([...bytes].map((byte) => byte ^ 0x5a)).toString();
    },
  },
}));

const KEY = 'sk-ant-very-secret-0123456789';
const place = { provider: 'anthropic' } as const;
let folder = '';
const file = () => join(folder, 'keys', 'keys.json');
const keys = (env: NodeJS.ProcessEnv = {}) => new SafeKeys(file(), env);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-keys-'));
  Object.assign(system, { backend: 'gnome_libsecret', plain: false, works: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a key that is kept', () => {
  test('is encrypted in a file that only its owner reads, and is there after the next start', () => {
    keys().set(place, KEY, 'stored');
    const text = readFileSync(file(), 'utf8');
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString('base64'));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'keys')).mode & 0o077).toBe(0);
    expect(keys().keyFor(place)).toBe(KEY);
    expect(keys().state(place)).toMatchObject({ from: 'stored', protection: 'system' });
  });

  test('for this run is on no disk, and replaces one that was', () => {
    const first = keys();
    first.set(place, 'older', 'stored');
    first.set(place, KEY, 'this-run');
    expect([first.keyFor(place), first.state(place).from]).toEqual([KEY, 'this-run']);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ version: 1, keys: {} });
    expect(keys().keyFor(place)).toBeUndefined();
  });

  test('is not handed out for another server', () => {
    const all = keys();
    all.set(place, KEY, 'stored');
    expect(all.keyFor({ ...place, baseUrl: 'https://evil.example' })).toBeUndefined();
    expect(all.keyFor({ provider: 'openai-compatible' })).toBeUndefined();
    expect(all.keyFor({ ...place, baseUrl: 'https://api.anthropic.com/v1' })).toBe(KEY);
  });

  test('can be forgotten, beside others that stay', () => {
    const all = keys();
    all.set(place, KEY, 'stored');
    all.set({ provider: 'openai-compatible' }, 'other', 'stored');
    all.remove(place);
    expect([all.keyFor(place), all.keyFor({ provider: 'openai-compatible' })]).toEqual([undefined, 'other']);
  });
});

describe('where the system has no keyring', () => {
  test('the state says that it would be weakly guarded, and it is kept so only when that is asked for', () => {
    system.backend = 'basic_text';
    const all = keys();
    expect(all.state(place)).toMatchObject({ from: 'none', protection: 'weak' });
    expect(system.plain).toBe(false);
    all.set(place, KEY, 'stored');
    expect(readFileSync(file(), 'utf8')).not.toContain(KEY);
    expect(keys().keyFor(place)).toBe(KEY);
  });

  test('or refuses to encrypt, nothing is written and the words do not hold the key', () => {
    system.works = false;
    const all = keys();
    expect(all.state(place).protection).toBe('none');
    let thrown: unknown;
    try {
      all.set(place, KEY, 'stored');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(FailureError);
    expect(`${String(thrown)} ${(thrown as Error).stack} ${String((thrown as Error).cause)}`).not.toContain(KEY);
    expect(() => statSync(file())).toThrow('ENOENT');
  });
});

describe('the environment', () => {
  test('wins over what is kept', () => {
    keys().set(place, 'kept', 'stored');
    const all = keys({ ANTHROPIC_API_KEY: KEY });
    expect([all.keyFor(place), all.state(place)]).toMatchObject([
      undefined,
      { from: 'environment', variable: 'ANTHROPIC_API_KEY' },
    ]);
  });

  test('has no say at other addresses, and the state tells of it', () => {
    const all = keys({ ANTHROPIC_API_KEY: KEY });
    const other = { ...place, baseUrl: 'https://gateway.example' };
    expect(all.keyFor(other)).toBeUndefined();
    expect(all.state(other)).toMatchObject({ from: 'none', unusedVariable: 'ANTHROPIC_API_KEY' });
  });
});

test.each(['', '[', '{"version":2,"keys":{}}', '{"version":1,"keys":{"anthropic https://api.anthropic.com":"%%"}}'])(
  'a file that says %s holds no key and is replaced by the next one',
  (text) => {
    keys().set(place, 'x', 'stored');
    writeFileSync(file(), text);
    system.works = text.includes('%%') ? false : system.works;
    expect(keys().keyFor(place)).toBeUndefined();
    system.works = true;
    keys().set(place, KEY, 'stored');
    expect(keys().keyFor(place)).toBe(KEY);
  },
);

test('a file that cannot be written is told, without the key', () => {
  writeFileSync(join(folder, 'keys'), '');
  expect(() => keys().set(place, KEY, 'stored')).toThrow(/cannot be kept in .*keys\.json/);
});
