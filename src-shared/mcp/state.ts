import type { EventOf } from '../session/event.ts';
import type { SessionTime } from '../units.ts';
import type { McpStatus } from './event.ts';

export type McpServer = {
  readonly name: string;
  readonly scope: 'user' | 'project';
  readonly status: McpStatus;
  /** Those of its last connection. */
  readonly tools: number | undefined;
  readonly message: string | undefined;
  /** Since when it is so. */
  readonly since: SessionTime;
};

/** In the order in which they were first met. */
export function applyMcp(servers: readonly McpServer[], e: EventOf<'mcp-server-changed'>): readonly McpServer[] {
  const before = servers.find(({ name }) => name === e.server);
  const now: McpServer = {
    name: e.server,
    scope: e.scope,
    status: e.status,
    tools: e.tools ?? before?.tools,
    message: e.message,
    since: e.t,
  };
  return before === undefined ? [...servers, now] : servers.map((each) => (each === before ? now : each));
}

/** An app that has ended holds no connections, however it ended. */
export const allClosed = (servers: readonly McpServer[], at: SessionTime): readonly McpServer[] =>
  servers.some(isOpen)
    ? servers.map((server) =>
        isOpen(server) ? { ...server, status: 'closed', message: undefined, since: at } : server,
      )
    : servers;

const isOpen = ({ status }: McpServer): boolean => status === 'connecting' || status === 'connected';

/** Servers that settings still name: what was closed is nobody's any more. */
export const knownServers = (servers: readonly McpServer[]): readonly McpServer[] =>
  servers.filter(({ status }) => status !== 'closed');
