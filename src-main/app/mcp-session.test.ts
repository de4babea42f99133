import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AskId, CallId } from '../../src-shared/ids.ts';
import { callById } from '../../src-shared/session/state.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { decides, HookBench, says as hookSays } from '../adapters/hooks/testing/hook-bench.ts';
import { McpBench, MISBEHAVING, program } from '../adapters/mcp/mcp-bench.fixture.ts';
import { Runs } from '../adapters/process/runs.fixture.ts';
import { until } from '../adapters/process/until.fixture.ts';
import type { ModelItem } from '../ports/model-provider.ts';
import { noSettings } from '../ports/settings.ts';
import { quiet } from './testing/bench.ts';
import { begins, ends, says } from './testing/hand-model.ts';
import { SessionBench, type SessionBenchOptions } from './testing/session-bench.ts';

/** Whole sessions with MCP servers that are real programs; the model is in the test's hand. */

let runs: Runs;
let servers: McpBench;
beforeAll(async () => {
  runs = await Runs.open();
});
afterAll(() => runs.close());
beforeEach(() => {
  servers = new McpBench(runs);
});
afterEach(() => servers.close());

const session = (options: SessionBenchOptions = {}): SessionBench =>
  new SessionBench({ tools: servers.registry, ...options, more: { mcp: servers.connections, ...options.more } });

const named = (...args: readonly string[]): void => {
  const place = { scope: 'user', file: '/settings.json', line: 1, callTimeoutMs: undefined } as const;
  servers.servers = [{ ...place, name: 'train', transport: program(MISBEHAVING, ...args) }];
};

const asked = (on: SessionBench, count: number) => until(`request ${count}`, () => on.model.streams[count - 1]);
const call = (id: string, name: string, input: unknown = {}): ModelItem => ({ type: 'tool-use', id, name, input });
const ended = (on: SessionBench, id: string) =>
  until(`the end of ${id}`, () => on.all('call-completed').find((event) => event.callId === id));
const textOf = async (on: SessionBench, id: string): Promise<string> => resultText((await ended(on, id)).result);

/** Sends a message whose answer makes these calls. */
async function turn(on: SessionBench, ...calls: readonly ModelItem[]): Promise<void> {
  const count = on.model.streams.length + 1;
  await on.send('Go.');
  await (await asked(on, count)).send(begins(`m${count}`), ...calls, ends('tool-use'));
}

const allowAll = { settings: { mode: 'bypassPermissions' } } as const;

describe('the first request of a turn', () => {
  test('waits for servers that are being connected to, and has their tools', async () => {
    named();
    const on = session();
    await quiet();
    expect(on.all('mcp-server-changed')).toMatchObject([{ server: 'train', status: 'connecting' }]);
    await on.send('Go.');
    expect(on.model.streams).toHaveLength(0);
    const { request } = await asked(on, 1);
    expect(request.tools.map(({ name }) => name)).toContain('mcp__train__say');
    expect(on.log.state.mcpServers).toMatchObject([{ name: 'train', status: 'connected', tools: 16 }]);
    expect(on.all('notice-given')).toEqual([]);
  });

  test('waits five seconds at most, once, and says without whom it goes on', async () => {
    named('--silent');
    const on = session();
    await on.send('Go.');
    await on.advance(4_999);
    expect(on.model.streams).toHaveLength(0);
    await on.advance(1);
    expect(on.model.streams).toHaveLength(1);
    expect(on.all('notice-given').map(({ text }) => text)).toEqual([
      'The turn goes on without the MCP server train, still being connected to. Tools join as they come.',
    ]);
    await on.model.now.send(begins(), says('Hello'), ends());
    await on.send('Again.');
    expect(on.model.streams).toHaveLength(2);
  });

  test('waits no longer when the turn is stopped', async () => {
    named('--silent');
    const on = session();
    await on.send('Go.');
    await on.interrupt('escape');
    expect(on.all('turn-ended')).toMatchObject([{ reason: 'interrupted' }]);
    expect(on.model.streams).toHaveLength(0);
  });
});

test('a session that is only looked at starts no programs; its next turn does', async () => {
  named();
  const before = session();
  await before.send('Go.');
  await (await asked(before, 1)).send(begins(), says('Hello'), ends());
  await before.session.close('closed');
  expect(before.log.state.mcpServers).toMatchObject([{ status: 'closed' }]);

  const again = new McpBench(runs);
  again.servers = servers.servers;
  const on = new SessionBench({
    tools: again.registry,
    past: before.log.events,
    more: { mcp: again.connections },
  });
  expect(await again.programs()).toEqual([]);
  await on.send('Go on.');
  expect((await asked(on, 1)).request.tools.map(({ name }) => name)).toContain('mcp__train__say');
  await on.session.close('closed');
  expect(await again.programs()).toEqual([]);
  again.work.dispose();
});

describe('permission', () => {
  test('is asked for, with what the server says of its tool, and the rule covers the tool', async () => {
    named();
    const on = session();
    await turn(
      on,
      call('a', 'mcp__train__wipe', { path: '/tmp/x' }),
      call('b', 'mcp__train__wipe', { path: '/tmp/y' }),
    );
    const question = await until('the question', () => on.all('permission-asked')[0]);
    expect(question.question).toMatchObject({
      title: 'Run wipe of the MCP server train?',
      dangerous: true,
      proposedRule: 'mcp__train__wipe',
    });
    const { askId } = question;
    const answer = { kind: 'allow-and-add-rule', rule: 'mcp__train__wipe', scope: 'session' } as const;
    on.session.answer('a' as CallId, askId as AskId, answer);
    expect(await textOf(on, 'a')).toBe('wiped /tmp/x');
    expect(await textOf(on, 'b')).toBe('wiped /tmp/y');
    expect(on.all('permission-asked')).toHaveLength(1);
  });

  test.each([
    ['mcp__train', 'allow', 'ok'],
    ['mcp__train__*', 'allow', 'ok'],
    ['mcp__train__say', 'allow', 'ok'],
    ['mcp__train', 'deny', 'denied'],
    ['mcp__*', 'deny', 'denied'],
  ] as const)('by the rule %s to %s', async (text, list, outcome) => {
    named();
    const settings = noSettings('/shop');
    const loaded = settings.current();
    const rules = { ...loaded.rules, [list]: [{ text, scope: 'user' }] };
    const on = session({ files: { ...settings, current: () => ({ ...loaded, rules }) } });
    await turn(on, call('a', 'mcp__train__say', { text: 'x' }));
    expect((await ended(on, 'a')).outcome).toBe(outcome);
  });
});

test('tools that only read run beside each other, others alone', async () => {
  named();
  const on = session(allowAll);
  await turn(
    on,
    call('a', 'mcp__train__say', { text: 'x' }),
    call('b', 'mcp__train__wait'),
    call('c', 'mcp__train__say', { text: 'y' }),
  );
  await ended(on, 'a');
  expect(callById(on.log.state, 'a' as CallId)?.safety).toMatchObject({ safe: true, because: 'declared-safe' });
  await until('b to run', () => on.all('stage-started').some(({ callId, stage }) => callId === 'b' && stage === 'run'));
  expect(callById(on.log.state, 'c' as CallId)?.phase).toBe('queued');
  await on.interrupt('escape');
  expect((await ended(on, 'b')).outcome).toBe('interrupted');
});

test('a large result goes to disk, and progress is told', async () => {
  named();
  const on = session(allowAll);
  await turn(
    on,
    call('a', 'mcp__train__large', { characters: 200_000 }),
    call('b', 'mcp__train__progress', { steps: 2 }),
  );
  expect(await textOf(on, 'a')).toContain('Output too large (195.3KB)');
  expect(on.all('result-saved')).toMatchObject([{ callId: 'a', bytes: 200_000, limit: 50_000 }]);
  expect(await textOf(on, 'b')).toBe('done');
  expect(on.all('call-progressed')[0]).toMatchObject({ callId: 'b', tail: '1 of 2: step 1\n' });
});

test('a server that dies under a call is an error of that call, said in the session, which goes on', async () => {
  named();
  const on = session(allowAll);
  await turn(on, call('a', 'mcp__train__die'));
  expect(await textOf(on, 'a')).toContain(
    'The MCP server train was lost while this call ran. It ended with exit code 7.',
  );
  expect(on.all('notice-given').map(({ text }) => text)).toEqual([
    'The MCP server train is gone. Calls that ran on it have failed.',
  ]);
  const next = await asked(on, 2);
  await next.send(begins('m2'), says('So be it.'), ends());
  await on.session.idle;
  expect(on.log.state.mcpServers).toMatchObject([{ status: 'connecting' }]);
});

describe('hooks after a call', () => {
  let hooks: HookBench;
  beforeEach(() => {
    hooks = new HookBench();
  });
  afterEach(() => hooks.close());
  const withHooks = {
    ...allowAll,
    get hooks() {
      return hooks.runner;
    },
  };

  test('see the blocks of the answer and may put others in their place, before anything is saved', async () => {
    named();
    const input = hooks.path('input.json');
    const output = JSON.stringify({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: [{ type: 'text', text: 'redacted' }] },
    });
    hooks.setMatching('PostToolUse', 'mcp__train__.*', `cat > '${input}'; echo '${output}'`);
    const on = session(withHooks);
    await turn(on, call('a', 'mcp__train__large', { characters: 200_000 }));
    expect(await textOf(on, 'a')).toBe('redacted');
    expect(on.all('result-saved')).toEqual([]);
    const stages = on.all('stage-started').flatMap(({ callId, stage }) => (callId === 'a' ? [stage] : []));
    expect(stages.slice(-4)).toEqual(['run', 'hooks-after', 'map', 'save']);
    const { readFileSync } = await import('node:fs');
    const seen = JSON.parse(readFileSync(input, 'utf8')) as {
      readonly tool_response: readonly { readonly type: string }[];
    };
    expect(seen).toMatchObject({ tool_name: 'mcp__train__large', tool_input: { characters: 200_000 } });
    expect(seen.tool_response).toHaveLength(1);
    expect(seen.tool_response[0]?.type).toBe('text');
  });

  test('of one that failed are those of failures, and replace nothing', async () => {
    named();
    const words = (event: string) =>
      JSON.stringify({
        hookSpecificOutput: { hookEventName: event, updatedMCPToolOutput: 'no', additionalContext: 'Ask again.' },
      });
    hooks.set('PostToolUseFailure', hookSays(words('PostToolUseFailure')));
    const on = session(withHooks);
    await turn(on, call('a', 'mcp__train__fail'));
    expect(await textOf(on, 'a')).toContain('no such train');
    expect(await textOf(on, 'a')).toContain('Ask again.');
  });
});

test('a tool that wants a person asks one, whatever hooks, rules and modes say', async () => {
  const hooks = new HookBench();
  hooks.set('PreToolUse', hookSays(decides('allow')));
  named();
  const settings = noSettings('/shop');
  const loaded = settings.current();
  const rules = { ...loaded.rules, allow: [{ text: 'mcp__train', scope: 'user' }] } as const;
  const files = { ...settings, current: () => ({ ...loaded, rules }) };
  const on = session({ ...allowAll, hooks: hooks.runner, files });
  await turn(on, call('a', 'mcp__train__ask-a-person'));
  const { question, askId } = await until('the question', () => on.all('permission-asked')[0]);
  expect(question.proposedRule).toBeUndefined();
  on.session.answer('a' as CallId, askId, { kind: 'allow-once' });
  expect(await textOf(on, 'a')).toBe('asked');
  await hooks.close();
});

describe('schemas that are held back', () => {
  const names = (request: { readonly tools: readonly { readonly name: string }[] }) =>
    request.tools.map(({ name }) => name);

  test('are loaded by ToolSearch, sent from then on, and stay loaded when the session is opened again', async () => {
    named('--tools', '150');
    const on = session(allowAll);
    await turn(
      on,
      call('guess', 'mcp__train__tool-3', { load: 3 }),
      call('find', 'ToolSearch', { query: 'select:mcp__train__tool-3' }),
    );
    expect(names((await asked(on, 1)).request)).toEqual(['ToolSearch']);
    expect(await textOf(on, 'guess')).toBe(
      '<tool_use_error>InputValidationError: mcp__train__tool-3 failed due to the following issue:\nThe required parameter `weight` is missing\n\nThe schema of mcp__train__tool-3 was not sent to you, so its parameters were guessed. Call ToolSearch with the query "select:mcp__train__tool-3" to load it, then call mcp__train__tool-3 again.</tool_use_error>',
    );
    expect(await textOf(on, 'find')).toContain('"required":["weight"]');
    const second = await asked(on, 2);
    expect(names(second.request)).toEqual(['mcp__train__tool-3', 'ToolSearch']);
    await second.send(
      begins('m2'),
      call('b', 'mcp__train__tool-3', { weight: 5 }),
      call('c', 'mcp__train__tool-3'),
      ends('tool-use'),
    );
    expect(await textOf(on, 'b')).toBe('tool-3 weighs 5');
    expect(await textOf(on, 'c')).not.toContain('ToolSearch');
    await (await asked(on, 3)).send(begins('m3'), says('Done.'), ends());
    await on.session.close('closed');

    const again = new McpBench(runs);
    again.servers = servers.servers;
    const resumed = new SessionBench({ tools: again.registry, past: on.log.events, more: { mcp: again.connections } });
    await resumed.send('Go on.');
    expect(names((await asked(resumed, 1)).request)).toEqual(['mcp__train__tool-3', 'ToolSearch']);
    await resumed.session.close('closed');
    again.work.dispose();
  });
});
