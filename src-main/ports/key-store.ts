import type { ProviderName } from '../../src-shared/model/choice.ts';
import type { KeyState } from '../../src-shared/model/key-state.ts';

/** The server a key is for. Without an address it is the provider's own. */
export type KeyPlace = { readonly provider: ProviderName; readonly baseUrl?: string | undefined };

/**
 * The keys of model servers. A key is for one server: it is never handed out for another address, so that a folder's
 * settings cannot name a server of their own and be sent a person's key.
 */
export interface KeyStore {
  state(place: KeyPlace): KeyState;
  /** The key that was typed for this server. Undefined when there is none, or when the environment's wins. */
  keyFor(place: KeyPlace): string | undefined;
  /**
   * @param keep `stored`: on disk, guarded as `state().protection` says. `this-run`: forgotten when Gantry ends.
   * @throws FailureError when it cannot be written; nothing has changed then.
   */
  set(place: KeyPlace, key: string, keep: 'stored' | 'this-run'): void;
  /** Forgets a key that was typed. One of the environment is not Gantry's to forget. */
  remove(place: KeyPlace): void;
}
