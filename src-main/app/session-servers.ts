import { millis } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { McpServers } from '../ports/mcp-servers.ts';
import type { SessionLog } from './session-log.ts';

/** A turn's first request waits so long for servers that are being connected to. */
const MOST_WAIT = millis(5_000);

/**
 * The MCP servers of a session: connected to in the background when it begins or goes on, looked at anew with every
 * turn. A turn waits for them a little, once for each connection, so that a model does not start without its tools.
 */
export class SessionServers {
  readonly #log: SessionLog;
  readonly #clock: Clock;
  readonly #servers: McpServers;
  /** Servers a turn has waited for in vain. */
  readonly #waitedFor = new Set<string>();

  constructor(deps: { readonly log: SessionLog; readonly clock: Clock; readonly servers: McpServers }) {
    this.#log = deps.log;
    this.#clock = deps.clock;
    this.#servers = deps.servers;
  }

  look(): void {
    this.#servers.start((news) => this.#log.append(news));
  }

  /** Settles when the turn may ask its model: at once, when the servers are there, after five seconds, or with the signal. */
  async ready(signal: AbortSignal): Promise<void> {
    const { connecting } = this.#servers;
    const waiting = connecting.filter((name) => !this.#waitedFor.has(name));
    if (waiting.length === 0 || signal.aborted) return;
    const over = new AbortController();
    const stop = (): void => over.abort();
    const timer = this.#clock.schedule(MOST_WAIT, stop);
    signal.addEventListener('abort', stop, { once: true });
    await this.#servers.whenSettled(over.signal);
    timer.dispose();
    signal.removeEventListener('abort', stop);
    const missing = this.#servers.connecting.filter((name) => waiting.includes(name));
    for (const name of waiting) this.#waitedFor.delete(name);
    if (signal.aborted || missing.length === 0) return;
    for (const name of missing) this.#waitedFor.add(name);
    this.#log.append({
      type: 'notice-given',
      level: 'info',
      text: `The turn goes on without the MCP ${missing.length === 1 ? 'server' : 'servers'} ${missing.join(', ')}, still being connected to. Tools join as they come.`,
    });
  }

  /** @throws FailureError when there is no such server. */
  reconnect(server: string): void {
    this.#waitedFor.delete(server);
    this.#servers.reconnect(server);
  }

  close(): Promise<void> {
    return this.#servers.close();
  }
}
