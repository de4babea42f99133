import { describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { AgentId, MessageId, SessionId } from '../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { MessageImage } from '../../src-shared/model/image.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { HandSettings } from '../ports/settings.fake.ts';
import { SessionPrompts } from './session-prompts.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says, uses } from './testing/hand-model.ts';
import { SessionBench } from './testing/session-bench.ts';

const CLAUDE: ModelChoice = { provider: 'anthropic', model: 'claude-x' };
const LLAMA: ModelChoice = { provider: 'openai-compatible', model: 'llama', baseUrl: 'http://127.0.0.1:11434/v1' };
const IMAGE: MessageImage = { mediaType: 'image/png', data: 'iVBORw==' };

const started = (title = 'shop'): SessionEvent => ({
  type: 'session-started',
  seq: 0,
  at: instant(0),
  t: sessionTime(0),
  sessionId: 'session-1' as SessionId,
  title,
  cwd: '/work',
  origin: { kind: 'live', provider: 'anthropic', model: CLAUDE },
  app: 'test',
  settings: defaultSettings(),
});

function setUp(options: { past?: readonly SessionEvent[]; titles?: 'model' | 'prompt'; hooks?: FakeHookRunner } = {}) {
  const models = new Map<string, HandModel>();
  const orders: unknown[] = [];
  const bench = new SessionBench({
    past: options.past ?? [started()],
    newId: countingIds(options.past === undefined ? 1 : 1_000),
    files: new HandSettings({ titles: options.titles }),
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
    more: {
      providerFor: ({ model }) => {
        const hand = models.get(model) ?? new HandModel();
        models.set(model, hand);
        return hand;
      },
      preparePrompt: (order) => {
        orders.push(order);
        return { text: `You work in ${order.cwd}, ${orders.length}.`, sources: [] };
      },
    },
  });
  const model = (name = 'claude-x'): HandModel => {
    const hand = models.get(name);
    if (hand === undefined) throw new Error(`nobody has asked for ${name}`);
    return hand;
  };
  return { bench, model, orders };
}

describe('a session of a model', () => {
  test('is answered by it, and by another one from the next turn on', async () => {
    const { bench, model } = setUp();
    await bench.send('Hello');
    expect(() => bench.session.setModel(LLAMA)).toThrow(FailureError);
    await model().now.send(begins(), says('Hi'), ends());
    bench.session.setModel(LLAMA);
    await bench.send('And?');
    expect([model().streams.length, model('llama').streams.length]).toEqual([1, 1]);
    expect(bench.all('model-chosen')).toMatchObject([{ model: LLAMA }]);
    expect(bench.model.streams).toEqual([]);
  });

  test('that is opened again goes on with the model chosen last, and with the same prompt', async () => {
    const first = setUp();
    await first.bench.send('Hello');
    await first.model().now.send(begins(), says('Hi'), ends());
    first.bench.session.setModel(LLAMA);
    await first.bench.session.close('closed');

    const second = setUp({ past: [started(), ...first.bench.store.events] });
    await second.bench.send('And?');
    const { request } = second.model('llama').now;
    expect(request.system).toBe('You work in /work, 1.');
    expect(second.orders).toEqual([]);
  });
});

test('a tool that a deny rule names without a specifier is not told of; one whose uses are denied in part is', async () => {
  const files = new HandSettings();
  const bench = new SessionBench({ files });
  const told = async (...deny: readonly string[]) => {
    files.set({ rules: { allow: [], ask: [], deny: deny.map((text) => ({ text, scope: 'user' })) } });
    await bench.send('Hello');
    const names = bench.model.now.request.tools.map(({ name }) => name);
    await bench.model.now.send(begins(), says('Hi'), ends());
    return names;
  };
  const all = await told();
  const [first = '', ...others] = all;
  expect(others.length).toBeGreaterThan(0);
  expect(await told(`${first}(*)`)).toEqual(others);
  expect(await told(first)).toEqual(others);
  expect(await told(`${first}(rm:*)`)).toEqual(all);
});

describe('a prompt', () => {
  test('is made once, recorded before it is sent, and the same in every request', async () => {
    const { bench, model, orders } = setUp();
    await bench.send('Hello');
    const { request } = model().now;
    expect(bench.store.events.filter(({ type }) => type === 'prompt-prepared')).toMatchObject([
      { agentId: MAIN_AGENT, text: request.system },
    ]);
    await model().now.send(begins(), uses('a', 'Look'), ends('tool-use'));
    bench.tools.call('a').end('seen');
    await quiet();
    expect(model().now.request.system).toBe(request.system);
    expect(orders).toMatchObject([{ instructions: undefined, cwd: '/work', mode: 'default' }]);
  });

  test('of a sub-agent is its own; where a scenario answers it is only what its definition says', async () => {
    const { bench } = setUp();
    const prompts = new SessionPrompts(bench.log, ({ instructions }) => ({ text: `${instructions}!`, sources: [] }));
    const now = { cwd: '/work', mode: 'default' } as const;
    const agent = { agentId: 'agent-1' as AgentId, prompt: 'Find.', tools: [] };
    expect(prompts.of(agent, now)).toBe('Find.!');
    const scripted = new SessionBench();
    const none = new SessionPrompts(scripted.log, () => ({ text: 'never', sources: [] }));
    expect(none.of(agent, now)).toBe('Find.');
    expect(scripted.all('prompt-prepared')).toEqual([]);
  });
});

describe('pictures', () => {
  test('go to the model before the words of their message, also when it had to wait', async () => {
    const { bench, model } = setUp({ hooks: new FakeHookRunner() });
    bench.session.send('What is this?', [IMAGE]);
    await quiet();
    await model().now.send(begins(), uses('a', 'Look'), ends('tool-use'));
    bench.session.send('And this?', [IMAGE]);
    expect(bench.log.state.queuedMessages).toMatchObject([{ text: 'And this?', images: [IMAGE] }]);
    bench.tools.call('a').end('seen');
    await quiet();
    const image = { type: 'image', ...IMAGE };
    const { messages } = model().now.request;
    expect(messages[0]?.content).toEqual([image, { type: 'text', text: 'What is this?' }]);
    expect(messages.at(-1)?.content.slice(1)).toEqual([image, { type: 'text', text: 'And this?' }]);
  });
});

describe('a title', () => {
  test('is the first line of the first message at once, and never again', async () => {
    const { bench, model } = setUp();
    await bench.send('# Fix the rounding\nin price.ts');
    expect(bench.log.state.title).toBe('Fix the rounding');
    await model().now.send(begins(), says('Done'), ends());
    await bench.send('Now the tests');
    expect(bench.all('title-changed')).toMatchObject([{ by: 'prompt' }]);
  });

  test('is asked of the model after the first turn where that is set, without holding anything up', async () => {
    const { bench, model } = setUp({ titles: 'model' });
    await bench.send('Fix it');
    await model().now.send(begins(), says('Rounded.'), ends());
    const asked = model().now;
    expect(asked.request).toMatchObject({ agent: { agentType: 'title' }, tools: [] });
    expect(JSON.stringify(asked.request.messages)).toContain('Rounded.');
    await bench.send('And the tests');
    expect(model().streams).toHaveLength(3);
    await asked.send(begins('t'), says('"Rounding of prices."'), ends());
    expect(bench.log.state).toMatchObject({ title: 'Rounding of prices', titleBy: 'model' });
    expect(bench.log.state.asides).toEqual([{ outputTokens: 1 }]);
    // It is none of the conversation.
    expect(bench.all('request-started')).toHaveLength(2);
  });

  test('that its person gave stays, whatever the model says later', async () => {
    const { bench, model } = setUp({ titles: 'model' });
    await bench.send('Fix it');
    await model().now.send(begins(), says('Rounded.'), ends());
    bench.session.rename('Mine');
    await model().now.send(begins('t'), says('Other'), ends());
    expect(bench.log.state).toMatchObject({ title: 'Mine', titleBy: 'person', asides: [{ outputTokens: 1 }] });
  });

  test('stays as it was when the model fails, and the request ends with the session', async () => {
    const { bench, model } = setUp({ titles: 'model' });
    await bench.send('Fix it');
    await model().now.send(begins(), says('Rounded.'), ends());
    const { signal } = model().now;
    await bench.session.close('closed');
    expect(signal.aborted).toBe(true);
    expect(bench.log.state.title).toBe('Fix it');
  });
});

test('a message that was sent meanwhile cannot be taken back to be edited', async () => {
  const { bench, model } = setUp();
  await bench.send('Hello');
  await model().now.send(begins(), uses('a', 'Look'), ends('tool-use'));
  await bench.send('One');
  await bench.send('Two');
  const [one, two] = bench.log.state.queuedMessages.map(({ messageId }) => messageId);
  expect(bench.session.unqueue(one as MessageId, 'edited')).toBe(true);
  bench.tools.call('a').end('seen');
  await quiet();
  expect(bench.session.unqueue(two as MessageId, 'edited')).toBe(false);
  expect(bench.all('user-message-unqueued').map(({ why }) => why)).toEqual(['edited', 'sent']);
});

describe('an answer that is stopped half-way', () => {
  const grows = (kind: 'text' | 'thinking', added: string) => ({ type: 'growing', kind, added }) as const;

  test('keeps the words that were read, for the person and for the model', async () => {
    const { bench, model } = setUp();
    await bench.send('Tell me');
    await model().now.send(begins(), says('First.'), grows('text', 'Then I wo'), grows('text', 'uld'));
    await bench.interrupt('escape');
    await bench.send('Go on');
    const said = model()
      .now.request.messages.find(({ role }) => role === 'assistant')
      ?.content.map((block) => block.type === 'text' && block.text);
    expect(said).toEqual(['First.', 'Then I would']);
  });

  test('keeps no half of a thought, which no server takes back', async () => {
    const { bench, model } = setUp();
    await bench.send('Tell me');
    await model().now.send(begins(), grows('thinking', 'Hm'));
    await bench.interrupt('escape');
    expect(bench.all('block-arrived')).toEqual([]);
  });
});

test('a message costs what its server says, or what list prices make of its tokens', async () => {
  const { bench, model } = setUp();
  const usage = { inputTokens: 1_000_000, outputTokens: 0 };
  await bench.send('One');
  await model().now.send({ type: 'message-started', messageId: 'm1', model: 'claude-sonnet-4-5' });
  await model().now.send({ type: 'message-ended', stopReason: 'end-turn', usage });
  await bench.send('Two');
  await model().now.send(begins('m2'), { type: 'message-ended', stopReason: 'end-turn', usage });
  await bench.send('Three');
  await model().now.send(begins('m3'), {
    type: 'message-ended',
    stopReason: 'end-turn',
    usage: { ...usage, costUsd: 0.5 },
  });
  const [one, two, three] = bench.all('message-completed').map((event) => event.usage.costUsd);
  expect(one).toBeGreaterThan(0);
  expect([two, three]).toEqual([undefined, 0.5]);
});
