import { expect, test } from 'vitest';
import { chooseServers, mcpChoices, mcpServerEntry } from './choose.ts';
import { type McpServerDefinition, readMcpFile } from './definitions.ts';
import { expandServer } from './expand.ts';

const FILE = '/shop/.mcp.json';
const read = (value: unknown) => readMcpFile({ file: FILE, text: JSON.stringify(value, undefined, 2) });
const variable = (words: string): string => `$${'{'}${words}}`;

function server(name: string, over: Partial<McpServerDefinition> = {}): McpServerDefinition {
  const transport = { kind: 'stdio', command: name, args: [], env: {}, cwd: undefined } as const;
  return { name, scope: 'project', file: FILE, line: 1, transport, callTimeoutMs: undefined, ...over };
}

test('programs and addresses are read with their lines, numbers as the texts they stand for', () => {
  const { servers, findings } = read({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'files', 8080], env: { PORT: 80, CI: true }, cwd: 'tools' },
      far: { type: 'http', url: 'https://x.test/mcp', headers: { A: 'b' }, timeout: 5000 },
    },
  });
  expect(findings).toEqual([]);
  expect(servers).toEqual([
    server('files', {
      line: 3,
      transport: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'files', '8080'],
        env: { PORT: '80', CI: 'true' },
        cwd: 'tools',
      },
    }),
    server('far', {
      line: 16,
      transport: { kind: 'http', url: 'https://x.test/mcp', headers: { A: 'b' } },
      callTimeoutMs: 5_000,
    }),
  ]);
});

test.each([
  [{ mcpServers: [] }, 2, 'mcpServers has to be an object of servers'],
  [{ servers: {} }, 1, 'no object "mcpServers"'],
  [{ mcpServers: { a: { args: [] } } }, 3, 'mcpServers.a is no server: command: '],
  [{ mcpServers: { a: { command: '' } } }, 3, 'command: it is empty'],
  [{ mcpServers: { a: { command: 'x', args: 'y' } } }, 3, 'args: a list of texts is expected'],
  [{ mcpServers: { a: { command: 'x', env: { B: {} } } } }, 3, 'env.B: a text is expected'],
  [{ mcpServers: { a: { type: 'sse', url: 'x' } } }, 3, 'type sse is not supported, only stdio and http are'],
  [{ mcpServers: { a: { url: 'https://x' } } }, 3, 'a server with a url needs "type": "http"'],
  [{ mcpServers: { a: 'npx' } }, 3, 'an object is expected'],
  [{ mcpServers: { '': { command: 'x' } } }, 3, 'its name is empty or too long'],
])('%j is skipped with its line', (value, line, message) => {
  const { servers, findings } = read(value);
  expect(servers).toEqual([]);
  expect(findings).toMatchObject([{ file: FILE, line, message: expect.stringContaining(message) }]);
});

test('a broken entry hides no other, and a file that is not well-formed starts nothing', () => {
  const text = '{ "mcpServers": {\n "good": { "command": "x" }, // fine\n "bad": 3,\n "good2": { "command": "y" } } }';
  const { servers, findings } = readMcpFile({ file: FILE, text });
  expect(servers.map(({ name, line }) => [name, line])).toEqual([
    ['good', 2],
    ['good2', 4],
  ]);
  expect(findings.map(({ line }) => line)).toEqual([3]);
  const broken = readMcpFile({ file: FILE, text: text.slice(0, -2) });
  expect(broken).toMatchObject({ servers: [], findings: [{ kind: 'settings-broken' }] });
  expect(readMcpFile({ file: FILE, text: '' })).toEqual({ servers: [], findings: [] });
});

test('of two of the same name in a file the last counts, and that is said', () => {
  const text = '{ "mcpServers": {\n"a": { "command": "x" },\n"a": { "command": "y" } } }';
  const { servers, findings } = readMcpFile({ file: FILE, text });
  expect(servers).toMatchObject([{ transport: { command: 'y' } }]);
  expect(findings).toMatchObject([{ line: 3, kind: 'settings-twice' }]);
});

test('variables stand wherever a text does, with what to take when one is not set', () => {
  const from = server('a', {
    transport: {
      kind: 'stdio',
      command: `${variable('HOME')}/bin/a`,
      args: [variable('PORT:-80'), variable('EMPTY:-full'), variable('NOTHING:-'), '$HOME', variable('9')],
      env: { KEY: `x-${variable('HOME')}` },
      cwd: variable('HOME'),
    },
  });
  expect(expandServer(from, { HOME: '/h', EMPTY: '' })).toMatchObject({
    ok: true,
    value: {
      transport: {
        command: '/h/bin/a',
        args: ['80', 'full', '', '$HOME', variable('9')],
        env: { KEY: 'x-/h' },
        cwd: '/h',
      },
    },
  });
  const far = server('b', {
    transport: { kind: 'http', url: variable('A'), headers: { K: `${variable('B')}${variable('A')}` } },
  });
  expect(expandServer(far, {})).toEqual({
    ok: false,
    error: `A, B are not set (${FILE}:1). Set A, B, or write ${variable('NAME:-default')}.`,
  });
  expect(expandServer(far, { A: 'x', B: '' })).toMatchObject({
    ok: true,
    value: { transport: { url: 'x', headers: { K: 'x' } } },
  });
  expect(
    expandServer(server('c', { transport: { kind: 'http', url: variable('constructor'), headers: {} } }), {}).ok,
  ).toBe(false);
});

function chosen(from: {
  readonly own?: readonly McpServerDefinition[];
  readonly project?: readonly McpServerDefinition[];
  readonly json?: readonly unknown[];
  readonly confirmed?: readonly string[];
}) {
  const { own = [], project = [], json = [], confirmed } = from;
  const { servers, untrusted, findings } = chooseServers({
    own,
    project,
    choices: mcpChoices(json.map((each) => ({ json: each }))),
    isConfirmed: ({ text }) => confirmed?.some((name) => text.startsWith(`${name}:`)) ?? true,
  });
  const names = (all: readonly McpServerDefinition[]) => all.map(({ name }) => name);
  return { starts: names(servers), waits: names(untrusted), said: findings.map(({ message }) => message) };
}

test('what comes with a folder waits until a person has confirmed it; one’s own starts', () => {
  const own = [server('mine', { scope: 'user' })];
  expect(chosen({ own, project: [server('a'), server('b')], confirmed: ['b'] })).toEqual({
    starts: ['mine', 'b'],
    waits: ['a'],
    said: [],
  });
});

test('no folder puts a program behind the name of one’s own', () => {
  const own = [server('github', { scope: 'user', file: '/home/settings.json', line: 4 })];
  expect(chosen({ own, project: [server('github')] })).toMatchObject({
    starts: ['github'],
    said: [expect.stringContaining('/home/settings.json:4 has a server of the same name')],
  });
});

test.each([
  ['all start without a word', [{}], ['a', 'b', 'c']],
  [
    'a disabled one does not, whoever says so',
    [{ disabledMcpjsonServers: ['a'] }, { disabledMcpjsonServers: ['b'] }],
    ['c'],
  ],
  [
    'a list of enabled ones makes the rest wait',
    [{ enabledMcpjsonServers: ['a'] }, { enabledMcpjsonServers: ['b'] }],
    ['a', 'b'],
  ],
  ['unless all are', [{ enabledMcpjsonServers: ['a'] }, { enableAllProjectMcpServers: true }], ['a', 'b', 'c']],
  ['disabled wins', [{ enableAllProjectMcpServers: true, disabledMcpjsonServers: ['c'] }], ['a', 'b']],
  ['false without a list starts none', [{ enableAllProjectMcpServers: false }], []],
  [
    'nonsense is no word',
    [{ enabledMcpjsonServers: 'a', disabledMcpjsonServers: [3], enableAllProjectMcpServers: 1 }, 7],
    ['a', 'b', 'c'],
  ],
] as const)('of a confirmed folder %s', (_, json, starts) => {
  expect(chosen({ project: [server('a'), server('b'), server('c')], json }).starts).toEqual(starts);
});

test('what is confirmed is all a server does; secrets are in no short text', () => {
  const { transport } = server('a');
  if (transport.kind !== 'stdio') throw new Error('a program was expected');
  const secret = server('a', { transport: { ...transport, env: { KEY: 's3cret' } } });
  const entry = mcpServerEntry(secret);
  expect(entry).toMatchObject({ kind: 'MCP server', text: 'a: a', full: 'a: a (KEY=s3cret)' });
  expect(entry.key).not.toBe(mcpServerEntry(server('a')).key);
  expect(mcpServerEntry({ ...secret, line: 9, file: '/elsewhere' }).key).toBe(entry.key);
});
