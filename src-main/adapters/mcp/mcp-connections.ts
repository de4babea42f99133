import { FailureError } from '../../../src-shared/failure.ts';
import type { McpSettings } from '../../core/mcp/choose.ts';
import { isHeldBack } from '../../core/mcp/deferral.ts';
import type { McpServerDefinition } from '../../core/mcp/definitions.ts';
import { mcpToolNames } from '../../core/mcp/names.ts';
import type { McpNews, McpServers } from '../../ports/mcp-servers.ts';
import type { AnyTool } from '../../ports/tool.ts';
import { mcpTool } from './mcp-tool.ts';
import { resourceTools } from './resource-tools.ts';
import { type ConnectionDeps, ServerConnection } from './server-connection.ts';

export type McpConnectionsDeps = Omit<ConnectionDeps, 'record' | 'onChanged'> & {
  /** As settings are now. */
  readonly settings: () => McpSettings;
};

/** All servers of one session. */
export class McpConnections implements McpServers {
  readonly #deps: McpConnectionsDeps;
  #connections: readonly ServerConnection[] = [];
  #record: ((news: McpNews) => void) | undefined;
  #tools: readonly AnyTool[] = [];
  /** Also tools of servers that are not connected. */
  #byName: ReadonlyMap<string, AnyTool> = new Map();
  #closed = false;
  /** Settles when no program of a server is left that settings have dropped. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor(deps: McpConnectionsDeps) {
    this.#deps = deps;
  }

  get tools(): readonly AnyTool[] {
    return this.#tools;
  }

  find(name: string): AnyTool | undefined {
    return this.#byName.get(name);
  }

  get connecting(): readonly string[] {
    return this.#connections.filter(({ status }) => status === 'connecting').map(({ definition }) => definition.name);
  }

  start(record: (news: McpNews) => void): void {
    if (this.#closed) return;
    this.#record = record;
    const wanted = this.#deps.settings().servers;
    const kept = this.#connections.filter(({ definition }) => wanted.some((each) => isSame(each, definition)));
    const left = this.#connections.filter((each) => !kept.includes(each));
    const fresh = wanted.filter((each) => !kept.some(({ definition }) => isSame(each, definition)));
    if (left.length + fresh.length === 0) return;
    this.#leaving = Promise.all([this.#leaving, ...left.map((connection) => connection.close())]);
    const added = fresh.map((definition) => this.#newConnection(definition));
    this.#connections = wanted.flatMap(
      (each) => [...kept, ...added].find(({ definition }) => isSame(each, definition)) ?? [],
    );
    for (const connection of added) connection.start();
    this.#renew();
  }

  #newConnection(definition: McpServerDefinition): ServerConnection {
    return new ServerConnection(definition, {
      ...this.#deps,
      record: (news) => this.#record?.(news),
      onChanged: () => this.#renew(),
    });
  }

  async whenSettled(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.whenSettled(signal)));
  }

  reconnect(server: string): void {
    const connection = this.#connections.find(({ definition }) => definition.name === server);
    if (connection === undefined || this.#closed) {
      throw new FailureError({
        kind: 'not-found',
        message: `This session has no MCP server ${server} now.`,
        hint: 'Send a message: servers start with a turn.',
      });
    }
    connection.start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#leaving, ...this.#connections.map((connection) => connection.close())]);
  }

  /** The tools of all servers under their names. Those of a server that is lost for now stay: it may come back. */
  #renew(): void {
    const { settings, limits } = this.#deps;
    const { defer } = settings();
    const { resultCharacters } = limits();
    const listed = this.#connections.flatMap((connection) => connection.tools.map((tool) => ({ connection, tool })));
    const isDeferred = isHeldBack(
      defer,
      listed.map(({ tool }) => ({
        name: tool.name,
        description: tool.description ?? '',
        jsonSchema: tool.inputSchema,
      })),
    );
    const byName = new Map<string, AnyTool>();
    const tools: AnyTool[] = [];
    for (const connection of this.#connections) {
      const names = mcpToolNames(
        connection.definition.name,
        connection.tools.map(({ name }) => name),
        new Set(byName.keys()),
      );
      for (const [index, tool] of connection.tools.entries()) {
        const name = names[index];
        if (name === undefined) continue;
        const made = mcpTool({ name, listed: tool, connection, isDeferred, resultCharacters });
        byName.set(name, made);
        if (connection.status === 'connected' || connection.status === 'connecting') tools.push(made);
      }
    }
    if (this.#connections.some(({ hasResources }) => hasResources)) {
      for (const tool of resourceTools(() => this.#connections, defer !== 'never')) {
        tools.push(tool);
        for (const name of [tool.name, ...tool.aliases]) byName.set(name, tool);
      }
    }
    this.#tools = tools;
    this.#byName = byName;
  }
}

const isSame = (a: McpServerDefinition, b: McpServerDefinition): boolean =>
  JSON.stringify({ ...a, line: 0 }) === JSON.stringify({ ...b, line: 0 });
