import { z } from 'zod';
import { resourceBlock } from '../../core/mcp/content.ts';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import type { ListedResource } from './open-server.ts';
import type { ServerConnection } from './server-connection.ts';

/** More resources than this are counted, not listed. */
const MOST_LISTED = 500;

type Servers = () => readonly ServerConnection[];

/** Lists and reads what servers offer to be read. There only while a server that offers something is connected. */
export const resourceTools = (servers: Servers, isDeferred: boolean): readonly AnyTool[] => [
  listTool(servers, isDeferred),
  readTool(servers, isDeferred),
];

const listTool = (servers: Servers, isDeferred: boolean): AnyTool =>
  defineTool({
    name: 'ListMcpResources',
    aliases: ['ListMcpResourcesTool'],
    description:
      'Lists the resources of the connected MCP servers, or of one of them: address, name, type, description.',
    inputSchema: z.strictObject({ server: z.string().optional().describe('the name of one server') }),
    isDeferred,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    checkPermissions: async () => ({ verdict: 'allow', because: 'It only asks servers what they offer' }),
    async call({ server }, _context, { signal }) {
      const asked = server === undefined ? withResources(servers()) : [serverOf(servers(), server)];
      const lists = await Promise.all(asked.map(async (each) => ({ each, resources: await listOf(each, signal) })));
      return { output: lists.map(({ each, resources }) => listText(each.definition.name, resources)), isError: false };
    },
    mapResult: (texts: readonly string[]) => ({
      content: [{ type: 'text', text: texts.join('\n\n') }],
      isError: false,
    }),
    summarise: (input) => String((input as { readonly server?: unknown } | undefined)?.server ?? 'all servers'),
  });

const readTool = (servers: Servers, isDeferred: boolean): AnyTool =>
  defineTool({
    name: 'ReadMcpResource',
    aliases: ['ReadMcpResourceTool'],
    description: 'Reads one resource of an MCP server by its address.',
    inputSchema: z.strictObject({ server: z.string().describe('the name of the server'), uri: z.string() }),
    isDeferred,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    async call({ server, uri }, _context, { signal }) {
      const { contents } = await serverOf(servers(), server).readResource(uri, signal);
      return { output: contents, isError: false };
    },
    mapResult: (contents) => ({ content: contents.map(resourceBlock), isError: false }),
    summarise: (input) => String((input as { readonly uri?: unknown } | undefined)?.uri ?? ''),
    suggestRule: () => 'ReadMcpResource',
    describeQuestion: async ({ server, uri }) => ({
      title: `Read ${uri} of the MCP server ${server}?`,
      reason: 'The server decides what is behind this address.',
      risk: 'reads from a server',
      dangerous: false,
    }),
  });

const withResources = (servers: readonly ServerConnection[]): readonly ServerConnection[] =>
  servers.filter(({ hasResources }) => hasResources);

/** @throws an error for the model that names the servers there are. */
function serverOf(servers: readonly ServerConnection[], name: string): ServerConnection {
  const offering = withResources(servers);
  const found = offering.find(({ definition }) => definition.name === name);
  if (found !== undefined) return found;
  const names = offering.map(({ definition }) => definition.name).join(', ');
  throw new Error(
    `No connected MCP server ${name} has resources. Servers that have: ${names === '' ? 'none' : names}.`,
  );
}

/** One server that fails does not hide what the others have. */
async function listOf(server: ServerConnection, signal: AbortSignal): Promise<readonly ListedResource[] | string> {
  try {
    return await server.listResources(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

function listText(server: string, resources: readonly ListedResource[] | string): string {
  if (typeof resources === 'string') return `Server ${server}: ${resources}`;
  const lines = resources.slice(0, MOST_LISTED).map(({ uri, name, mimeType, description }) => {
    const facts = [name, mimeType, description].filter((fact) => fact !== undefined && fact !== '').join(' · ');
    return `- ${uri} (${facts.replace(/\s+/g, ' ')})`;
  });
  const left = resources.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [`Server ${server}: ${resources.length === 0 ? 'no resources' : ''}`.trim(), ...lines, ...more].join('\n');
}
