import { knownServers, type McpServer } from '../../src-shared/mcp/state.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { listNames } from '../../src-shared/timeline/words.ts';

/** `Waiting for the MCP server files.` while a turn has not asked its model yet for that; undefined otherwise. */
export function awaitedServersWords(state: SessionState): string | undefined {
  const turn = state.turns.findLast(({ end }) => end === undefined);
  if (turn === undefined || state.requests.some(({ turnId }) => turnId === turn.turnId)) return undefined;
  const names = state.mcpServers.flatMap(({ name, status }) => (status === 'connecting' ? [name] : []));
  if (names.length === 0) return undefined;
  return `Waiting for the MCP ${names.length === 1 ? 'server' : 'servers'} ${listNames(names)}.`;
}

export type McpCount = { readonly servers: readonly McpServer[]; readonly connected: number; readonly failed: boolean };

/** The servers of a session that settings still name; undefined when there are none. */
export function mcpCount(state: SessionState): McpCount | undefined {
  const servers = knownServers(state.mcpServers);
  if (servers.length === 0) return undefined;
  return {
    servers,
    connected: servers.filter(({ status }) => status === 'connected').length,
    failed: servers.some(({ status }) => status === 'failed'),
  };
}
