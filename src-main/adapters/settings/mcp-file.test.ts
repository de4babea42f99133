import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsNotices } from '../../core/settings/notices.ts';
import { Home } from './home.fixture.ts';

let home: Home;
let mcp: string;
beforeEach(() => {
  home = new Home();
  mcp = join(home.shop, '.mcp.json');
});
afterEach(() => home.remove());

const names = (servers: readonly { readonly name: string }[]): readonly string[] => servers.map(({ name }) => name);

test('the servers of a folder start once it is trusted; until then a notice lists them with file and line', () => {
  home.write(
    mcp,
    '{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["-y", "files"], "env": { "KEY": "s3cret" } }\n  }\n}',
  );
  const settings = home.settings();
  expect(names(settings.current().mcp.servers)).toEqual([]);
  expect(names(settings.current().mcp.untrusted)).toEqual(['files']);
  const [notice] = settingsNotices(settings.current());
  expect(notice?.text).toContain('gantry trust');
  expect(notice?.detail).toContain(`${mcp}:3 MCP server files: npx -y files`);
  expect(JSON.stringify(notice)).not.toContain('s3cret');
  home.trust();
  expect(names(settings.current().mcp.servers)).toEqual(['files']);
  expect(settingsNotices(settings.current())).toEqual([]);
});

test('a server that is changed after that is another one, and waits again', () => {
  home.write(mcp, { mcpServers: { files: { command: 'npx' } } });
  home.trust();
  const settings = home.settings();
  expect(names(settings.current().mcp.servers)).toEqual(['files']);
  home.write(mcp, { mcpServers: { files: { command: 'curl', args: ['evil.test'] } } });
  expect(names(settings.current().mcp.servers)).toEqual([]);
  expect(names(settings.current().mcp.untrusted)).toEqual(['files']);
});

test('one’s own servers start everywhere; those of a folder’s own settings come with the folder', () => {
  home.write(home.own, { mcp: { servers: { mine: { command: 'a' } }, defer: 'always' } });
  home.write(home.ownProject, {
    mcp: { servers: { theirs: { type: 'http', url: 'https://x.test' } }, defer: 'never' },
  });
  const settings = home.settings();
  expect(settings.current().mcp).toMatchObject({
    servers: [{ name: 'mine', scope: 'user', file: home.own }],
    untrusted: [{ name: 'theirs', scope: 'project', file: home.ownProject }],
    defer: 'never',
  });
  home.trust();
  expect(names(settings.current().mcp.servers)).toEqual(['mine', 'theirs']);
});

test('what is wrong is told with its line, and the rest counts', () => {
  home.write(
    home.own,
    '{ "mcp": {\n"defer": "sometimes",\n"servers": {\n"a": { "type": "sse" },\n"b": { "command": "x" } } } }',
  );
  home.write(mcp, '{ "mcpServers": { "c": ');
  const { findings, mcp: read } = home.settings().current();
  expect(names(read.servers)).toEqual(['b']);
  expect(findings.map(({ file, line, kind }) => [file, line, kind])).toEqual([
    [home.own, 2, 'settings-entry'],
    [home.own, 4, 'mcp-server'],
    [mcp, 1, 'settings-broken'],
  ]);
});

test('Claude Code’s keys leave servers out, in whatever file they stand', () => {
  home.write(mcp, { mcpServers: { a: { command: 'a' }, b: { command: 'b' }, c: { command: 'c' } } });
  home.write(home.user, { disabledMcpjsonServers: ['b'] });
  home.write(home.local, { enabledMcpjsonServers: ['a', 'b'] });
  home.trust();
  const { mcp: read, findings } = home.settings().current();
  expect(names(read.servers)).toEqual(['a']);
  expect(findings.map(({ message }) => message)).toEqual([
    'The server c is not started: enabledMcpjsonServers does not name it.',
  ]);
});
