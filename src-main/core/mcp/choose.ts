import type { Finding } from '../../../src-shared/session/summary.ts';
import { grantKey } from '../settings/grants.ts';
import type { FolderEntry } from '../settings/settings.ts';
import { shownText } from '../settings/words.ts';
import { type McpServerDefinition, shownServer } from './definitions.ts';

/** When the schemas of servers' tools are held back until the model asks for them (spec 2.2). */
export const DEFER_CHOICES = ['auto', 'always', 'never'] as const;
export type Defer = (typeof DEFER_CHOICES)[number];

/** The servers of one folder. */
export type McpSettings = {
  /** Those that may start. */
  readonly servers: readonly McpServerDefinition[];
  /** Those that come with the folder and wait for it to be trusted. */
  readonly untrusted: readonly McpServerDefinition[];
  readonly defer: Defer;
};
export const NO_MCP: McpSettings = { servers: [], untrusted: [], defer: 'auto' };

/** What settings in the format of Claude Code say of the servers of `.mcp.json`. */
export type McpChoices = {
  readonly enableAll: boolean | undefined;
  /** Undefined where no file has such a list. */
  readonly enabled: ReadonlySet<string> | undefined;
  readonly disabled: ReadonlySet<string>;
};

/** The keys of all files. They only ever leave servers out, so any file may have them. */
export function mcpChoices(files: readonly { readonly json: unknown }[]): McpChoices {
  const lists = files.flatMap(({ json }) => listIn(json, 'enabledMcpjsonServers'));
  const flags = files.flatMap(({ json }) => {
    const flag = valueIn(json, 'enableAllProjectMcpServers');
    return typeof flag === 'boolean' ? [flag] : [];
  });
  return {
    enableAll: flags.at(-1),
    enabled: lists.length === 0 ? undefined : new Set(lists.flat()),
    disabled: new Set(files.flatMap(({ json }) => listIn(json, 'disabledMcpjsonServers')).flat()),
  };
}

type Chosen = Pick<McpSettings, 'servers' | 'untrusted'> & { readonly findings: readonly Finding[] };

/**
 * Which servers start. A person's own always do. Those that come with a folder are programs of whoever made it: they
 * start only where a person has confirmed them, none that is disabled does, and a list of enabled ones makes the rest
 * wait. Of equal names the person's own counts, so that no folder can put a program behind a name that rules trust.
 */
export function chooseServers(from: {
  /** Of Gantry's settings of the user. */
  readonly own: readonly McpServerDefinition[];
  /** Of the folder: Gantry's settings there, then `.mcp.json`. */
  readonly project: readonly McpServerDefinition[];
  readonly choices: McpChoices;
  /** Whether the person has confirmed this entry of the folder. Asked once for each server that is wanted. */
  readonly isConfirmed: (entry: FolderEntry) => boolean;
}): Chosen {
  const { own, project, choices, isConfirmed } = from;
  const findings: Finding[] = [];
  const taken = new Map(own.map((server) => [server.name, server]));
  const wanted = project.filter((server) => {
    if (choices.disabled.has(server.name)) return false;
    const other = taken.get(server.name);
    if (other !== undefined) {
      findings.push(left(server, `${other.file}:${other.line} has a server of the same name, which counts`));
      return false;
    }
    if (choices.enableAll !== true && !isEnabled(server, choices)) {
      findings.push(left(server, 'enabledMcpjsonServers does not name it'));
      return false;
    }
    taken.set(server.name, server);
    return true;
  });
  const confirmed = new Set(wanted.filter((server) => isConfirmed(mcpServerEntry(server))));
  return {
    servers: [...own, ...confirmed],
    untrusted: wanted.filter((server) => !confirmed.has(server)),
    findings,
  };
}

/** What a person confirms of a server: everything but the place where it stands. */
export function mcpServerEntry(server: McpServerDefinition): FolderEntry {
  const { name, transport, callTimeoutMs, file, line } = server;
  const more =
    transport.kind === 'stdio'
      ? [...pairs(transport.env, '='), ...(transport.cwd === undefined ? [] : [`in ${transport.cwd}`])]
      : pairs(transport.headers, ': ');
  const text = shownServer(server);
  return {
    kind: 'MCP server',
    // Values may be secrets.
    text,
    full: more.length === 0 ? text : `${text} (${more.join(', ')})`,
    file,
    line,
    key: grantKey('MCP server', [name, transport, callTimeoutMs]),
  };
}

const pairs = (values: Readonly<Record<string, string>>, between: string): readonly string[] =>
  Object.entries(values).map(([name, value]) => `${name}${between}${value}`);

const isEnabled = ({ name }: McpServerDefinition, { enableAll, enabled }: McpChoices): boolean =>
  enabled?.has(name) ?? enableAll !== false;

const left = ({ name, file, line }: McpServerDefinition, why: string): Finding => ({
  file,
  line,
  kind: 'mcp-server',
  message: `The server ${shownText(name)} is not started: ${why}.`,
});

function valueIn(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, key)
    ? (json as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function listIn(json: unknown, key: string): readonly (readonly string[])[] {
  const list = valueIn(json, key);
  return Array.isArray(list) ? [list.filter((name) => typeof name === 'string')] : [];
}
