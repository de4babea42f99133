import type { SessionEvent } from '../../../src-shared/session/event.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import type { KeptTexts } from './lazy/kept-texts.ts';
import type { Salvaged } from './salvage.ts';
import type { StoredPlace, StoreFormat } from './store/stored.ts';

/** The files that make up one session, all absolute paths. */
export type TranscriptSource = {
  /** What was opened: the file or the folder a person named. */
  readonly path: string;
  /** The session's own file; absent where only files of its sub-agents are left. */
  readonly main: string | undefined;
  /** Files of sub-agents that belong to it. */
  readonly agentFiles: readonly string[];
  /** Folders in which large results of it may lie. */
  readonly resultFolders: readonly string[];
  /** Further files that hold parts of it, where a program keeps a session in many. */
  readonly partFiles?: readonly string[];
  /** Where it lies in a database; `main` names it then. */
  readonly stored?: StoredPlace;
  /** It is still being written: what has no end in the files goes on, and the session is not over. */
  readonly goesOn?: boolean;
};

/** Bytes read so far, of all files of the session together. */
export type ReadProgress = { readonly bytes: number; readonly totalBytes: number };

export type OnFinding = (finding: Finding) => void;

/** What an importer makes of a source. `seq` counts from 0; `t` is milliseconds from the session's start. */
export type Reading = {
  readonly events: readonly SessionEvent[];
  readonly title: string;
  readonly cwd: string;
  /** Version of the program that wrote the file, where it says so. */
  readonly version: string | undefined;
};

/** A transcript as a session: the same events as a live one, and what was odd about the files. */
export type Imported = Reading & {
  /** Name of the importer that read it. */
  readonly format: string;
  readonly findings: readonly Finding[];
  readonly path: string;
};

/** Holds the records of files between two readings. Undefined: this file is to be read as any other. */
export type KeptReader = {
  readonly recordsOf: (file: string, onFinding: OnFinding) => Promise<readonly Salvaged[] | undefined>;
};

export type ReadOptions = {
  readonly onFinding: OnFinding;
  readonly signal: AbortSignal;
  /** Called after each piece of a file with the number of bytes it had. */
  readonly onBytes: (bytes: number) => void;
  /** Takes the places of long texts, which may then stay in the files; without it all events are whole. */
  readonly keptTexts?: KeptTexts | undefined;
  /** Has the records of files that are read again and again while they grow. */
  readonly kept?: KeptReader;
  readonly preview?: Preview | undefined;
};

/** Tells a session while it is still being read, so that it is seen before a large file is at its end. */
export type Preview = {
  /** Is it time to tell what was read so far? Asked after each piece of a file. */
  readonly isDue: () => boolean;
  /** The session as far as it was read: nothing is over because reading is not. */
  readonly take: (reading: Reading) => Promise<void>;
};

/** What a program's usual folders depend on. */
export type PlaceEnv = {
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** One foreign format. Its clock, names and quirks stop at its file. */
export interface Importer {
  readonly name: string;
  /** How sure it is, 0 to 1, that these first objects of a file are its format. Never looks at file names. */
  sniff(head: readonly unknown[]): number;
  /** These first objects are of a file that belongs to the session of another one, and stands for none of its own. */
  isPart?(head: readonly unknown[]): boolean;
  /** Folders in which the program keeps its transcripts, and databases, absolute, whether they exist or not. */
  places?(env: PlaceEnv): readonly string[];
  /** How it keeps many sessions in one database, where it does. */
  readonly store?: StoreFormat;
  /** The files that belong to a session's main file, where there are more than that one. */
  sourceOf?(main: string, options: { readonly path: string; readonly signal: AbortSignal }): Promise<TranscriptSource>;
  /** The sessions in a folder that has the shape of its program's own, where one file alone is no session. */
  sessionsIn?(folder: string): Promise<readonly TranscriptSource[]>;
  read(source: TranscriptSource, options: ReadOptions): Promise<Reading>;
}

/** Nothing at all could be read. Everything less than that is a finding. */
export class TranscriptUnreadable extends Error {
  override readonly name = 'TranscriptUnreadable';
  readonly path: string;
  /** What is wrong, as the end of a sentence: `is empty`. */
  readonly what: string;
  /** What a person can do about it. */
  readonly hint: string;

  constructor(path: string, what: string, hint: string, options?: { readonly cause?: unknown }) {
    super(`${path} ${what}. ${hint}`, options);
    this.path = path;
    this.what = what;
    this.hint = hint;
  }
}
