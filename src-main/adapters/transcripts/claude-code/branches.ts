import { type EntryStory, MAIN_KEY } from '../common/story.ts';
import type { ClaudeStory } from './collect.ts';

/**
 * Marks the answers on branches that were left: a person went back and wrote another prompt at the same place. Only this
 * counts, two prompts with one parent of which one leads to the end. Every other fork of the tree is normal (parallel
 * calls fork it, progress lines do), and parents that are in no file occur too.
 */
export function markLeftBranches(story: ClaudeStory): void {
  const prompts = story.entries.filter((one) => one.kind === 'prompt' && one.agentKey === MAIN_KEY);
  const byParent = new Map<string, EntryStory[]>();
  for (const prompt of prompts) {
    if (prompt.parentUuid === undefined || prompt.uuid === undefined) continue;
    byParent.set(prompt.parentUuid, [...(byParent.get(prompt.parentUuid) ?? []), prompt]);
  }
  const forks = [...byParent.values()].filter((group) => group.length > 1);
  if (forks.length === 0) return;
  const path = pathToEnd(story);
  const leftFor = new Map<string, EntryStory>();
  for (const group of forks) {
    const kept = group.filter((prompt) => path.has(prompt.uuid ?? ''));
    const [chosen] = kept;
    if (kept.length !== 1 || chosen === undefined) continue;
    for (const prompt of group) if (prompt !== chosen && prompt.uuid !== undefined) leftFor.set(prompt.uuid, chosen);
  }
  if (leftFor.size === 0) return;
  const known = new Map<string, EntryStory | undefined>();
  for (const message of story.messages) {
    const [uuid] = message.lineUuids;
    if (message.agentKey !== MAIN_KEY || uuid === undefined || message.lineUuids.some((one) => path.has(one))) continue;
    const chosen = rootOf(uuid, { story, path, leftFor, known });
    if (chosen !== undefined && message.discardedAt === undefined) message.discardedAt = chosen.place;
  }
}

/** All ancestors of the last line of the main conversation. */
function pathToEnd(story: ClaudeStory): ReadonlySet<string> {
  let ord = -1;
  let uuid: string | undefined;
  for (const message of story.messages) {
    if (message.agentKey === MAIN_KEY && message.last.ord > ord && message.lineUuids.length > 0) {
      ord = message.last.ord;
      uuid = message.lineUuids.at(-1);
    }
  }
  for (const entry of story.entries) {
    if (entry.agentKey === MAIN_KEY && entry.kind === 'prompt' && entry.place.ord > ord && entry.uuid !== undefined) {
      ord = entry.place.ord;
      uuid = entry.uuid;
    }
  }
  const path = new Set<string>();
  while (uuid !== undefined && !path.has(uuid)) {
    path.add(uuid);
    uuid = story.parents.get(uuid);
  }
  return path;
}

type Search = {
  readonly story: ClaudeStory;
  readonly path: ReadonlySet<string>;
  readonly leftFor: ReadonlyMap<string, EntryStory>;
  readonly known: Map<string, EntryStory | undefined>;
};

/** The prompt that took the place of the one this line descends from, or undefined. Each line is walked once in all. */
function rootOf(uuid: string, { story, path, leftFor, known }: Search): EntryStory | undefined {
  const walked: string[] = [];
  let at: string | undefined = uuid;
  let found: EntryStory | undefined;
  const seen = new Set<string>();
  while (at !== undefined && !path.has(at) && !seen.has(at)) {
    if (known.has(at)) {
      found = known.get(at);
      break;
    }
    found = leftFor.get(at);
    if (found !== undefined) break;
    seen.add(at);
    walked.push(at);
    at = story.parents.get(at);
  }
  for (const one of walked) known.set(one, found);
  return found;
}
