import type { Defer } from './choose.ts';

/** Tokens of a conversation's window, the tenth of it that schemas may take, and characters of a token. */
const WINDOW_TOKENS = 200_000;
const SHARE = 0.1;
const CHARACTERS_PER_TOKEN = 4;
/** Schemas of more characters than this together are held back in `auto`. */
export const MOST_SCHEMA_CHARACTERS = WINDOW_TOKENS * SHARE * CHARACTERS_PER_TOKEN;

/** Are the schemas of all servers' tools held back until the model asks for them? */
export function isHeldBack(
  defer: Defer,
  tools: readonly { readonly name: string; readonly description: string; readonly jsonSchema: unknown }[],
): boolean {
  if (defer !== 'auto') return defer === 'always';
  let characters = 0;
  for (const { name, description, jsonSchema } of tools) {
    characters += name.length + description.length + (JSON.stringify(jsonSchema)?.length ?? 0);
    if (characters > MOST_SCHEMA_CHARACTERS) return true;
  }
  return false;
}
