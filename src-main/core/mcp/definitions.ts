import type { Node } from 'jsonc-parser';
import { z } from 'zod';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { type Property, parseJsonc, propertiesOf, toValue } from '../settings/jsonc.ts';
import { problemOf, Report, Text } from '../settings/report.ts';
import { shownText } from '../settings/words.ts';

/** `project`: it comes with the session's folder, so that whoever made the folder may have written it. */
export type McpScope = 'user' | 'project';

/** How a server is reached. Texts as they are written: variables are put in when it starts. */
export type McpTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Relative to the session's folder, which it is when left out. */
      readonly cwd: string | undefined;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type McpServerDefinition = {
  readonly name: string;
  readonly scope: McpScope;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly transport: McpTransport;
  /** How long one of its calls may be silent, in ms, where the definition says so. */
  readonly callTimeoutMs: number | undefined;
};

export type McpFile = { readonly servers: readonly McpServerDefinition[]; readonly findings: readonly Finding[] };
export const NO_MCP_FILE: McpFile = { servers: [], findings: [] };

const NoNul = z.string().refine((text) => !text.includes('\0'), 'it holds a NUL character');
/** Numbers and truth values are what people write for `PORT` and `CI`. */
const Value = z.union([z.string(), z.number(), z.boolean()], 'a text is expected').transform(String).pipe(NoNul);
const Values = z.record(z.string(), Value, 'an object of texts is expected');
const Timeout = z.number('a number of milliseconds is expected').positive();

const Stdio = z.object({
  type: z.literal('stdio').optional(),
  command: Text.pipe(NoNul),
  args: z.array(Value, 'a list of texts is expected').optional(),
  env: Values.optional(),
  cwd: Text.pipe(NoNul).optional(),
  timeout: Timeout.optional(),
});
const Http = z.object({
  type: z.enum(['http', 'streamable-http']),
  url: Text,
  headers: Values.optional(),
  timeout: Timeout.optional(),
});

/** A `.mcp.json`: `{ "mcpServers": { "name": { … } } }`. A broken entry is skipped and reported. Never throws. */
export function readMcpFile(source: { readonly file: string; readonly text: string }): McpFile {
  const { file, text } = source;
  const { root, problems, lineAt } = parseJsonc(text);
  const report = new Report(file);
  const nothing = { servers: [], findings: report.findings };
  const [problem] = problems;
  if (problem !== undefined) {
    report.add('settings-broken', problem.line, `The file is broken: ${problem.what}. None of its servers is started.`);
    return nothing;
  }
  if (root === undefined) return nothing;
  const list = root.type === 'object' ? propertiesOf(root).findLast(({ key }) => key === 'mcpServers') : undefined;
  if (list === undefined) {
    report.add('settings-entry', lineAt(root.offset), 'The file has no object "mcpServers". It starts no server.');
    return nothing;
  }
  const place = { scope: 'project', file, where: 'mcpServers' } as const;
  return { ...nothing, servers: readServers(list, place, report, ({ offset }) => lineAt(offset)) };
}

export function unreadableMcpFile(file: string, why: string): McpFile {
  const report = new Report(file);
  report.add('settings-unreadable', 0, `The file cannot be read: ${why}. None of its servers is started.`);
  return { servers: [], findings: report.findings };
}

/** The servers of a property that holds them by name. `where` is its path in the file, for findings. */
export function readServers(
  { node, value }: Property,
  place: { readonly scope: McpScope; readonly file: string; readonly where: string },
  report: Report,
  lineOf: (node: Node) => number,
): readonly McpServerDefinition[] {
  const { scope, file, where } = place;
  if (value?.type !== 'object') {
    report.add('settings-entry', lineOf(node), `${where} has to be an object of servers. It is skipped.`);
    return [];
  }
  const byName = new Map<string, McpServerDefinition>();
  for (const { key: name, node: entry, value: body } of propertiesOf(value)) {
    const line = lineOf(entry);
    const read = readServer(name, body === undefined ? undefined : toValue(body));
    if (typeof read === 'string') {
      report.add('mcp-server', line, `${where}.${shownText(name)} is no server: ${read}. It is skipped.`);
    } else {
      if (byName.has(name)) {
        report.add('settings-twice', line, `${where}.${shownText(name)} stands here a second time. The last counts.`);
      }
      byName.set(name, { name, scope, file, line, ...read });
    }
  }
  return [...byName.values()];
}

type Read = Pick<McpServerDefinition, 'transport' | 'callTimeoutMs'>;

/** A text says what is wrong, as the end of a sentence. */
function readServer(name: string, body: unknown): Read | string {
  if (name.trim() === '' || name.length > 100 || name.includes('\0')) return 'its name is empty or too long';
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'an object is expected';
  const { type } = body as { readonly type?: unknown };
  if (type === 'http' || type === 'streamable-http') {
    const http = Http.safeParse(body);
    if (!http.success) return issueOf(http.error);
    const { url, headers = {}, timeout } = http.data;
    return { transport: { kind: 'http', url, headers }, callTimeoutMs: timeout };
  }
  if (type !== undefined && type !== 'stdio') {
    return `type ${shownText(String(type))} is not supported, only stdio and http are`;
  }
  if (type === undefined && 'url' in body && !('command' in body)) return 'a server with a url needs "type": "http"';
  const stdio = Stdio.safeParse(body);
  if (!stdio.success) return issueOf(stdio.error);
  const { command, args = [], env = {}, cwd, timeout } = stdio.data;
  return { transport: { kind: 'stdio', command, args, env, cwd }, callTimeoutMs: timeout };
}

function issueOf(error: z.ZodError): string {
  const path = error.issues[0]?.path.map(String).join('.') ?? '';
  return path === '' ? problemOf(error) : `${shownText(path)}: ${problemOf(error)}`;
}

/** The command or the address, for lists. */
export const shownServer = ({ name, transport }: McpServerDefinition): string =>
  `${name}: ${transport.kind === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.url}`;
