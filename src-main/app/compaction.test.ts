import { beforeEach, describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import { MAIN_AGENT, type SessionId } from '../../src-shared/ids.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { contextOf, spentOf } from '../../src-shared/session/tokens.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';
import { CANNOT_SHORTEN, GO_ON_FROM_CUT, STILL_TOO_LONG } from '../core/compaction/words.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import type { HookFacts } from '../core/hooks/hook-input.ts';
import type { MergedHooks } from '../core/hooks/merge.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { ModelFailure, type ModelItem } from '../ports/model-provider.ts';
import { AgentBench, starts } from './testing/agent-bench.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, HandModel, says, uses } from './testing/hand-model.ts';
import { SessionBench, told } from './testing/session-bench.ts';

const started: SessionEvent = {
  type: 'session-started',
  seq: 0,
  at: instant(0),
  t: sessionTime(0),
  sessionId: 'session-1' as SessionId,
  title: 'shop',
  cwd: '/work',
  origin: {
    kind: 'live',
    provider: 'anthropic',
    model: { provider: 'anthropic', model: 'claude-x', contextWindow: 1_000 },
  },
  app: 'test',
  settings: defaultSettings(),
};

let model: HandModel;
let hooks: FakeHookRunner;
let compactAnswer: Partial<MergedHooks> | undefined;
let bench: SessionBench;
beforeEach(() => {
  compactAnswer = undefined;
  hooks = new FakeHookRunner(({ event }) => (event === 'PreCompact' ? compactAnswer : undefined));
  bench = open();
});

function open(past: readonly SessionEvent[] = [started], first = 1): SessionBench {
  model = new HandModel();
  const own = model;
  return new SessionBench({ past, hooks, newId: countingIds(first), more: { providerFor: () => own } });
}

const ended = (inputTokens: number, stopReason: 'end-turn' | 'tool-use' = 'end-turn'): ModelItem => ({
  type: 'message-ended',
  stopReason,
  usage: { inputTokens, outputTokens: 10 },
});

/** A turn with one call and words; `tokens` is how full it leaves the context. */
async function turn(text: string, call: string, result: string, tokens: number): Promise<void> {
  await bench.send(text);
  await model.now.send(begins(`m-${call}`), uses(call, 'Look'), ended(100, 'tool-use'));
  bench.tools.call(call).end(result);
  await quiet();
  await model.now.send(begins(`n-${call}`), says(`Seen ${call}.`), ended(tokens));
}

const texts = (): readonly string[] => told(bench.conversation);
const compactions = () => bench.all('context-compacted');
const eventsHeard = () => hooks.inputs.map((input: HookFacts) => input.event);

describe('a context that is nearly full', () => {
  test('is compacted before the next request; the summary stands first, what waits for an answer follows', async () => {
    await turn('First', 'a', 'x'.repeat(900), 900);
    await bench.send('Second');
    const asked = model.now.request;
    expect(asked).toMatchObject({ purpose: 'compact', agent: { agentId: MAIN_AGENT } });
    expect(faultsOfRequest(asked.messages)).toEqual([]);
    expect(told(asked.messages).slice(0, 5)).toEqual([
      'user: First',
      'model: [Look a]',
      `result a: ${'x'.repeat(900)}`,
      'model: Seen a.',
      'user: Second',
    ]);
    await model.now.send(begins('s'), says('<summary>They asked for a.</summary>'), ended(950));

    const { request } = model.now;
    expect(request.purpose).toBeUndefined();
    expect(faultsOfRequest(request.messages)).toEqual([]);
    expect(texts()).toEqual([
      expect.stringContaining('<summary>\nThey asked for a.\n</summary>'),
      'model: Seen a.',
      'user: Second',
    ]);
    expect(compactions()).toMatchObject([
      { trigger: 'auto', entriesBefore: 2, answersBefore: 1, tokensBefore: expect.any(Number) },
    ]);
    const { tokensBefore = 0, tokensAfter = 0 } = compactions()[0] ?? {};
    expect(tokensBefore).toBeGreaterThanOrEqual(910);
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.7);
    expect(contextOf(bench.log.state)).toMatchObject({ used: tokensAfter, window: 1_000 });
    expect(bench.all('request-started').map(({ purpose }) => purpose)).toEqual([
      undefined,
      undefined,
      'compact',
      undefined,
    ]);
    // The summary's own request has cost something too.
    expect(spentOf(bench.log.state).tokensIn).toBe(100 + 900 + 950);
    expect(bench.log.state.entries.filter((entry) => entry.kind === 'assistant')).toHaveLength(2);

    await model.now.send(begins('n'), says('Done.'), ended(300));
    await bench.send('Third');
    const later = model.now.request.messages;
    expect(later.slice(0, request.messages.length)).toEqual(request.messages);
  });

  test('tells hooks before and after, and takes a no', async () => {
    compactAnswer = { block: { reason: 'not now', hidesPrompt: false } };
    await turn('First', 'a', 'x'.repeat(900), 900);
    await bench.send('Second');
    expect(compactions()).toEqual([]);
    expect(model.now.request.purpose).toBeUndefined();
    expect(bench.all('notice-given').map(({ text }) => text)).toEqual([
      'The conversation was not compacted: a hook said no: not now',
    ]);
    expect(eventsHeard().filter((event) => event === 'PreCompact')).toHaveLength(1);
  });

  test('that cannot be summed up is sent as it is, and the session says so', async () => {
    await turn('First', 'a', 'x'.repeat(900), 900);
    await bench.send('Second');
    await model.now.break(new ModelFailure('bad-request', 'No summaries here.', { retry: false }));
    expect(compactions()).toEqual([]);
    expect(bench.all('notice-given')).toMatchObject([
      { text: 'The conversation could not be compacted. It goes on as it is.', detail: 'No summaries here.' },
    ]);
    expect(told(model.now.request.messages).at(-1)).toBe('user: Second');
    await model.now.send(begins('n'), says('Done.'), ended(920));
    expect(bench.session.running).toBe(false);
  });

  test('is compacted in the middle of a turn too, with the results that wait to be sent', async () => {
    await turn('First', 'a', 'x'.repeat(900), 300);
    await bench.send('Second');
    await model.now.send(begins('m2'), uses('b', 'Look'), ended(880, 'tool-use'));
    bench.tools.call('b').end('short');
    await quiet();
    expect(model.now.request.purpose).toBe('compact');
    await model.now.send(begins('s'), says('Both.'), ended(900));
    expect(faultsOfRequest(model.now.request.messages)).toEqual([]);
    expect(told(model.now.request.messages).slice(1)).toEqual([
      'model: Seen a.',
      'user: Second',
      'model: [Look b]',
      'result b: short',
    ]);
  });
});

describe('a conversation that the model finds too long', () => {
  test('is shown as a text for its summary, and asked again', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    await model.now.break(new ModelFailure('too-long', 'prompt is too long', { retry: false }));
    const { request } = model.now;
    expect(request).toMatchObject({ purpose: 'compact', tools: [] });
    expect(told(request.messages)).toEqual([expect.stringContaining('Person: First')]);
    await model.now.send(begins('s'), says('Short.'), ended(200));
    expect(compactions()).toMatchObject([{ trigger: 'too-long' }]);
    expect(eventsHeard()).toEqual(expect.arrayContaining(['PreCompact', 'SessionStart']));
    expect(bench.all('request-started').at(-1)).toMatchObject({ attempt: 2 });
    await model.now.send(begins('n'), says('Done.'), ended(200));
    expect(bench.all('turn-ended').at(-1)).toMatchObject({ reason: 'completed' });
  });

  test('and is so again ends the turn with its error', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    const tooLong = new ModelFailure('too-long', 'prompt is too long', { retry: false });
    await model.now.break(tooLong);
    await model.now.send(begins('s'), says('Short.'), ended(200));
    await model.now.break(tooLong);
    expect(bench.all('turn-ended').at(-1)).toMatchObject({
      reason: 'error',
      message: `prompt is too long ${STILL_TOO_LONG}`,
    });
    expect(compactions()).toHaveLength(1);
  });

  test('and that has nothing to sum up yet ends the turn with what can be done', async () => {
    await bench.send('First');
    await model.now.break(new ModelFailure('too-long', 'prompt is too long', { retry: false }));
    expect(bench.all('turn-ended').at(-1)?.message).toBe(`prompt is too long ${CANNOT_SHORTEN}`);
  });
});

describe('a message that fills the window', () => {
  const cut = (tokens = 1_000): ModelItem => ({
    type: 'message-ended',
    stopReason: 'model-context-window-exceeded',
    usage: { inputTokens: tokens, outputTokens: 10 },
  });

  test('has the conversation compacted, and goes on where it was cut off', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    await model.now.send(begins('m2'), says('Half of'), cut());
    const { request } = model.now;
    expect(request).toMatchObject({ purpose: 'compact', tools: [] });
    expect(hooks.inputs).toContainEqual(expect.objectContaining({ event: 'PreCompact', trigger: 'auto' }));
    await model.now.send(begins('s'), says('Short.'), ended(200));
    expect(compactions()).toMatchObject([{ trigger: 'too-long' }]);
    expect(faultsOfRequest(model.now.request.messages)).toEqual([]);
    expect(texts().slice(-2)).toEqual(['model: Half of', `user: ${GO_ON_FROM_CUT}`]);
    await model.now.send(begins('n'), says('it.'), ended(200));
    expect(bench.all('turn-ended').at(-1)).toMatchObject({ reason: 'completed' });
    expect(bench.all('notice-given').map(({ text }) => text)).toEqual([
      'The message was cut off: the model’s context window is full.',
    ]);
  });

  test('and has calls is answered with their results; a call that was cut off never starts', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    const broken: ModelItem = { type: 'broken-tool-use', id: 'c', name: 'Look', problem: 'Not whole.' };
    await model.now.send(begins('m2'), uses('b', 'Look'), broken, cut());
    expect(model.now.request.purpose).toBeUndefined();
    bench.tools.call('b').end('seen');
    await quiet();
    expect(model.now.request.purpose).toBe('compact');
    await model.now.send(begins('s'), says('Short.'), ended(200));
    expect(faultsOfRequest(model.now.request.messages)).toEqual([]);
    expect(texts().slice(-2)).toEqual([
      'result b: seen',
      'result c (error): <tool_use_error>Not whole.</tool_use_error>',
    ]);
  });

  test('twice in a row ends the turn with clear words; later it is compacted again', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    await model.now.send(begins('m2'), says('Half'), cut());
    await model.now.send(begins('s'), says('Short.'), ended(200));
    await model.now.send(begins('m3'), says('Again half'), cut());
    expect(bench.all('turn-ended').at(-1)).toMatchObject({
      reason: 'error',
      message: `The model’s context window is full. ${STILL_TOO_LONG}`,
    });
    expect(compactions()).toHaveLength(1);
    await bench.send('Third');
    await model.now.send(begins('m4'), says('And again'), cut());
    expect(model.now.request.purpose).toBe('compact');
  });

  test('is not compacted against the word of a hook', async () => {
    compactAnswer = { block: { reason: 'not now', hidesPrompt: false } };
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    await model.now.send(begins('m2'), says('Half'), cut());
    expect(bench.all('turn-ended').at(-1)).toMatchObject({
      reason: 'error',
      message: `The model’s context window is full. ${CANNOT_SHORTEN}`,
    });
    expect(texts().at(-1)).toBe('model: Half');
  });

  test('and is stopped while it is compacted says so', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    await model.now.send(begins('m2'), says('Half'), cut());
    await bench.interrupt('escape');
    expect(bench.all('turn-ended').at(-1)).toMatchObject({ reason: 'interrupted' });
    expect(texts().slice(-2)).toEqual(['model: Half', 'user: [Request interrupted by user]']);
  });
});

describe('a person', () => {
  test('has the conversation compacted between turns, with a wish', async () => {
    expect(() => bench.session.compact('')).toThrow(FailureError);
    await turn('First', 'a', 'x'.repeat(900), 100);
    expect(bench.session.compact('keep the prices')).toBe(false);
    await quiet();
    expect(told(model.now.request.messages).at(-1)).toContain('The user wants this of the summary: keep the prices');
    expect(hooks.inputs.at(-1)).toMatchObject({
      event: 'PreCompact',
      trigger: 'manual',
      customInstructions: 'keep the prices',
    });
    // What is typed meanwhile waits for it.
    expect(await bench.send('Second')).toBe(true);
    await model.now.send(begins('s'), says('Prices.'), ended(200));
    expect(compactions()).toMatchObject([{ trigger: 'manual', instructions: 'keep the prices' }]);
    expect(told(model.now.request.messages).at(-1)).toBe('user: Second');
  });

  test('stops it with Escape, and nothing has changed', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    bench.session.compact('');
    await quiet();
    await bench.interrupt('escape');
    expect(bench.session.running).toBe(false);
    expect(compactions()).toEqual([]);
    expect(texts().at(-1)).toBe('model: Seen a.');
    expect(bench.all('turn-ended').at(-1)).toMatchObject({ reason: 'interrupted' });
  });

  test('asks for it while a turn runs: it comes before the next request, or behind the turn', async () => {
    await turn('First', 'a', 'x'.repeat(900), 100);
    await bench.send('Second');
    expect(bench.session.compact('')).toBe(true);
    await model.now.send(begins('n'), says('Done.'), ended(150));
    expect(model.now.request.purpose).toBe('compact');
    await model.now.send(begins('s'), says('All.'), ended(200));
    expect(compactions()).toHaveLength(1);
    expect(bench.session.running).toBe(false);
  });
});

test('no result points to one that the summary took the place of', async () => {
  const long = 'same '.repeat(300);
  await turn('First', 'a', long, 100);
  await turn('Again', 'b', long, 100);
  expect(bench.all('result-deduplicated')).toMatchObject([{ callId: 'b', sameAs: 'a' }]);
  bench.session.compact('');
  await quiet();
  await model.now.send(begins('s'), says('Looked.'), ended(200));
  expect(JSON.stringify(bench.conversation)).not.toContain('earlier call');
  await turn('And again', 'c', long, 100);
  expect(bench.all('result-deduplicated')).toHaveLength(1);
  expect(texts()).toContain(`result c: ${long}`);
  await turn('Once more', 'd', long, 100);
  expect(bench.all('result-deduplicated').at(-1)).toMatchObject({ callId: 'd', sameAs: 'c' });
});

test('a session that is opened again goes on with the summary, byte for byte', async () => {
  await turn('First', 'a', 'x'.repeat(900), 900);
  await bench.send('Second');
  await model.now.send(begins('s'), says('They asked for a.'), ended(950));
  await model.now.send(begins('n'), says('Done.'), ended(300));
  const sent = bench.conversation;
  await bench.session.close('closed');
  bench = open([started, ...bench.store.events], 1_000);
  await bench.send('Third');
  expect(JSON.stringify(model.now.request.messages.slice(0, sent.length))).toBe(JSON.stringify(sent));
});

test('a sub-agent is compacted by itself, and an opened journal sends its results in the same bytes', async () => {
  const on: AgentBench = new AgentBench({ hooks, more: { providerFor: () => on.model } });
  on.log.append({
    type: 'model-chosen',
    model: { provider: 'anthropic', model: 'claude-x', contextWindow: 1_000 },
  });
  await on.send('Hello');
  await on.say('', starts('order', 'find'));
  const long = 'same '.repeat(300);
  for (const [call, tokens] of [
    ['a', 100],
    ['b', 100],
  ] as const) {
    await on.of('find').send(begins(`m-${call}`), uses(call, 'Look'), ended(tokens, 'tool-use'));
    on.hand.call(call).end(long);
    await quiet();
  }
  expect(on.all('result-deduplicated')).toMatchObject([{ callId: 'b', sameAs: 'a' }]);
  await on.of('find').send(begins('m-c'), uses('c', 'Look'), ended(900, 'tool-use'));
  on.hand.call('c').end('short');
  await quiet();
  expect(on.of('find').request).toMatchObject({ purpose: 'compact', agent: { agentId: on.agentId('find') } });
  await on.of('find').send(begins('s'), says('Looked twice.'), ended(950));
  const { messages } = on.of('find').request;
  expect(faultsOfRequest(messages)).toEqual([]);
  expect(JSON.stringify(messages[0])).toContain('Looked twice.');
  expect(JSON.stringify(messages)).not.toContain('earlier call');
  expect(compactionsIn(on)).toMatchObject([{ agentId: on.agentId('find'), trigger: 'auto' }]);
  expect(hooks.inputs.filter(({ event }) => event === 'SessionStart')).toHaveLength(1);
  const read = foldSession(JSON.parse(JSON.stringify(on.log.events)) as SessionEvent[]);
  expect(JSON.stringify(apiMessages(read, on.agentId('find')))).toBe(JSON.stringify(messages));
  await on.of('find').send(begins('n'), says('Found.'), ended(300));
  expect(on.result('order')).toContain('Found.');
});

const compactionsIn = (on: AgentBench) => on.all('context-compacted');
