import type { SessionId } from '../../src-shared/ids.ts';
import type { PushPayload } from '../../src-shared/ipc/contract.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { ImportedChange, ImportedSession } from './imported-session.ts';
import type { Rest } from './read-in-parts.ts';

export type Reading = PushPayload<'session.reading'>;

/** The reason with which a person ends a reading. */
export const STOPPED = new Error('The reading was stopped.');

export type ReadOnDeps = {
  readonly sessionId: SessionId;
  readonly onChange: (change: ImportedChange) => void;
  readonly onReading: (reading: Reading) => void;
};

/** Takes the rest of a transcript that is shown already into its session. @returns whether all of it was read. */
export async function readOn(entry: ImportedSession, rest: Rest, deps: ReadOnDeps): Promise<boolean> {
  const { sessionId, onChange, onReading } = deps;
  const telling = new Telling(entry, onChange);
  let progress = { bytes: 0, totalBytes: 0 };
  let count = entry.events.length;
  const nothing = { amended: [], events: [], findings: [], texts: undefined, lastLineAt: undefined };
  rest.listen(({ keep, amended, events, texts, bytes, totalBytes, isShowable }) => {
    if (bytes !== progress.bytes) {
      progress = { bytes, totalBytes };
      onReading({ sessionId, phase: 'reading', ...progress });
    }
    const isNew = keep < count || amended.length + events.length > 0;
    count = keep + events.length;
    if (isNew) entry.take({ ...nothing, keep, amended, events, texts }, telling.note);
    if (isShowable) entry.take({ ...nothing, keep: count }, telling.tell);
  });
  try {
    const { findings, texts, events } = await rest.done;
    await new Promise<void>((resolve) => {
      entry.take({ ...nothing, keep: events.length, findings, texts }, () => {
        telling.tell();
        resolve();
      });
    });
    onReading({ sessionId, phase: 'read', ...progress });
    return true;
  } catch (error) {
    const phase = error === STOPPED ? 'stopped' : 'failed';
    const message = error === STOPPED ? 'The reading was stopped. What was read is shown.' : wordsOf(error);
    onReading({ sessionId, phase, ...progress, message });
    return false;
  }
}

/**
 * Gathers what has changed until it is a session again. A window would draw each piece of it, and would still draw when
 * the whole is there.
 */
class Telling {
  readonly #entry: ImportedSession;
  readonly #onChange: (change: ImportedChange) => void;
  #keep: number | undefined;
  #amended: SessionEvent[] = [];

  constructor(entry: ImportedSession, onChange: (change: ImportedChange) => void) {
    this.#entry = entry;
    this.#onChange = onChange;
  }

  readonly note = ({ revised }: ImportedChange): void => {
    if (revised === undefined) return;
    this.#keep = Math.min(this.#keep ?? revised.keep, revised.keep);
    this.#amended.push(...revised.amended);
  };

  readonly tell = (): void => {
    const keep = this.#keep;
    const amended = this.#amended.filter(({ seq }) => keep === undefined || seq < keep);
    this.#keep = undefined;
    this.#amended = [];
    // The last one alone: its number tells a window what is missing, and it fetches that.
    const events = this.#entry.events.slice(-1);
    this.#onChange({ revised: keep === undefined ? undefined : { keep, amended }, events });
  };
}

const wordsOf = (error: unknown): string =>
  `${(error instanceof Error ? error.message : String(error)).split('\n')[0]} What was read is shown.`;
