import { basename } from 'node:path';
import type { SavedOutput } from '../common/judged.ts';
import type { CallStory } from '../common/story.ts';
import type { Reading, TranscriptSource } from '../importer.ts';
import type { ClaudeStory } from './collect.ts';
import { findSavedOutput } from './saved-output.ts';
import { tellClaudeSession } from './tell.ts';

/** The last step of reading: looks for saved outputs on disk and tells the story as events. */
export async function storyToReading(
  story: ClaudeStory,
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
  const events = tellClaudeSession(story, {
    format,
    path,
    fallbackId,
    savedOf: (call) => saved.get(call),
  });
  return { events, title: story.title ?? fallbackId, cwd: story.cwd ?? '', version: story.version };
}
