import type { ModelChoice } from '../../src-shared/model/choice.ts';

/** What a person chose when they started sessions, to be proposed for the next one. */
export interface RecentChoices {
  /** Folders newest first, absolute; those that are gone are left out. */
  read(): { readonly folders: readonly string[]; readonly model: ModelChoice | undefined };
  /** Never throws: what cannot be kept is not proposed. */
  remember(choice: { readonly folder: string; readonly model: ModelChoice }): void;
}
