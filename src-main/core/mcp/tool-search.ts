/** A tool whose schema is held back. */
export type Findable = { readonly name: string; readonly description: string };

export const SELECT = 'select:';
/** More than this is no answer to a search but a load on the conversation. */
export const MOST_FOUND = 20;
export const USUALLY_FOUND = 5;

/**
 * The tools a query means: `select:Name,Name` those of these names, anything else those whose names and descriptions
 * have its words, best first. A word with `+` before it has to be there.
 */
export function searchTools<T extends Findable>(
  tools: readonly T[],
  query: string,
  most = USUALLY_FOUND,
): readonly T[] {
  const wanted = query.trim();
  if (wanted.toLowerCase().startsWith(SELECT)) {
    const names = wanted.slice(SELECT.length).split(',').map(bare).filter(Boolean);
    return names.flatMap((name) => tools.find((tool) => bare(tool.name) === name) ?? []);
  }
  const words = wanted
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const needed = words.filter((word) => word.length > 1 && word.startsWith('+')).map((word) => word.slice(1));
  const all = words.map((word) => word.replace(/^\+/, '')).filter(Boolean);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, all, needed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.min(most, MOST_FOUND))
    .map(({ tool }) => tool);
}

const bare = (name: string): string => name.trim().toLowerCase();

function scoreOf({ name, description }: Findable, words: readonly string[], needed: readonly string[]): number {
  const title = name.toLowerCase();
  const parts = new Set(title.split(/[^a-z0-9]+/));
  const about = description.toLowerCase();
  if (!needed.every((word) => title.includes(word) || about.includes(word))) return 0;
  return words.reduce((sum, word) => {
    if (title === word) return sum + 100;
    if (parts.has(word)) return sum + 12;
    if (title.includes(word)) return sum + 6;
    return about.includes(word) ? sum + 2 : sum;
  }, 0);
}

/** How to load the schema of a tool that was called without it, behind what was wrong with the call (spec 2.2). */
export const howToLoad = (tool: string): string =>
  `The schema of ${tool} was not sent to you, so its parameters were guessed. Call ToolSearch with the query "${SELECT}${tool}" to load it, then call ${tool} again.`;
