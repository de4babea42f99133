import type { AnyTool, ToolRegistry } from '../../ports/tool.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import type { ToolServices } from './services.ts';
import { writeTool } from './write.ts';

/** All tools of an agent. A new tool is its own file and one line here. */
export function createRegistry(services: ToolServices): ToolRegistry {
  const all: readonly AnyTool[] = [
    bashTool(services),
    readTool,
    writeTool,
    editTool,
    globTool(services),
    grepTool(services),
  ];
  const byName = new Map<string, AnyTool>();
  // Names win over aliases, whatever the order.
  for (const tool of all) for (const alias of tool.aliases) byName.set(alias, tool);
  for (const tool of all) byName.set(tool.name, tool);
  return { all, find: (name) => byName.get(name) };
}
