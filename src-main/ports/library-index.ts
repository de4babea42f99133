import type { Hit, TextKind } from '../../src-shared/library/session.ts';
import type { Facets, RowAnswer, RowQuery } from '../../src-shared/library/view.ts';

/** What only this run knows of sessions: own ones lie below `ownFolder`, `running` are the files of those at work. */
export type Surroundings = {
  readonly ownFolder: string;
  readonly running: string[];
  readonly now: number;
  /** Where the vault is, if there is one: sessions below it have lost their own file. */
  readonly vaultFolder?: string | undefined;
};

export type Page = { readonly offset: number; readonly limit: number };

/** The index of all sessions of this machine. Every answer may fail with a `FailureError` when it cannot be used. */
export interface LibraryIndex {
  facets(around: Surroundings): Promise<Facets>;
  rows(query: RowQuery, page: Page, around: Surroundings): Promise<RowAnswer>;
  hits(id: number, text: string, kinds: TextKind[]): Promise<Hit[]>;
  /** Undefined where the index knows none of this number any more. */
  pathOf(id: number): Promise<string | undefined>;
  /** Looks for files and reads what is new. Rejects with the signal's reason when it is aborted. */
  update(onProgress: (done: number, total: number) => void, signal: AbortSignal): Promise<void>;
  /** Files in each of these folders that may be sessions. Opens none. */
  countIn(folders: string[]): Promise<number[]>;
  /** The same for the folders of other programs. */
  found(): Promise<{ format: string; folder: string; count: number }[]>;
  close(): void;
}
