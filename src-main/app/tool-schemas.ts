import { z } from 'zod';
import type { ModelRequest } from '../ports/model-provider.ts';
import type { AnyTool } from '../ports/tool.ts';

export type ToolSchema = ModelRequest['tools'][number];

/** Made once a tool: a schema takes longer than a request. */
const made = new WeakMap<AnyTool, ToolSchema>();

/** What the model is told of the tools: all but the deferred ones it has not asked for yet (spec 2.2). */
export const toolSchemas = (tools: readonly AnyTool[], discovered: ReadonlySet<string>): readonly ToolSchema[] =>
  tools.filter((tool) => !tool.isDeferred || discovered.has(tool.name)).map(schemaOf);

function schemaOf(tool: AnyTool): ToolSchema {
  const known = made.get(tool);
  // The kinds of agents, which the Agent tool tells of, may change.
  if (known !== undefined && known.description === tool.description) return known;
  const schema: ToolSchema = {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.jsonSchema ?? z.toJSONSchema(tool.inputSchema, { io: 'input' }),
  };
  made.set(tool, schema);
  return schema;
}
