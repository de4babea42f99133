import { z } from 'zod';
import { LOADED_FIELD, TOOL_SEARCH } from '../../core/mcp/discovered.ts';
import { MOST_FOUND, SELECT, searchTools, USUALLY_FOUND } from '../../core/mcp/tool-search.ts';
import { type AnyTool, defineTool } from '../../ports/tool.ts';

/** Names beyond this are counted only; they can be searched for all the same. */
const MOST_NAMES_CHARACTERS = 16_000;
/** A tool whose schema is longer than this is given without it. */
const MOST_SCHEMA_CHARACTERS = 60_000;

type Found = { readonly tools: readonly AnyTool[]; readonly query: string };

/** Finds tools whose schemas are held back and has them sent from the next request on (spec 2.2). */
export const toolSearchTool = (deferred: readonly AnyTool[]): AnyTool =>
  defineTool({
    name: TOOL_SEARCH,
    description: descriptionOf(deferred),
    inputSchema: z.strictObject({
      query: z
        .string()
        .min(1)
        .describe(
          `"${SELECT}Name,Name" for tools by name, or words to search names and descriptions; +word has to match`,
        ),
      max_results: z.number().int().positive().max(MOST_FOUND).optional().describe(`default ${USUALLY_FOUND}`),
    }),
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    // What it gives is read once, and its own limit bounds it.
    maxResultSizeChars: Number.POSITIVE_INFINITY,
    checkPermissions: async () => ({ verdict: 'allow', because: 'It only looks up what tools there are' }),
    async call({ query, max_results: most }) {
      const tools = searchTools(deferred, query, most);
      const names = tools.map(({ name }) => name);
      const output: Found = { tools, query };
      if (names.length === 0) return { output, isError: false };
      return {
        output,
        isError: false,
        changes: [`loaded the schemas of ${names.join(', ')}`],
        modifier: (context) => ({ ...context, discovered: new Set([...context.discovered, ...names]) }),
      };
    },
    mapResult: ({ tools, query }: Found) => ({
      content: [{ type: 'text', text: tools.length === 0 ? nothingText(query, deferred) : foundText(tools) }],
      isError: false,
      display: { [LOADED_FIELD]: tools.map(({ name }) => name) },
    }),
    summarise: (input) => String((input as { readonly query?: unknown } | undefined)?.query ?? ''),
  });

function descriptionOf(deferred: readonly AnyTool[]): string {
  const names: string[] = [];
  let characters = 0;
  for (const { name } of deferred) {
    characters += name.length + 1;
    if (characters > MOST_NAMES_CHARACTERS) break;
    names.push(name);
  }
  const left = deferred.length - names.length;
  return [
    'Loads the schemas of tools that were not sent to you in full. Call it before you call one of them: without its schema you cannot know its parameters.',
    'Several can be loaded at once by name.',
    '',
    'Tools to be loaded:',
    ...names,
    ...(left > 0 ? [`and ${left} more, to be found by words`] : []),
  ].join('\n');
}

const foundText = (tools: readonly AnyTool[]): string =>
  ['These tools can be called from now on:', ...tools.map(schemaText)].join('\n');

function schemaText(tool: AnyTool): string {
  const { name, description } = tool;
  const schema = tool.jsonSchema ?? z.toJSONSchema(tool.inputSchema, { io: 'input' });
  const text = JSON.stringify({ name, description, input_schema: schema });
  return text.length <= MOST_SCHEMA_CHARACTERS
    ? text
    : JSON.stringify({ name, description, input_schema: 'too long to be shown here; it is sent with the tools' });
}

function nothingText(query: string, deferred: readonly AnyTool[]): string {
  const [example] = deferred;
  const hint =
    example === undefined ? '' : ` Search by other words, or load one by its name: ${SELECT}${example.name}.`;
  return `No tool that can be loaded fits "${query}".${hint}`;
}
