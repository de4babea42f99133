import type { SessionId } from '../../src-shared/ids.ts';
import type { PushPayload } from '../../src-shared/ipc/contract.ts';
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
  let progress = { bytes: 0, totalBytes: 0 };
  let count = entry.events.length;
  const nothing = { amended: [], events: [], findings: [], texts: undefined, lastLineAt: undefined };
  rest.listen(({ keep, amended, events, texts, bytes, totalBytes }) => {
    if (bytes !== progress.bytes) {
      progress = { bytes, totalBytes };
      onReading({ sessionId, phase: 'reading', ...progress });
    }
    const isNew = keep < count || amended.length + events.length > 0;
    count = keep + events.length;
    if (isNew) entry.take({ ...nothing, keep, amended, events, texts }, onChange);
  });
  try {
    const { findings, texts, events } = await rest.done;
    await new Promise<void>((resolve) => {
      entry.take({ ...nothing, keep: events.length, findings, texts }, (change) => {
        onChange(change);
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

const wordsOf = (error: unknown): string =>
  `${(error instanceof Error ? error.message : String(error)).split('\n')[0]} What was read is shown.`;
