import { type AgentDefinition, mayUse } from '../core/agents/definition.ts';
import type { AnyTool, ToolRegistry } from '../ports/tool.ts';

/** Of these tools the ones an agent of this definition may use. Follows when tools come and go. */
export function restrictTools(
  tools: ToolRegistry,
  definition: Pick<AgentDefinition, 'tools' | 'withoutTools'>,
): ToolRegistry {
  let seen: readonly AnyTool[] | undefined;
  let kept: readonly AnyTool[] = [];
  return {
    get all() {
      if (seen !== tools.all) {
        seen = tools.all;
        kept = seen.filter((tool) => mayUse(definition, tool));
      }
      return kept;
    },
    find: (name) => {
      const tool = tools.find(name);
      return tool !== undefined && mayUse(definition, tool) ? tool : undefined;
    },
  };
}
