import { basename } from 'node:path';
import type { SavedOutput } from '../common/judged.ts';
import type { CallStory, ResultStory } from '../common/story.ts';
import type { Reading, TranscriptSource } from '../importer.ts';
import type { ClaudeStory } from './collect.ts';
import { findSavedOutput } from './saved-output.ts';
import { type TellOptions, tellClaudeSession } from './tell.ts';

export type StoryOptions = Pick<TellOptions, 'judgements'> & {
  readonly format: string;
  readonly source: TranscriptSource;
  /** Where saved outputs were found when the story was told before. */
  readonly saved?: SavedOutputs;
};

/** Saved outputs of a session's results. Each is looked for once, or until it is there. */
export class SavedOutputs {
  readonly #folders: readonly string[];
  readonly #found = new Map<ResultStory, SavedOutput | undefined>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async look(story: ClaudeStory): Promise<void> {
    for (const { result } of story.calls.values()) {
      if (result === undefined || (this.#found.has(result) && this.#found.get(result)?.found !== false)) continue;
      this.#found.set(result, await findSavedOutput(result, this.#folders));
    }
  }

  of({ result }: CallStory): SavedOutput | undefined {
    return result === undefined ? undefined : this.#found.get(result);
  }
}

/** The last step of reading: looks for saved outputs on disk and tells the story as events. */
export async function storyToReading(
  story: ClaudeStory,
  { format, source, judgements, saved = new SavedOutputs(source.resultFolders) }: StoryOptions,
): Promise<Reading> {
  await saved.look(story);
  const path = source.main ?? source.path;
  const fallbackId = basename(path).replace(/\.[^.]*$/, '') || 'session';
  const events = tellClaudeSession(story, {
    format,
    path,
    fallbackId,
    savedOf: (call) => saved.of(call),
    goesOn: source.goesOn === true,
    ...(judgements === undefined ? {} : { judgements }),
  });
  return { events, title: story.title ?? fallbackId, cwd: story.cwd ?? '', version: story.version };
}
