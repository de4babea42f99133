import { TranscriptUnreadable } from '../adapters/transcripts/importer.ts';
import type { Io } from './io.ts';

type Command = { readonly name: string; readonly usage: string };

/**
 * Does what a command over transcripts was asked for.
 *
 * @param words what was asked, or what is wrong with it, as a sentence.
 * @param work gives the exit code.
 * @returns that code; 1 when a transcript cannot be read, 2 when the words do not fit, both told on stderr.
 */
export async function overTranscripts<W extends object>(
  { name, usage }: Command,
  words: W | string,
  io: Io,
  work: (words: W) => Promise<number>,
): Promise<number> {
  if (typeof words !== 'string') return tellUnreadable(name, io, () => work(words));
  io.stderr(`gantry ${name}: ${words}\nusage: ${usage}\n`);
  return 2;
}

/** The exit code that `work` gives, or 1 with a sentence on stderr when a transcript cannot be read. */
export async function tellUnreadable(name: string, io: Io, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TranscriptUnreadable)) throw error;
    io.stderr(`gantry ${name}: ${error.message}\n`);
    return 1;
  }
}
