import { afterEach, beforeEach, expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { ModelFailure, type ModelItem, type ModelProvider, type ModelRequest } from '../../ports/model-provider.ts';
import type { AnyTool } from '../../ports/tool.ts';
import { advisorTool } from './advisor.ts';
import { Workbench } from './workbench.fixture.ts';

let bench: Workbench;
const clock = new ManualClock();
beforeEach(() => {
  bench = new Workbench();
  bench.host = { conversation: () => [{ role: 'user', content: [{ type: 'text', text: 'Fix the tax.' }] }] };
});
afterEach(() => bench.dispose());

const asked: ModelRequest[] = [];
type Says = (signal: AbortSignal) => AsyncIterable<ModelItem>;
const provider = (says: Says): ModelProvider => ({
  name: 'anthropic',
  model: 'wise-1',
  stream: (request, signal) => {
    asked.push(request);
    return says(signal);
  },
});
function toolOf(says: Says): AnyTool {
  const tool = advisorTool({ model: () => provider(says), clock });
  if (tool === undefined) throw new Error('it is not offered');
  return tool;
}
const ended: ModelItem = { type: 'message-ended', stopReason: 'end-turn', usage: {} };

test('it is shown the conversation and the question, has no tools, and its words come back', async () => {
  const tool = toolOf(async function* () {
    yield { type: 'growing', kind: 'text', added: 'Test ' };
    yield { type: 'thinking', text: 'hm' };
    yield { type: 'text', text: 'Test it first.' };
    yield ended;
  });
  const { ending, text } = await bench.run(tool, { question: 'Is it right?' });
  expect(text).toBe('(wise-1 advises)\nTest it first.');
  expect(tool.mapResult(ending.output).display).toEqual({ redactable: true, provider: 'anthropic', model: 'wise-1' });
  expect(bench.progress).toMatchObject([{ tail: 'Test ' }]);
  expect(bench.spent).toEqual([{ model: 'wise-1', usage: {} }]);
  expect(asked.at(-1)).toMatchObject({
    tools: [],
    messages: [
      {
        role: 'user',
        content: [
          {
            text: '<conversation>\nPerson: Fix the tax.\n</conversation>\n\n<question>\nIs it right?\n</question>',
          },
        ],
      },
    ],
  });
});

test('without a model, or with one switched off, it is not offered; switched off later it says so', async () => {
  expect(advisorTool({ model: () => undefined, clock })).toBeUndefined();
  let model: ModelProvider | undefined = provider(async function* () {
    yield ended;
  });
  const tool = advisorTool({ model: () => model, clock });
  model = undefined;
  if (tool === undefined) throw new Error('it is not offered');
  await expect(bench.run(tool, { question: 'x' })).rejects.toThrow('The advisor has been switched off.');
});

test('a failure, an empty answer and silence are said in words', async () => {
  const failing = toolOf(async function* () {
    yield* [];
    throw new ModelFailure('auth', 'The key is not valid.', { retry: false });
  });
  await expect(bench.run(failing, { question: 'x' })).rejects.toThrow(
    'The advisor could not answer: The key is not valid.',
  );
  const empty = toolOf(async function* () {
    yield ended;
  });
  await expect(bench.run(empty, { question: 'x' })).rejects.toThrow('answered without a word');
  const silent = bench.run(
    toolOf(async function* (signal) {
      yield* [];
      clock.advance(millis(300_000));
      await untilAborted(signal);
    }),
    { question: 'x' },
  );
  await expect(silent).rejects.toThrow('The advisor did not answer within 5 minutes.');
});

test('a call that is stopped stops', async () => {
  const stop = new AbortController();
  const stopped = bench.run(
    toolOf(async function* (signal) {
      yield* [];
      stop.abort('escape');
      await untilAborted(signal);
    }),
    { question: 'x' },
    stop.signal,
  );
  await expect(stopped).rejects.toBe('escape');
});

test('it needs no question to the person, and may run beside others', async () => {
  const tool = toolOf(async function* () {
    yield ended;
  });
  expect(await tool.checkPermissions({ question: 'x' }, bench.context)).toMatchObject({ verdict: 'allow' });
  expect(tool.isConcurrencySafe({ question: 'x' })).toBe(true);
});

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error('aborted'));
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
