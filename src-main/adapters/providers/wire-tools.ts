import type { ModelRequest } from '../../ports/model-provider.ts';

type Tool = ModelRequest['tools'][number];
export type WireTool = { readonly description: string; readonly schema: Readonly<Record<string, unknown>> };

/** What no server takes at the top of a tool's schema; deeper down they do. */
const NOT_AT_THE_TOP: readonly string[] = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];
/** What the Messages API takes for the name of an input's field. */
export const FIELD_OF_ANTHROPIC = /^[a-zA-Z0-9_.-]{1,64}$/;
const MOST_WORDS = 4_000;

/** What was made of a tool; the schema of one stays the same object. */
const made = new WeakMap<object, Map<RegExp | undefined, WireTool>>();

/**
 * A tool as servers take it: one schema that they do not, of some MCP server, would have every request refused. What its
 * schema may not say stands behind its description instead; the tool itself still looks at all of its input.
 * @param field the names that fields may have; any when left out.
 */
export function wireTool({ description, inputSchema }: Tool, field?: RegExp): WireTool {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const known = made.get(schema)?.get(field);
  if (known?.description.startsWith(description) === true) return known;
  const tool = withoutOdd({ description, schema }, field);
  const all = made.get(schema) ?? new Map<RegExp | undefined, WireTool>();
  made.set(schema, all.set(field, tool));
  return tool;
}

function withoutOdd({ description, schema }: WireTool, field: RegExp | undefined): WireTool {
  const said: Record<string, unknown> = {};
  const left: Record<string, unknown> = { ...schema, type: 'object' };
  for (const key of NOT_AT_THE_TOP) {
    if (!(key in left)) continue;
    said[key] = left[key];
    delete left[key];
  }
  const { properties } = left;
  const odd =
    field === undefined || !isObject(properties) ? [] : Object.keys(properties).filter((key) => !field.test(key));
  if (odd.length > 0 && isObject(properties)) {
    const isOdd = (key: unknown): boolean => odd.includes(String(key));
    said.properties = Object.fromEntries(odd.map((key) => [key, properties[key]]));
    left.properties = Object.fromEntries(Object.entries(properties).filter(([key]) => !isOdd(key)));
    if (Array.isArray(left.required)) {
      said.required = left.required.filter(isOdd);
      left.required = left.required.filter((key) => !isOdd(key));
    }
  }
  if (Object.keys(said).length === 0) return { description, schema: left };
  const words = JSON.stringify(said);
  const rest = words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words;
  return { description: `${description}\n\nIts input also has to fit this JSON Schema: ${rest}`, schema: left };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
