import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CallAnswer, ResourceAnswer } from '../../core/mcp/content.ts';
import type { McpServerDefinition } from '../../core/mcp/definitions.ts';
import { ToolHints } from '../../core/mcp/words.ts';
import { cutText } from '../../core/results/texts.ts';
import type { PipeResult, PipeRunner } from '../../ports/pipe-runner.ts';
import { serverEnvironment } from './environment.ts';
import { PipeTransport } from './pipe-transport.ts';

/** A tool as its server lists it. */
const ListedTool = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({}),
  annotations: ToolHints.optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
  _meta: z.looseObject({}).optional(),
});
export type ListedTool = z.output<typeof ListedTool>;

export type ListedResource = {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
};
const Resource = z.looseObject({
  uri: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
});
const Template = z.looseObject({
  uriTemplate: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
});
const page = z.string().optional();
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: page });
const ResourcePage = z.looseObject({ resources: z.array(Resource), nextCursor: page });
const TemplatePage = z.looseObject({ resourceTemplates: z.array(Template), nextCursor: page });

/** A list that goes on for more pages than this has no end. */
const MOST_PAGES = 100;
const MOST_CHARACTERS = 1_000;
/** Time is kept here, not in the SDK; its own timer needs a value that is never reached. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };

export type OpenOptions = {
  /** With variables put in. */
  readonly definition: McpServerDefinition;
  readonly pipes: PipeRunner;
  readonly marker: string;
  readonly env: NodeJS.ProcessEnv;
  /** The session's folders, absolute; the first is where a program starts. */
  readonly roots: readonly string[];
  readonly version: string;
  readonly signal: AbortSignal;
  /** The connection is gone without having been closed from here. Says how, in a sentence. */
  readonly onLost: (why: string) => void;
  /** Something went wrong that the connection may or may not have survived. */
  readonly onTrouble: () => void;
  readonly onToolsChanged: () => void;
  /** The server asked for something that is not given, for the first time. */
  readonly onRefused: (method: string) => void;
};

/** A server that has greeted us. */
export class OpenServer {
  readonly #client: Client;
  readonly #close: () => Promise<void>;

  constructor(client: Client, close: () => Promise<void>) {
    this.#client = client;
    this.#close = close;
  }

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** Broken entries are left out, and so are tools that can only run as tasks. */
  async listTools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const listed = await this.#pages('tools/list', ToolPage, ({ tools }) => tools, signal);
    return listed.flatMap((raw) => {
      const tool = ListedTool.safeParse(raw);
      return tool.success && tool.data.execution?.taskSupport !== 'required' ? [tool.data] : [];
    });
  }

  /** Resources, then templates of addresses. */
  async listResources(signal: AbortSignal): Promise<readonly ListedResource[]> {
    const resources = await this.#pages('resources/list', ResourcePage, (each) => each.resources, signal);
    const templates = await this.#pages(
      'resources/templates/list',
      TemplatePage,
      (each) => each.resourceTemplates,
      signal,
    )
      // Many servers have none and do not know the question.
      .catch(() => []);
    return [...resources, ...templates.map(({ uriTemplate, ...rest }) => ({ ...rest, uri: uriTemplate }))];
  }

  readResource(uri: string, signal: AbortSignal): Promise<z.output<typeof ResourceAnswer>> {
    return this.#client.request({ method: 'resources/read', params: { uri } }, ResourceAnswer, {
      ...NO_TIMEOUT,
      signal,
    });
  }

  call(
    name: string,
    input: unknown,
    how: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  ): Promise<CallAnswer> {
    const params = { name, arguments: input as Record<string, unknown> };
    const { signal, onProgress } = how;
    return this.#client.request({ method: 'tools/call', params }, CallAnswer, {
      ...NO_TIMEOUT,
      signal,
      onprogress: onProgress,
    });
  }

  ping(signal: AbortSignal): Promise<unknown> {
    return this.#client.ping({ ...NO_TIMEOUT, signal });
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #pages<P extends { readonly nextCursor?: string | undefined }, T>(
    method: 'tools/list' | 'resources/list' | 'resources/templates/list',
    schema: z.ZodType<P>,
    itemsOf: (page: P) => readonly T[],
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < MOST_PAGES; count++) {
      const params = cursor === undefined ? {} : { params: { cursor } };
      const next: P = await this.#client.request({ method, ...params }, schema, { ...NO_TIMEOUT, signal });
      items.push(...itemsOf(next));
      if (next.nextCursor === undefined || next.nextCursor === '') break;
      cursor = next.nextCursor;
    }
    return items;
  }
}

/**
 * Reaches a server and greets it. Rejects with words for a person when it cannot be reached, or does not answer as an
 * MCP server; nothing of it is left then.
 */
export async function openServer(options: OpenOptions): Promise<OpenServer> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { ErrorCode, McpError, ListRootsRequestSchema, ToolListChangedNotificationSchema } = await import(
    '@modelcontextprotocol/sdk/types.js'
  );
  const client = new Client(
    { name: 'gantry', version: options.version },
    {
      capabilities: { roots: {} },
      // Answers are shown as they come; whether they fit the server's own schema is not for us to punish.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const roots = options.roots.map((path) => ({ uri: pathToFileURL(path).href, name: path }));
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots }));
  const refused = new Set<string>();
  client.fallbackRequestHandler = async ({ method }) => {
    if (!refused.has(method)) options.onRefused(method);
    refused.add(method);
    throw new McpError(ErrorCode.MethodNotFound, `Gantry does not offer ${method} to servers.`);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged());
  const link = await linkOf(options, client);
  try {
    await client.connect(link.transport, { ...NO_TIMEOUT, signal: options.signal });
  } catch (error) {
    const why = link.why() ?? messageOf(error);
    await link.close();
    throw new Unreachable(why, { cause: error });
  }
  link.opened();
  return new OpenServer(client, link.close);
}

type Link = {
  readonly transport: Transport;
  /** Why it is gone, where that is known. */
  readonly why: () => string | undefined;
  /** From now on a loss is told. */
  readonly opened: () => void;
  readonly close: () => Promise<void>;
};

const linkOf = (options: OpenOptions, client: Client): Promise<Link> => {
  const { transport } = options.definition;
  return transport.kind === 'stdio' ? pipeLink(options, transport, client) : httpLink(options, transport, client);
};

async function pipeLink(
  options: OpenOptions,
  { command, args, env, cwd }: Extract<McpServerDefinition['transport'], { kind: 'stdio' }>,
  client: Client,
): Promise<Link> {
  let why: string | undefined;
  let isOpen = false;
  const folder = options.roots[0] ?? '.';
  const spec = {
    file: command,
    args,
    cwd: cwd === undefined ? folder : resolve(folder, cwd),
    env: serverEnvironment(options.env, env),
    marker: options.marker,
  };
  const transport = new PipeTransport(options.pipes, spec, (result) => {
    why = endWords(result);
    if (isOpen) options.onLost(why);
  });
  return {
    transport,
    why: () => why,
    opened: () => {
      isOpen = true;
      if (why !== undefined) options.onLost(why);
    },
    close: async () => {
      isOpen = false;
      await client.close();
      // Closed already where the program ended by itself; what it left has to be gone all the same.
      await transport.close();
    },
  };
}

async function httpLink(
  options: OpenOptions,
  { url, headers }: Extract<McpServerDefinition['transport'], { kind: 'http' }>,
  client: Client,
): Promise<Link> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new Error(`${url} is no web address.`);
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  let isOpen = false;
  client.onclose = () => {
    if (isOpen) options.onLost('The connection was closed.');
  };
  return {
    transport: transport as Transport,
    why: () => undefined,
    opened: () => {
      isOpen = true;
      client.onerror = () => options.onTrouble();
    },
    close: async () => {
      const wasOpen = isOpen;
      isOpen = false;
      // A server that hangs must not hold up the end of a session.
      if (wasOpen) await Promise.race([transport.terminateSession().catch(() => undefined), afterASecond()]);
      await client.close();
    },
  };
}

const afterASecond = (): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, 1_000).unref();
  });

/** How a server's program ended, and the last it said. */
function endWords(result: PipeResult | 'flooded'): string {
  if (result === 'flooded') return 'It wrote a line of more than 64 MB, which is no message, and was ended.';
  const last = result.stderr.trim().split('\n').slice(-3).join(' ').slice(-400);
  const said = last === '' ? '' : ` It said last: “${last}”`;
  switch (result.end.kind) {
    case 'exited':
      return `It ended with exit code ${result.end.code}.${said}`;
    case 'signalled':
      return `It was ended by ${result.end.signal}.${said}`;
    case 'spawn-failed':
      return result.end.message;
    case 'host-lost':
      return 'It ended with the process host.';
    case 'closed':
      return 'It was closed.';
  }
}

/** A server could not be reached. The message is for a person. */
class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** What went wrong, in words for a person: without the SDK's own numbers, and with what lies behind a fetch that failed. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unreachable) return error.message;
  const { code } = error as { readonly code?: unknown };
  const isHttp = /^Streamable HTTP error/.test(error.message);
  if (isHttp && typeof code === 'number' && code > 0) return statusWords(code, error.message);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return cutText(`${error.message.replace(/^(?:MCP error -?\d+: )+/, '')}${cause}`, MOST_CHARACTERS, '…');
}

function statusWords(status: number, message: string): string {
  const said = message.replace(/^Streamable HTTP error: (?:Error POSTing to endpoint:)?/, '').trim();
  const hint = status === 401 || status === 403 ? ' It wants to know who asks: put what it needs into "headers".' : '';
  return `The address answered with status ${status}.${hint}${said === '' ? '' : ` It said: ${cutText(said, 400, '…')}`}`;
}
