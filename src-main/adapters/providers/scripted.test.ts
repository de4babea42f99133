import { beforeEach, describe, expect, test } from 'vitest';
import { type AgentId, MAIN_AGENT } from '../../../src-shared/ids.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { millis } from '../../../src-shared/units.ts';
import type { ApiMessage } from '../../core/conversation/api-message.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { ModelItem, ModelRequest } from '../../ports/model-provider.ts';
import { ScriptedProvider } from './scripted.ts';

const SCENARIO: Scenario = {
  name: 'two',
  turns: [
    [
      { text: 'First.', delay: 400 },
      { tool: 'Read', input: { file_path: 'a' }, delay: 100 },
      { tool: 'Bash', input: { command: 'ls' }, id: 'list' },
    ],
    [{ text: 'Done.' }],
  ],
};
const PROMPT: ApiMessage = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
const SAID: ApiMessage = { role: 'assistant', content: [{ type: 'tool_use', id: 'list', name: 'Bash', input: {} }] };
const RESULTS: ApiMessage = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'list', content: [{ type: 'text', text: 'a' }], is_error: false }],
};

let clock: ManualClock;
let ids: number;
beforeEach(() => {
  clock = new ManualClock();
  ids = 0;
});

/** Listens to one message of the model in the background. */
function listen(messages: readonly ApiMessage[], scenario: Scenario = SCENARIO, controller = new AbortController()) {
  const provider = new ScriptedProvider({ scenario, clock, newId: (prefix) => `${prefix}_${++ids}` });
  const heard: { readonly item: ModelItem; readonly at: number }[] = [];
  let over = false;
  const done = (async () => {
    const agent = { agentId: MAIN_AGENT, agentType: 'main', name: '' };
    const request = { agent, system: '', messages, tools: [], stream: true };
    for await (const item of provider.stream(request, controller.signal)) heard.push({ item, at: clock.monotonic() });
    over = true;
  })();
  return { heard, done, controller, isOver: () => over };
}
const settle = () => new Promise(setImmediate);
const typesOf = (heard: readonly { readonly item: ModelItem }[]) => heard.map(({ item }) => item.type);

/** A message whose delays are waited out. */
async function message(messages: readonly ApiMessage[], scenario?: Scenario): Promise<readonly ModelItem[]> {
  const { heard, isOver } = listen(messages, scenario);
  for (await settle(); !isOver(); await settle()) clock.advance(millis(1_000));
  return heard.map(({ item }) => item);
}

describe('a message', () => {
  test('arrives block by block, each after its delay', async () => {
    const { heard } = listen([PROMPT]);
    await settle();
    expect(typesOf(heard)).toEqual(['message-started']);
    clock.advance(millis(399));
    await settle();
    expect(heard).toHaveLength(1);
    clock.advance(millis(1));
    await settle();
    expect(heard.at(-1)).toEqual({ item: { type: 'text', text: 'First.' }, at: 400 });
    clock.advance(millis(100));
    await settle();
    expect(heard.slice(2).map(({ item, at }) => [item.type, at])).toEqual([
      ['tool-use', 500],
      ['tool-use', 500],
      ['message-ended', 500],
    ]);
    expect(clock.pending).toBe(0);
  });

  test('has an id, the name of its model, and calls with their own ids or made ones', async () => {
    const [started, , read, bash, ended] = await message([PROMPT]);
    expect(started).toEqual({ type: 'message-started', messageId: 'msg_1', model: 'scenario two' });
    expect(read).toEqual({ type: 'tool-use', id: 'call_1_2', name: 'Read', input: { file_path: 'a' } });
    expect(bash).toEqual({ type: 'tool-use', id: 'list', name: 'Bash', input: { command: 'ls' } });
    expect(ended).toMatchObject({ type: 'message-ended', stopReason: 'tool-use' });
    expect(ended).toHaveProperty('usage.inputTokens');
  });

  test('is the one that the conversation has come to', async () => {
    expect(await message([PROMPT, SAID, RESULTS])).toMatchObject([
      { type: 'message-started' },
      { type: 'text', text: 'Done.' },
      { type: 'message-ended', stopReason: 'end-turn' },
    ]);
  });

  test('is the same one again when nothing of it has come into the conversation', async () => {
    const { heard, controller, done } = listen([PROMPT]);
    await settle();
    controller.abort('escape');
    await done;
    expect(typesOf(heard)).toEqual(['message-started']);
    expect((await message([PROMPT]))[1]).toEqual({ type: 'text', text: 'First.' });
  });
});

describe('the end of the scenario', () => {
  const END = [PROMPT, SAID, RESULTS, { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] } as const];

  test('is said to a person who goes on', async () => {
    const [, text, ended] = await message([...END, PROMPT]);
    expect(text).toMatchObject({ type: 'text', text: expect.stringMatching(/^This scenario has no more messages\./) });
    expect(ended).toMatchObject({ stopReason: 'end-turn' });
  });

  test('is silent after results, so that the turn just ends', async () => {
    const one: Scenario = { name: 'one', turns: [[{ tool: 'Bash', input: {}, id: 'list' }]] };
    expect(await message([PROMPT, SAID, RESULTS], one)).toMatchObject([
      { type: 'message-started' },
      { type: 'message-ended', stopReason: 'end-turn' },
    ]);
  });

  test('is said when a person writes beside results, e.g. after an interrupt', async () => {
    const beside: ApiMessage = { role: 'user', content: [...RESULTS.content, ...PROMPT.content] };
    const one: Scenario = { name: 'one', turns: [[{ tool: 'Bash', input: {}, id: 'list' }]] };
    expect((await message([PROMPT, SAID, beside], one))[1]).toMatchObject({ type: 'text' });
  });

  test('is not an empty message: that one is left out', async () => {
    expect((await message([PROMPT], { name: 'gap', turns: [[], [{ text: 'x' }]] }))[1]).toEqual({
      type: 'text',
      text: 'x',
    });
  });

  test('of a scenario without turns comes at once', async () => {
    expect((await message([PROMPT], { name: 'nothing', turns: [] }))[1]).toMatchObject({ type: 'text' });
  });
});

describe('a stream that is stopped', () => {
  test('in a delay ends at once, without the rest, and leaves no timer', async () => {
    const { heard, controller, done } = listen([PROMPT]);
    await settle();
    clock.advance(millis(400));
    await settle();
    controller.abort('escape');
    await done;
    expect(typesOf(heard)).toEqual(['message-started', 'text']);
    expect(clock.pending).toBe(0);
  });

  test('before it began gives no block', async () => {
    const controller = new AbortController();
    controller.abort('shutdown');
    const { heard, done } = listen([PROMPT], { name: 'now', turns: [[{ text: 'x' }]] }, controller);
    await done;
    expect(typesOf(heard)).toEqual(['message-started']);
  });
});

const MAIN = { agentId: MAIN_AGENT, agentType: 'main', name: '' };
const agentOf = (name: string, agentType = 'general-purpose', id = 'agent-1') => ({
  agentId: id as AgentId,
  agentType,
  name,
});
const providerOf = (scenario: Partial<Scenario>) =>
  new ScriptedProvider({ scenario: { name: 'one', turns: [], ...scenario }, clock, newId: (prefix) => prefix });

/** One answer, its waits waited out: its items, or the words of its failure behind those that came before. */
async function answer(provider: ScriptedProvider, request: Partial<ModelRequest> = {}): Promise<readonly unknown[]> {
  const whole = { agent: MAIN, system: '', messages: [PROMPT], tools: [], stream: true, ...request };
  const heard: unknown[] = [];
  let over = false;
  void (async () => {
    try {
      for await (const item of provider.stream(whole, new AbortController().signal)) heard.push(item);
    } catch (error) {
      heard.push(error);
    }
    over = true;
  })();
  for (await settle(); !over; await settle()) clock.advance(millis(1_000));
  return heard;
}
const wordsOf = (heard: readonly unknown[]) =>
  (heard as readonly ModelItem[]).flatMap((item) => (item.type === 'text' ? [item.text] : []));

describe('a sub-agent', () => {
  const provider = () =>
    providerOf({
      turns: [[{ text: 'I am main.' }]],
      agents: {
        'Find the tests': [[{ tool: 'Glob', input: {} }], [{ text: 'Found.' }]],
        explore: [[{ text: 'I explore.' }]],
      },
    });

  test('plays the list that is named as its order is, and before that as its type', async () => {
    expect(wordsOf(await answer(provider(), { agent: agentOf('Look around', 'explore') }))).toEqual(['I explore.']);
    const found = await answer(provider(), { agent: agentOf('Find the tests', 'explore') });
    expect(found[1]).toMatchObject({ type: 'tool-use', id: 'call_find-the-tests_1_1', name: 'Glob' });
    const next = await answer(provider(), { agent: agentOf('Find the tests'), messages: [PROMPT, SAID, RESULTS] });
    expect(wordsOf(next)).toEqual(['Found.']);
  });

  test('that the scenario does not know says so', async () => {
    expect(wordsOf(await answer(provider(), { agent: agentOf('Something else', 'plan') }))).toEqual([
      'This scenario has no messages for this agent: there is no Something else or plan under agents.',
    ]);
  });
});

describe('trouble on purpose', () => {
  const blocks = [{ text: 'a' }, { text: 'b' }, { text: 'c' }];

  test('the stream breaks after so many blocks, and the answer that is asked for whole comes whole', async () => {
    const provider = providerOf({ turns: [{ blocks, break: 2 }] });
    const broken = await answer(provider);
    expect(broken.slice(1)).toMatchObject([{ text: 'a' }, { text: 'b' }, { kind: 'broken-stream', retry: true }]);
    expect(wordsOf(await answer(provider, { stream: false }))).toEqual(['a', 'b', 'c']);
  });

  test('a server refuses as often as it is told, every agent anew', async () => {
    const fail = { kind: 'rate-limited', after: 700, times: 2 } as const;
    const provider = providerOf({ turns: [], agents: { x: [{ blocks, fail }] } });
    const asked = async (id: string) => (await answer(provider, { agent: agentOf('x', 'x', id) }))[0];
    for (const id of ['one', 'other']) {
      expect(await asked(id)).toMatchObject({ kind: 'rate-limited', afterMs: 700, retry: true });
      expect(await asked(id)).toMatchObject({ kind: 'rate-limited' });
      expect(await asked(id)).toMatchObject({ type: 'message-started' });
    }
  });

  test('a slow block comes letter by letter', async () => {
    const text = 'twenty letters, more';
    const heard = await answer(providerOf({ turns: [{ blocks: [{ text }], slow: 1_000 }] }));
    const grown = (heard as readonly ModelItem[]).flatMap((item) => (item.type === 'growing' ? [item.added] : []));
    expect(grown).toHaveLength(10);
    expect(grown.join('')).toBe(text);
    expect(wordsOf(heard)).toEqual([text]);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(1_000);
  });
});
