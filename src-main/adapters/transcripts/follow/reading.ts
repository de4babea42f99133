import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import type { WholeTexts } from '../../../ports/whole-texts.ts';

/** A session as its files tell it now. */
export type Told = {
  readonly events: readonly SessionEvent[];
  readonly findings: readonly Finding[];
  readonly texts: WholeTexts | undefined;
};

/** What became of the files of a session since they were last looked at. */
export type Grown = {
  readonly grown: boolean;
  /** Its own file is not there any more. */
  readonly gone: boolean;
};

/** One session that is read on as its files grow. Calls do not overlap. */
export interface GrowingReading {
  /** Reads what is new. */
  grow(): Promise<Grown>;
  /** All that was read, as events. @param goesOn the writer may go on: nothing is over because the file ends. */
  tell(goesOn: boolean): Promise<Told>;
  /** Folders in which files of the session are, or will be. */
  readonly folders: readonly string[];
}

/** Lets others have their turn before the next piece of work. */
export const yieldTurn = (): Promise<void> => new Promise(setImmediate);

export const REPLACED = {
  kind: 'file-replaced',
  message: 'The file was cut or written anew while it was followed. It was read again from its start.',
};
export const GONE = {
  kind: 'file-gone',
  message: 'The file was deleted or moved away while it was followed. What was read of it is shown.',
};
