import type { EventFacts } from '../../src-shared/session/event.ts';
import type { AnyTool } from './tool.ts';

/** What servers have to tell goes into the session's journal. */
export type McpNews = Extract<EventFacts, { type: 'mcp-server-changed' | 'notice-given' }>;

/** The MCP servers of one session, each with a connection of this session's own. */
export interface McpServers {
  /** Tools of the servers that can be called now. The same array while nothing changes. */
  readonly tools: readonly AnyTool[];
  /** A tool by its name, also one of a server that is gone: it says so when it is called. */
  find(name: string): AnyTool | undefined;
  /**
   * Connects to the servers that settings name now, in the background, and leaves those they name no longer. Called
   * again it only looks for changes.
   */
  start(record: (news: McpNews) => void): void;
  /** Servers that are being connected to. */
  readonly connecting: readonly string[];
  /** Settles when no server is being connected to any more, or with the signal. */
  whenSettled(signal: AbortSignal): Promise<void>;
  /** @throws FailureError when there is no such server. */
  reconnect(server: string): void;
  /** Ends all connections; settles when no program of a server is left. */
  close(): Promise<void>;
}

/** Of a session without servers. */
export const noMcpServers: McpServers = {
  tools: [],
  find: () => undefined,
  start: () => undefined,
  connecting: [],
  whenSettled: () => Promise.resolve(),
  reconnect: () => undefined,
  close: () => Promise.resolve(),
};
