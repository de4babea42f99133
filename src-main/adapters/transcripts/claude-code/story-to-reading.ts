import { basename } from 'node:path';
import type { Reading, TranscriptSource } from '../importer.ts';
import { findSavedOutput, type SavedOutput } from './saved-output.ts';
import type { CallStory, Story } from './story.ts';
import { tellSession } from './tell.ts';

/** The last step of reading: looks for saved outputs on disk and tells the story as events. */
export async function storyToReading(
  story: Story,
  { format, source }: { readonly format: string; readonly source: TranscriptSource },
): Promise<Reading> {
  const saved = new Map<CallStory, SavedOutput>();
  for (const call of story.calls.values()) {
    if (call.result === undefined) continue;
    const output = await findSavedOutput(call.result, source.resultFolders);
    if (output !== undefined) saved.set(call, output);
  }
  const path = source.main ?? source.path;
  const fallbackId = basename(path).replace(/\.[^.]*$/, '') || 'session';
  const events = tellSession(story, {
    format,
    path,
    fallbackId,
    savedOf: (call) => saved.get(call),
  });
  return { events, title: story.title ?? fallbackId, cwd: story.cwd ?? '', version: story.version };
}
