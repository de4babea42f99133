import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallAborted } from '../../ports/tool.ts';
import { Runs } from '../process/runs.fixture.ts';
import { until } from '../process/until.fixture.ts';
import { EVERYTHING, FILESYSTEM, McpBench, MISBEHAVING, program } from './mcp-bench.fixture.ts';

/** The official servers and our own, each a real program. */

/** So many has our own server when it is told nothing. */
const TOOLS = 16;

const variable = (name: string): string => ['$', '{', name, '}'].join('');

let runs: Runs;
let on: McpBench;
beforeAll(async () => {
  runs = await Runs.open();
});
afterAll(() => runs.close());
beforeEach(() => {
  on = new McpBench(runs);
});
afterEach(() => on.close());

const misbehaving = (...args: readonly string[]) => on.connect({ train: program(MISBEHAVING, ...args) });

describe('the official server of files', () => {
  test('has its tools under its name, with what it says of them', async () => {
    await on.connect({ files: program(FILESYSTEM, on.work.cwd) });
    expect(on.changes('files')).toEqual([
      { type: 'mcp-server-changed', server: 'files', scope: 'user', status: 'connecting' },
      { type: 'mcp-server-changed', server: 'files', scope: 'user', status: 'connected', tools: 14 },
    ]);
    const reading = on.tool('mcp__files__read_text_file');
    const writing = on.tool('mcp__files__write_file');
    expect([reading.isConcurrencySafe({}), reading.isReadOnly({}), reading.isAlwaysSafe]).toEqual([true, true, true]);
    expect([writing.isConcurrencySafe({}), writing.isReadOnly({})]).toEqual([false, false]);
    expect(reading.jsonSchema).toMatchObject({ type: 'object', required: ['path'] });
    expect(await reading.checkPermissions({}, on.work.context)).toMatchObject({ verdict: 'pass' });
    expect(reading.suggestRule({})).toBe('mcp__files__read_text_file');
    expect(reading.inputSchema.safeParse({ path: 3 }).success).toBe(false);
    expect(on.registry.all.filter(({ isConcurrencySafe }) => isConcurrencySafe({}))).toHaveLength(10);
  });

  test('reads what lies in the session’s folder, and fails in words', async () => {
    on.work.lay('a.txt', 'all aboard');
    await on.connect({ files: program(FILESYSTEM, on.work.cwd) });
    expect((await on.run('mcp__files__read_text_file', { path: on.work.path('a.txt') })).text).toBe('all aboard');
    const missing = await on.run('mcp__files__read_text_file', { path: on.work.path('b.txt') });
    expect(missing.ending.isError).toBe(true);
    expect(missing.text).toContain('ENOENT');
  });

  test('is given the session’s folders as its roots', async () => {
    on.work.lay('a.txt', 'all aboard');
    await on.connect({ files: program(FILESYSTEM, '/usr') });
    const path = on.work.path('a.txt');
    await until('the roots', async () => !(await on.run('mcp__files__read_text_file', { path })).ending.isError);
  });
});

describe('the official server of everything', () => {
  test('echoes, answers with structure, pictures and links', async () => {
    await on.connect({ everything: program(EVERYTHING) });
    expect((await on.run('mcp__everything__echo', { message: 'hello' })).text).toBe('Echo: hello');
    const image = on.tool('mcp__everything__get-tiny-image');
    const { ending } = await on.run(image.name);
    expect(image.mapResult(ending.output).content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const structured = await on.run('mcp__everything__get-structured-content', { location: 'Chicago' });
    expect(JSON.parse(structured.text)).toMatchObject({ conditions: expect.any(String) });
    const links = await on.run('mcp__everything__get-resource-links', { count: 2 });
    expect(links.text).toMatch(/\[Resource .*: demo:\/\//);
    const embedded = await on.run('mcp__everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(embedded.text).toMatch(/\[Resource demo:\/\/.*\]\n/);
  });

  test('tells the progress of a long operation', async () => {
    await on.connect({ everything: program(EVERYTHING) });
    const { text } = await on.run('mcp__everything__trigger-long-running-operation', { duration: 0.2, steps: 2 });
    expect(text).toContain('completed');
    expect(on.work.progress.at(-1)?.tail).toBe('1 of 2\n2 of 2\n');
  });

  test('is cancelled with its call', async () => {
    await on.connect({ everything: program(EVERYTHING) });
    const stop = new AbortController();
    const running = on.run(
      'mcp__everything__trigger-long-running-operation',
      { duration: 600, steps: 6_000 },
      stop.signal,
    );
    await until('progress', () => on.work.progress.length > 0);
    stop.abort('escape');
    await expect(running).rejects.toThrow(CallAborted);
    expect((await on.run('mcp__everything__echo', { message: 'still here' })).text).toBe('Echo: still here');
  });

  test('lists and reads its resources', async () => {
    await on.connect({ everything: program(EVERYTHING) });
    const listed = await on.run('ListMcpResources');
    expect(listed.text).toMatch(/^Server everything:\n- demo:\/\//);
    expect((await on.run('ListMcpResources', { server: 'everything' })).text).toBe(listed.text);
    const uri = /- (demo:\/\/resource\/static\S+)/.exec(listed.text)?.[1];
    expect((await on.run('ReadMcpResource', { server: 'everything', uri })).text).toContain(`[Resource ${uri}]`);
    await expect(on.run('ReadMcpResource', { server: 'nowhere', uri })).rejects.toThrow(
      'Servers that have: everything',
    );
    expect(on.tool('ListMcpResources').isDeferred).toBe(true);
    expect(on.tool('ListMcpResourcesTool').name).toBe('ListMcpResources');
  });
});

describe('calls', () => {
  test('name what is wrong with an input before the server sees it, and leave it as it is', async () => {
    await misbehaving();
    const schema = on.tool('mcp__train__say').inputSchema;
    expect(schema.safeParse({}).error?.issues).toMatchObject([{ code: 'invalid_type', path: ['text'] }]);
    const input = { text: 'x', more: [1] };
    expect(schema.parse(input)).toBe(input);
  });

  test('of a tool that wants a person ask one, whatever rules say', async () => {
    await misbehaving();
    expect(await on.tool('mcp__train__ask-a-person').checkPermissions({}, on.work.context)).toMatchObject({
      verdict: 'ask',
    });
    expect(await on.tool('mcp__train__wipe').describeQuestion({}, on.work.context)).toMatchObject({
      title: 'Run wipe of the MCP server train?',
      dangerous: true,
    });
  });

  test('end as errors where the server says so, and keep what nobody knows how to show', async () => {
    await misbehaving();
    expect(await on.run('mcp__train__fail')).toMatchObject({ text: 'no such train', ending: { isError: true } });
    const odd = await on.run('mcp__train__odd');
    expect(odd.text).toContain('hologram');
    expect(odd.text).toContain('"trains": 2');
  });

  test('give megabytes, and a large result’s limit is that of the environment', async () => {
    on.env = { ...process.env, MAX_MCP_OUTPUT_TOKENS: '1000' };
    await misbehaving();
    expect((await on.run('mcp__train__large', { characters: 3_000_000 })).text).toHaveLength(3_000_000);
    expect(on.tool('mcp__train__large').maxResultSizeChars).toBe(4_000);
  });

  test('that are told to stop are cancelled at the server too', async () => {
    await misbehaving();
    const stop = new AbortController();
    const hanging = on.run('mcp__train__hang', {}, stop.signal);
    await until('the call to be under way', () => on.clock.pending > 0);
    stop.abort('escape');
    await expect(hanging).rejects.toThrow(CallAborted);
    expect((await on.run('mcp__train__cancelled')).text).toMatch(/^\d+$/);
  });

  test('that the server never answers end with the time-out, and hurt no others', async () => {
    await misbehaving();
    const hanging = on.run('mcp__train__hang');
    await until('the call to be under way', () => on.clock.pending > 0);
    on.advance(599_999);
    expect((await on.run('mcp__train__say', { text: 'others go on' })).text).toBe('others go on');
    on.advance(1);
    await expect(hanging).rejects.toThrow('said nothing of this call for 600 s');
    expect(on.statuses('train')).toEqual(['connecting', 'connected']);
  });

  test('that tell progress have the time of their time-out anew', async () => {
    await misbehaving();
    const waiting = on.run('mcp__train__wait');
    await until('the call to be under way', () => on.clock.pending > 0);
    for (const beats of [1, 2]) {
      on.advance(599_999);
      await on.run('mcp__train__beat', {});
      await until('the progress', () => on.work.progress.length === beats);
    }
    on.advance(599_999);
    await on.run('mcp__train__beat', { last: true });
    expect((await waiting).text).toBe('waited');
    await on.run('mcp__train__progress', { steps: 3 });
    expect(on.work.progress.at(-1)?.tail).toBe('1 of 3: step 1\n2 of 3: step 2\n3 of 3: step 3\n');
  });

  test('a server may have a time-out of its own', async () => {
    await on.connect({ train: program(MISBEHAVING) }, { callTimeoutMs: 1_500 });
    const hanging = on.run('mcp__train__hang');
    await until('the call to be under way', () => on.clock.pending > 0);
    on.advance(1_500);
    await expect(hanging).rejects.toThrow('for 1.5 s');
  });

  test('a flood on standard error costs nothing but itself', async () => {
    await misbehaving();
    expect((await on.run('mcp__train__flood')).text).toBe('flooded');
    expect((await on.run('mcp__train__say', { text: 'dry again' })).text).toBe('dry again');
  });

  test('the model of the session is not the server’s to ask', async () => {
    await misbehaving();
    expect((await on.run('mcp__train__sample')).text).toContain('Gantry does not offer sampling/createMessage');
    expect(on.notices()).toEqual([
      'The MCP server train asked for sampling/createMessage, which Gantry does not offer.',
    ]);
  });

  test('a server inherits no secrets', async () => {
    on.env = { ...process.env, SHOP_TOKEN: 'secret', LC_TIME: 'C' };
    const { transport } = { transport: program(MISBEHAVING) };
    if (transport.kind !== 'stdio') throw new Error('a program was expected');
    await on.connect({ train: { ...transport, env: { OWN: variable('SHOP_TOKEN') } } });
    const names = (await on.run('mcp__train__show-env')).text.split(' ');
    expect(names).toEqual(expect.arrayContaining(['PATH', 'OWN', 'LC_TIME', 'GANTRY_CALL']));
    expect(names).not.toContain('SHOP_TOKEN');
  });
});

describe('a server that dies', () => {
  test('in the middle of calls fails those, says so, and is started again', async () => {
    await misbehaving();
    const hanging = on.run('mcp__train__hang');
    await expect(on.run('mcp__train__die')).rejects.toThrow(
      'The MCP server train was lost while this call ran. It ended with exit code 7. It said last: “ready',
    );
    await expect(hanging).rejects.toThrow('What the call has done is not known.');
    expect(on.changes('train').at(-1)).toMatchObject({
      status: 'connecting',
      message: expect.stringContaining('out of coal” It is started again in 1 s (1 of 3).'),
    });
    expect(on.notices().join()).toContain('The MCP server train is gone. Calls that ran on it have failed.');
    const waiting = on.run('mcp__train__say', { text: 'back' });
    on.advance(1_000);
    expect((await waiting).text).toBe('back');
    expect(on.statuses('train')).toEqual(['connecting', 'connected', 'connecting', 'connected']);
  });

  test('again and again is started three times, then left; reconnecting begins anew', async () => {
    await misbehaving('--dies-after', '1');
    for (const wait of [1_000, 2_000, 4_000]) {
      await on.run('mcp__train__say', { text: 'last words' }).catch(() => undefined);
      await on.untilStatus('train', 'connecting', [1_000, 2_000, 4_000].indexOf(wait) + 2);
      on.advance(wait);
      await on.settled();
    }
    await on.run('mcp__train__say', { text: 'last words' }).catch(() => undefined);
    expect((await on.untilStatus('train', 'failed')).message).toContain('exit code 9');
    expect(on.registry.all).toEqual([]);
    await expect(on.run('mcp__train__say', { text: 'x' })).rejects.toThrow(
      'The MCP server train is not connected. It ended',
    );
    on.connections.reconnect('train');
    await on.settled();
    expect((await on.run('mcp__train__say', { text: 'here again' })).text).toBe('here again');
  });

  test('that stood for a minute counts anew', async () => {
    await misbehaving();
    on.advance(60_001);
    await on.run('mcp__train__die').catch(() => undefined);
    expect(on.changes('train').at(-1)?.message).toContain('(1 of 3)');
    on.advance(1_000);
    await on.settled();
    on.advance(60_001);
    await on.run('mcp__train__die').catch(() => undefined);
    expect(on.changes('train').at(-1)?.message).toContain('(1 of 3)');
  });
});

describe('a server that cannot be reached', () => {
  test.each([
    [
      'dies at once',
      program(MISBEHAVING, '--dies-at-once'),
      'It ended with exit code 3. It said last: “no coal at all”',
    ],
    ['is no program', { ...program(''), command: 'no-such-program' }, 'There is no program no-such-program.'],
    [
      'wants a variable',
      { ...program(''), command: variable('NO_SUCH_THING') },
      'NO_SUCH_THING is not set (/settings.json:1)',
    ],
    ['is no address', { kind: 'http', url: 'ftp://x', headers: {} }, 'ftp://x is no web address.'],
    ['does not listen', { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} }, 'fetch failed'],
  ] as const)('because it %s says why and hurts nobody else', async (_, transport, why) => {
    await on.connect({ broken: transport as never, train: program(MISBEHAVING) });
    expect(on.changes('broken').at(-1)).toMatchObject({ status: 'failed', message: expect.stringContaining(why) });
    expect(on.notices().join()).toContain('The MCP server broken could not be reached.');
    expect((await on.run('mcp__train__say', { text: 'fine' })).text).toBe('fine');
  });

  test('because it is silent is given up after its time, and its program ended', async () => {
    on.begin({ train: program(MISBEHAVING, '--silent', '--deaf') });
    await until('its program', async () => (await on.programs()).length > 0);
    expect(on.connections.connecting).toEqual(['train']);
    on.advance(29_999);
    expect(on.statuses('train')).toEqual(['connecting']);
    on.advance(1);
    expect((await on.untilStatus('train', 'failed')).message).toBe('It did not answer within 30 s.');
    await until('its program to be gone', async () => (await on.programs()).length === 0);
  });

  test('has as long as MCP_TIMEOUT says', async () => {
    on.env = { ...process.env, MCP_TIMEOUT: '2000' };
    on.begin({ train: program(MISBEHAVING, '--silent') });
    await until('its program', async () => (await on.programs()).length > 0);
    on.advance(2_000);
    expect((await on.untilStatus('train', 'failed')).message).toBe('It did not answer within 2 s.');
  });
});

describe('tools', () => {
  test('that change are the new ones at once', async () => {
    await misbehaving();
    const before = on.registry.all;
    expect(on.registry.all).toBe(before);
    await on.run('mcp__train__grow');
    await until('the new tool', () => on.registry.find('mcp__train__fresh'));
    expect(on.changes('train').at(-1)).toMatchObject({ status: 'connected', tools: TOOLS + 1 });
    expect((await on.run('mcp__train__fresh')).text).toBe('here I am');
  });

  test('come over many pages', async () => {
    await misbehaving('--tools', '45');
    expect(on.changes('train').at(-1)?.tools).toBe(TOOLS + 45);
    expect((await on.run('mcp__train__tool-44', { weight: 3 })).text).toBe('tool-44 weighs 3');
  });

  test('of many servers have names of their own', async () => {
    await on.connect({ 'my train': program(MISBEHAVING), my_train: program(MISBEHAVING) });
    expect((await on.run('mcp__my_train__say', { text: 'one' })).text).toBe('one');
    expect((await on.run('mcp__my_train__say_2', { text: 'two' })).text).toBe('two');
    expect(new Set(on.registry.all.map(({ name }) => name)).size).toBe(2 * TOOLS);
  });

  test('of servers that settings name no longer are gone, and so are their programs', async () => {
    await on.connect({ train: program(MISBEHAVING), tram: program(MISBEHAVING, '--deaf') });
    await on.connect({ train: program(MISBEHAVING) });
    expect(on.registry.find('mcp__tram__say')).toBeUndefined();
    expect(on.statuses('train')).toEqual(['connecting', 'connected']);
    expect(on.statuses('tram').at(-1)).toBe('closed');
    await until('its program to be gone', async () => (await on.programs()).length === 1);
  });
});

describe('held back', () => {
  const ids = () => on.registry.all.map(({ name }) => name);

  test('are the schemas of many tools, which ToolSearch loads', async () => {
    await misbehaving('--tools', '150');
    expect(on.registry.all.filter(({ isDeferred }) => !isDeferred).map(({ name }) => name)).toEqual(['ToolSearch']);
    const search = on.tool('ToolSearch');
    expect(search.description).toContain('mcp__train__tool-149');
    const found = await on.run('ToolSearch', { query: 'select:mcp__train__tool-7,mcp__train__wipe' });
    expect([...on.work.context.discovered]).toEqual(['mcp__train__tool-7', 'mcp__train__wipe']);
    expect(found.text).toContain('"required":["weight"]');
    expect(search.mapResult(found.ending.output).display).toEqual({
      loaded: ['mcp__train__tool-7', 'mcp__train__wipe'],
    });
    expect((await on.run('ToolSearch', { query: 'progress' })).text).toContain('mcp__train__progress');
    expect((await on.run('ToolSearch', { query: 'zeppelin' })).text).toContain('No tool that can be loaded fits');
  });

  test('are none of a few tools, all where settings say so, and none where they say never', async () => {
    await misbehaving();
    expect(ids()).not.toContain('ToolSearch');
    on.defer = 'always';
    await on.run('mcp__train__grow');
    await until('the new list', () => on.registry.find('ToolSearch'));
    expect(on.registry.all.filter(({ isDeferred }) => isDeferred)).toHaveLength(TOOLS + 1);
    const never = new McpBench(runs);
    never.defer = 'never';
    await never.connect({ train: program(MISBEHAVING, '--tools', '150'), everything: program(EVERYTHING) });
    expect(never.registry.all.filter(({ isDeferred }) => isDeferred)).toEqual([]);
    await never.close();
  });
});

test('no program of a server outlives its session, deaf as it may be', async () => {
  await on.connect({ train: program(MISBEHAVING, '--deaf'), everything: program(EVERYTHING) });
  expect((await on.programs()).length).toBeGreaterThanOrEqual(2);
  await on.connections.close();
  expect(await on.programs()).toEqual([]);
  expect(on.statuses('train').at(-1)).toBe('closed');
});

test('a result is what the server sent, byte for byte', async () => {
  await misbehaving();
  const { text } = await on.run('mcp__train__say', { text: 'ünïcødé 🚂\u2028 "quoted" \\' });
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    createHash('sha256').update('ünïcødé 🚂\u2028 "quoted" \\').digest('hex'),
  );
});
