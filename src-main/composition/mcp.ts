import type { SessionId } from '../../src-shared/ids.ts';
import { McpConnections } from '../adapters/mcp/mcp-connections.ts';
import { mcpLimits } from '../core/mcp/limits.ts';
import type { McpServers } from '../ports/mcp-servers.ts';
import type { PipeRunner } from '../ports/pipe-runner.ts';
import type { SettingsSource } from '../ports/settings.ts';
import { clock, MARKER_PREFIX, newId } from './compose.ts';

/** The MCP servers of a session, those of its settings at every turn. */
export function mcpFor(
  session: { readonly sessionId: SessionId; readonly cwd: string; readonly settings: SettingsSource },
  app: { readonly host: PipeRunner; readonly version: string; readonly env?: NodeJS.ProcessEnv },
): McpServers {
  const { sessionId, cwd, settings } = session;
  const { host, version, env = process.env } = app;
  const variables = () => ({ ...env, ...settings.current().env });
  return new McpConnections({
    pipes: host,
    clock,
    newMarker: (server) =>
      `${MARKER_PREFIX}:${sessionId}:${newId(`mcp-${server.replace(/[^\w.-]/g, '_').slice(0, 60)}`)}`,
    env: variables,
    limits: () => mcpLimits(variables()),
    roots: () => [cwd, ...settings.current().directories],
    version,
    settings: () => settings.current().mcp,
  });
}

/** Settings under which the servers run that come with a folder, without its having been trusted. */
export function withTrustedServers(source: SettingsSource): SettingsSource {
  const current = () => {
    const loaded = source.current();
    const { servers, untrusted } = loaded.mcp;
    if (untrusted.length === 0) return loaded;
    return {
      ...loaded,
      mcp: { ...loaded.mcp, servers: [...servers, ...untrusted], untrusted: [] },
      inert: loaded.inert.filter(({ kind }) => kind !== 'MCP server'),
    };
  };
  return { current, addRule: (scope, rule) => source.addRule(scope, rule) };
}
