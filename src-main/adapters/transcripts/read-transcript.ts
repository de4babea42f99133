import { FailureError } from '../../../src-shared/failure.ts';
import type { TranscriptReader } from '../../ports/transcript-reader.ts';
import { type Imported, TranscriptUnreadable } from './importer.ts';
import { KeptTexts } from './lazy/kept-texts.ts';
import { type OpenOptions, openTranscript } from './open-transcript.ts';

/** Opening a transcript as the app asks for it: what cannot be read is a failure in words for a person. */
export const readTranscript: TranscriptReader = async (path, signal) => {
  const keptTexts = new KeptTexts();
  return { ...(await readTranscriptWith(path, { signal, keptTexts })), texts: keptTexts };
};

/** The same with all that can be wished of it. */
export async function readTranscriptWith(path: string, options: OpenOptions): Promise<Imported> {
  try {
    return await openTranscript(path, options);
  } catch (error) {
    if (!(error instanceof TranscriptUnreadable)) throw error;
    const message = `${error.path} ${error.what}.`;
    throw new FailureError({ kind: 'not-readable', message, hint: error.hint }, { cause: error });
  }
}
