import type { McpServers } from '../../ports/mcp-servers.ts';
import type { AnyTool, ToolRegistry } from '../../ports/tool.ts';
import { toolSearchTool } from './tool-search.ts';

/**
 * The tools that are always there, and those of the session's servers as these come and go. Where schemas are held back
 * there is a tool to ask for them.
 */
export function joinedRegistry(base: ToolRegistry, servers: Pick<McpServers, 'tools' | 'find'>): ToolRegistry {
  let made: { readonly of: readonly AnyTool[]; readonly all: readonly AnyTool[]; readonly search: AnyTool | undefined };
  const now = () => {
    const { tools } = servers;
    if (made?.of === tools) return made;
    const own = [...base.all, ...tools.filter(({ name }) => base.find(name) === undefined)];
    const deferred = own.filter(({ isDeferred }) => isDeferred);
    const search = deferred.length === 0 ? undefined : toolSearchTool(deferred);
    made = { of: tools, search, all: search === undefined ? own : [...own, search] };
    return made;
  };
  return {
    get all() {
      return now().all;
    },
    find(name) {
      const { search } = now();
      return base.find(name) ?? (name === search?.name ? search : servers.find(name));
    },
  };
}
