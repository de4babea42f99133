import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { safeStorage } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { FailureError } from '../../../src-shared/failure.ts';
import type { KeyState } from '../../../src-shared/model/key-state.ts';
import { isKeyOptional, keyId, keyInEnvironment } from '../../core/model/keys.ts';
import type { KeyPlace, KeyStore } from '../../ports/key-store.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';

/** The file of keys: each one encrypted by the system, as base64. */
const KeyFile = z.object({ version: z.literal(1), keys: z.record(z.string(), z.string()) });
type Keys = Readonly<Record<string, string>>;

/**
 * Keys in a file that only its owner can read, encrypted with Electron's `safeStorage`. On Linux without a keyring that
 * encrypts with a password everybody knows; the state says so, and the window asks before it has a key kept that way.
 */
export class SafeKeys implements KeyStore {
  readonly #path: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #thisRun = new Map<string, string>();

  /** @param path of the file, absolute. Need not be there. */
  constructor(path: string, env: NodeJS.ProcessEnv = process.env) {
    this.#path = path;
    this.#env = env;
  }

  state(place: KeyPlace): KeyState {
    const isOptional = isKeyOptional(place, this.#env);
    const found = keyInEnvironment(place, this.#env);
    const facts = { isOptional, protection: protection() };
    if (found?.isForPlace) return { from: 'environment', variable: found.variable, ...facts };
    const id = keyId(place, this.#env);
    const from = this.#thisRun.has(id) ? 'this-run' : this.#stored(id) === undefined ? 'none' : 'stored';
    return { from, ...facts, ...(found === undefined ? {} : { unusedVariable: found.variable }) };
  }

  keyFor(place: KeyPlace): string | undefined {
    if (keyInEnvironment(place, this.#env)?.isForPlace) return undefined;
    const id = keyId(place, this.#env);
    return this.#thisRun.get(id) ?? this.#stored(id);
  }

  set(place: KeyPlace, key: string, keep: 'stored' | 'this-run'): void {
    const id = keyId(place, this.#env);
    if (keep === 'stored') this.#write({ ...this.#read(), [id]: encrypted(key) });
    // The newest word counts, so an older one on disk does not come back after the next start.
    else this.#forget(id);
    if (keep === 'this-run') this.#thisRun.set(id, key);
    else this.#thisRun.delete(id);
  }

  remove(place: KeyPlace): void {
    const id = keyId(place, this.#env);
    this.#thisRun.delete(id);
    this.#forget(id);
  }

  #forget(id: string): void {
    const { [id]: known, ...others } = this.#read();
    if (known !== undefined) this.#write(others);
  }

  /** Undefined also when it was encrypted on another machine or for another user. */
  #stored(id: string): string | undefined {
    const kept = this.#read()[id];
    if (kept === undefined) return undefined;
    try {
      allowWeak();
      return safeStorage.decryptString(Buffer.from(kept, 'base64'));
    } catch {
      return undefined;
    }
  }

  #read(): Keys {
    try {
      const file = KeyFile.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return file.success ? file.data.keys : {};
    } catch {
      // Not there, or damaged: what is in it cannot be used, and the next key replaces it.
      return {};
    }
  }

  #write(keys: Keys): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file: z.output<typeof KeyFile> = { version: 1, keys: { ...keys } };
      writeFileAtomic.sync(this.#path, `${JSON.stringify(file)}\n`, { mode: 0o600 });
    } catch (cause) {
      throw new FailureError(
        {
          kind: 'not-writable',
          message: `The key cannot be kept in ${this.#path}: ${diskTrouble(cause)}.`,
          hint: 'Keep it for this run only, or put it into the environment.',
        },
        { cause },
      );
    }
  }
}

/** @returns base64. @throws FailureError without the key in its words. */
function encrypted(key: string): string {
  try {
    allowWeak();
    return safeStorage.encryptString(key).toString('base64');
  } catch {
    throw new FailureError({
      kind: 'unsupported',
      message: 'The system cannot encrypt the key.',
      hint: 'Keep it for this run only, or put it into the environment.',
    });
  }
}

/** How a key on disk is guarded here. Asked anew each time: a keyring may be unlocked later. */
function protection(): KeyState['protection'] {
  if (process.platform === 'linux') {
    const backend = safeStorage.getSelectedStorageBackend();
    if (backend === 'basic_text' || backend === 'unknown') return 'weak';
  }
  return safeStorage.isEncryptionAvailable() ? 'system' : 'none';
}

/** Without a keyring Electron refuses unless it is told that everybody may know the password. */
function allowWeak(): void {
  if (protection() === 'weak') safeStorage.setUsePlainTextEncryption(true);
}
