import { FailureError } from '../../../src-shared/failure.ts';
import type { TranscriptReader } from '../../ports/transcript-reader.ts';
import { needsStore } from '../transcripts/store/stored.ts';
import { askLibrary } from './library-client.ts';

/** Reads sessions that lie in databases in a process of the library, and all others as before. */
export function readingDatabases(
  host: { readonly execPath: string; readonly entryPath: string },
  read: TranscriptReader,
): TranscriptReader {
  return async (...words: Parameters<TranscriptReader>) => {
    const [path, signal] = words;
    if (!(await needsStore(path))) return read(...words);
    const ask = { kind: 'open', path } as const;
    const asked = { indexFile: '', folders: [], ask };
    const result = await askLibrary(asked, { ...host, onProgress: () => undefined, signal }).catch((cause: unknown) => {
      signal.throwIfAborted();
      const hint = 'Try again. If it happens again, open an export of the session instead.';
      throw new FailureError({ kind: 'not-readable', message: `${path} could not be read.`, hint }, { cause });
    });
    if (result.kind === 'opened') return result.session;
    if (result.kind !== 'unreadable')
      throw new Error(`The library answered ${result.kind} where a session was asked for.`);
    const message = `${result.path} ${result.what}.`;
    throw new FailureError({ kind: 'not-readable', message, hint: result.hint });
  };
}
