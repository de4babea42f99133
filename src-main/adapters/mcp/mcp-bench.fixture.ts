import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { millis } from '../../../src-shared/units.ts';
import type { Defer } from '../../core/mcp/choose.ts';
import type { McpServerDefinition, McpTransport } from '../../core/mcp/definitions.ts';
import { mcpLimits } from '../../core/mcp/limits.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { McpNews } from '../../ports/mcp-servers.ts';
import type { AnyTool, ToolRegistry } from '../../ports/tool.ts';
import { linuxProcessTable } from '../process/linux-process-table.ts';
import type { Runs } from '../process/runs.fixture.ts';
import { until } from '../process/until.fixture.ts';
import { joinedRegistry } from '../tools/joined-registry.ts';
import { type Ran, Workbench } from '../tools/workbench.fixture.ts';
import { McpConnections } from './mcp-connections.ts';

const resolveModule = createRequire(import.meta.url).resolve;
const packageFile = (name: string): string =>
  resolveModule(`@modelcontextprotocol/${name}/package.json`).replace('package.json', 'dist/index.js');

/** The official servers, from the packages that are installed. */
export const EVERYTHING = packageFile('server-everything');
export const FILESYSTEM = packageFile('server-filesystem');
/** Our own, which misbehaves as it is told. */
export const MISBEHAVING = fileURLToPath(new URL('../../../e2e/tools/mcp-server.mjs', import.meta.url));

export const program = (path: string, ...args: readonly string[]): McpTransport => ({
  kind: 'stdio',
  command: process.execPath,
  args: [path, ...args],
  env: {},
  cwd: undefined,
});

export type ServerOptions = Partial<Pick<McpServerDefinition, 'scope' | 'callTimeoutMs'>>;
type Change = Extract<McpNews, { type: 'mcp-server-changed' }>;

let benches = 0;

/** The servers of one session, really started, with a clock that is moved by hand. */
export class McpBench {
  readonly clock = new ManualClock();
  readonly work = new Workbench();
  readonly news: McpNews[] = [];
  readonly connections: McpConnections;
  readonly registry: ToolRegistry;
  readonly markerPrefix = `test.mcp.${process.pid}.${benches++}`;
  defer: Defer = 'auto';
  env: NodeJS.ProcessEnv = process.env;
  servers: readonly McpServerDefinition[] = [];
  #markers = 0;

  constructor(runs: Runs) {
    this.connections = new McpConnections({
      pipes: runs.host,
      clock: this.clock,
      newMarker: () => `${this.markerPrefix}.${this.#markers++}`,
      env: () => this.env,
      limits: () => mcpLimits(this.env),
      roots: () => [this.work.cwd],
      version: '0.0.0',
      settings: () => ({ servers: this.servers, untrusted: [], defer: this.defer }),
    });
    this.registry = joinedRegistry({ all: [], find: () => undefined }, this.connections);
  }

  /** Names servers, connects to them, and waits until each is connected or has failed. */
  async connect(servers: Readonly<Record<string, McpTransport>>, options: ServerOptions = {}): Promise<void> {
    this.begin(servers, options);
    await this.settled();
  }

  begin(servers: Readonly<Record<string, McpTransport>>, options: ServerOptions = {}): void {
    this.servers = Object.entries(servers).map(([name, transport], index) => {
      const place = { scope: 'user', file: '/settings.json', line: index + 1, callTimeoutMs: undefined } as const;
      return { ...place, name, transport, ...options };
    });
    this.connections.start((news) => this.news.push(news));
  }

  settled(): Promise<void> {
    return this.connections.whenSettled(AbortSignal.timeout(15_000));
  }

  /** What became of a server so far. */
  changes(server: string): readonly Change[] {
    return this.news.flatMap((news) => (news.type === 'mcp-server-changed' && news.server === server ? [news] : []));
  }

  statuses(server: string): readonly string[] {
    return this.changes(server).map(({ status }) => status);
  }

  notices(): readonly string[] {
    return this.news.flatMap((news) =>
      news.type === 'notice-given' ? [`${news.text} ${news.detail ?? ''}`.trim()] : [],
    );
  }

  untilStatus(server: string, status: string, times = 1): Promise<Change> {
    return until(
      `${server} to be ${status}`,
      () => this.changes(server).filter((each) => each.status === status)[times - 1],
    );
  }

  tool(name: string): AnyTool {
    const tool = this.registry.find(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool;
  }

  run(name: string, input: unknown = {}, signal?: AbortSignal): Promise<Ran> {
    return this.work.run(this.tool(name), input, signal);
  }

  advance(ms: number): void {
    this.clock.advance(millis(ms));
  }

  /** Programs of this session's servers that live. */
  async programs(): Promise<readonly number[]> {
    const members = await Promise.all(
      Array.from({ length: this.#markers }, (_, index) =>
        linuxProcessTable().members({ marker: `${this.markerPrefix}.${index}` }),
      ),
    );
    return members.flat().map(({ pid }) => pid);
  }

  async close(): Promise<void> {
    await this.connections.close();
    this.work.dispose();
  }
}
