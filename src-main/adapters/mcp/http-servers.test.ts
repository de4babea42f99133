import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Runs } from '../process/runs.fixture.ts';
import { until } from '../process/until.fixture.ts';
import { EVERYTHING, McpBench } from './mcp-bench.fixture.ts';

/** Servers at an address: the official one in a program of its own, and one of a few lines that is held in the hand. */

let runs: Runs;
let on: McpBench;
const programs = new Set<ChildProcess>();
const servers = new Set<Server>();
beforeAll(async () => {
  runs = await Runs.open();
});
afterAll(() => runs.close());
beforeEach(() => {
  on = new McpBench(runs);
});
afterEach(async () => {
  await on.close();
  for (const program of programs) program.kill('SIGKILL');
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  programs.clear();
  servers.clear();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function everythingAt(port: number): Promise<ChildProcess> {
  const program = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  programs.add(program);
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  await until('the server to listen', () => /listening on port/i.test(said));
  return program;
}

const at = (port: number, headers = {}) => ({ kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers }) as const;

test('the official server at an address: tools, progress, a loss in the middle of a call, and its return', async () => {
  const port = await freePort();
  const program = await everythingAt(port);
  await on.connect({ everything: at(port) });
  expect(on.statuses('everything')).toEqual(['connecting', 'connected']);
  expect((await on.run('mcp__everything__echo', { message: 'over the wire' })).text).toBe('Echo: over the wire');
  await on.run('mcp__everything__trigger-long-running-operation', { duration: 0.2, steps: 2 });
  expect(on.work.progress.at(-1)?.tail).toContain('1 of 2');

  const lost = on.run('mcp__everything__trigger-long-running-operation', { duration: 600, steps: 6_000 });
  await until('it to be under way', () => on.work.progress.length > 3);
  program.kill('SIGKILL');
  await expect(lost).rejects.toThrow('The MCP server everything was lost while this call ran.');
  await on.untilStatus('everything', 'connecting', 2);
  await everythingAt(port);
  on.advance(1_000);
  await on.settled();
  expect((await on.run('mcp__everything__echo', { message: 'again' })).text).toBe('Echo: again');
});

/** Answers like a server in plain JSON, and remembers with which headers it was asked. */
async function smallServer(answer: (method: string) => { readonly status?: number; readonly result?: unknown }) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      seen.push(request.headers);
      const message = body === '' ? {} : (JSON.parse(body) as { readonly id?: number; readonly method?: string });
      const { status = 200, result } = message.method === undefined ? { status: 405 } : answer(message.method);
      if (status !== 200 || message.id === undefined) {
        response.writeHead(status === 200 ? 202 : status).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  }).listen(0, '127.0.0.1');
  servers.add(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return { seen, port: (server.address() as AddressInfo).port };
}

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};
const hello = { name: 'hello', inputSchema: { type: 'object' } };

test('every request carries the headers of the definition', async () => {
  const { seen, port } = await smallServer((method) => ({
    result: method === 'initialize' ? greeting : method === 'tools/list' ? { tools: [hello] } : { content: [] },
  }));
  await on.connect({ small: at(port, { Authorization: 'Bearer secret' }) });
  expect(on.changes('small').at(-1)).toMatchObject({ status: 'connected', tools: 1 });
  await on.run('mcp__small__hello');
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']));
  expect(JSON.stringify(on.news)).not.toContain('secret');
});

test('one that wants to know who asks says so', async () => {
  const { port } = await smallServer(() => ({ status: 401 }));
  await on.connect({ closed: at(port) });
  expect(on.changes('closed').at(-1)).toMatchObject({
    status: 'failed',
    message: 'The address answered with status 401. It wants to know who asks: put what it needs into "headers".',
  });
});

test('one that refuses a call refuses that call only', async () => {
  let refuses = true;
  const { port } = await smallServer((method) => {
    if (method === 'initialize') return { result: greeting };
    if (method === 'tools/list') return { result: { tools: [hello] } };
    if (method === 'ping') return { result: {} };
    if (method !== 'tools/call') return {};
    return refuses ? { status: 500 } : { result: { content: [{ type: 'text', text: 'now' }] } };
  });
  await on.connect({ small: at(port) });
  await expect(on.run('mcp__small__hello')).rejects.toThrow(/500/);
  refuses = false;
  expect((await on.run('mcp__small__hello')).text).toBe('now');
  expect(on.statuses('small')).toEqual(['connecting', 'connected']);
});
