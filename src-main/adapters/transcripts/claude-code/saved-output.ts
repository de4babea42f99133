import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { resultText } from '../../../../src-shared/tool-call/content.ts';
import { savedOutputIn } from '../claude-code/texts.ts';
import { numberAt, textAt } from '../common/fields.ts';
import type { SavedOutput } from '../common/judged.ts';
import type { ResultStory } from '../common/story.ts';

/** File name of a path of any system: transcripts travel between machines. */
const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

const sizeOf = async (path: string): Promise<number | undefined> => {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    // Not there, or not ours to see: both mean that the preview is all there is.
    return undefined;
  }
};

/**
 * Where the whole output of a result lies, if it was too large for the conversation. Looks beside the session first: a
 * recorded path is of the machine it was recorded on, and may be another session's.
 */
export async function findSavedOutput(
  { facts, shown }: ResultStory,
  folders: readonly string[],
): Promise<SavedOutput | undefined> {
  const named = savedOutputIn(resultText(shown));
  const recorded = textAt(facts, 'persistedOutputPath') ?? named?.path;
  if (recorded === undefined || recorded === '') return undefined;
  const name = baseName(recorded);
  const places = name === '' ? [recorded] : [...folders.map((folder) => join(folder, name)), recorded];
  for (const path of places) {
    const bytes = await sizeOf(path);
    if (bytes !== undefined) return { path, bytes, found: true };
  }
  return { path: recorded, bytes: numberAt(facts, 'persistedOutputSize') ?? named?.bytes ?? 0, found: false };
}
