import { createHash } from 'node:crypto';

/** The longest name that every model service takes. */
const MOST_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/** `mcp__server__tool`, in characters that every model service takes. */
export const mcpToolName = (server: string, tool: string): string => shortened(`mcp__${plain(server)}__${plain(tool)}`);

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');

/** Too long a name keeps its beginning; a mark of the whole keeps it apart from others, in every session alike. */
function shortened(name: string): string {
  if (name.length <= MOST_CHARACTERS) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return `${name.slice(0, MOST_CHARACTERS - HASH_CHARACTERS - 1)}_${mark}`;
}

/** Gives each of these tools a name of its own: the first of several equal ones keeps it, the others are numbered. */
export function mcpToolNames(server: string, tools: readonly string[], taken: ReadonlySet<string>): readonly string[] {
  const used = new Set(taken);
  return tools.map((tool) => {
    const wanted = mcpToolName(server, tool);
    let name = wanted;
    for (let number = 2; used.has(name); number++) {
      const end = `_${number}`;
      name = `${wanted.slice(0, MOST_CHARACTERS - end.length)}${end}`;
    }
    used.add(name);
    return name;
  });
}
