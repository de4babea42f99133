import { expect, test } from 'vitest';
import { spentOf } from '../../src-shared/session/tokens.ts';
import { millis } from '../../src-shared/units.ts';
import { modelClassifier } from '../adapters/classifier/model-classifier.ts';
import { advisorTool } from '../adapters/tools/advisor.ts';
import { afterRules } from '../ports/classifier.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import type { ModelItem, ModelProvider } from '../ports/model-provider.ts';
import { quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { SessionBench } from './testing/session-bench.ts';

const USAGE = { inputTokens: 1_000, outputTokens: 100 };
const spent: ModelItem = { type: 'message-ended', stopReason: 'end-turn', usage: USAGE };

/** A model in the test's hand by a name that has a price. */
function known(model: string): { readonly hand: HandModel; readonly provider: ModelProvider } {
  const hand = new HandModel();
  return { hand, provider: { name: 'anthropic', model, stream: (request, signal) => hand.stream(request, signal) } };
}

async function advised() {
  const advisor = known('claude-opus-4-1');
  const tool = advisorTool({ model: () => advisor.provider, clock: new ManualClock() });
  if (tool === undefined) throw new Error('it is not offered');
  const bench = new SessionBench({ tools: new HandTools([tool]) });
  await bench.send('Fix it');
  const ask: ModelItem = { type: 'tool-use', id: 'a', name: 'Advisor', input: { question: 'Is it right?' } };
  await bench.model.now.send(begins(), ask, ends('tool-use'));
  return { bench, advisor: advisor.hand };
}

async function classified() {
  const judge = known('claude-haiku-4-5');
  const bench = new SessionBench({
    settings: { mode: 'auto' },
    tools: new HandTools([
      new HandTools().tool('Bash', { checkPermissions: async () => ({ verdict: 'pass', because: 'Not read-only' }) }),
    ]),
    more: { classifier: afterRules(modelClassifier(judge.provider)) },
  });
  await bench.send('Test it');
  await bench.model.now.send(begins(), uses('a', 'Bash', 'npm test'), ends('tool-use'));
  return { bench, judge: judge.hand };
}

test('what an advisor took counts in the session, with the price of its own model', async () => {
  const { bench, advisor } = await advised();
  await advisor.now.send(says('Test it first.'), spent);
  // (1,000 × $15 + 100 × $75) a million, beside the one token of the message that asked.
  expect(spentOf(bench.log.state)).toEqual({ tokensIn: 1_000, tokensOut: 101, cost: 0.0225 });
  expect(bench.all('call-spent')).toMatchObject([{ callId: 'a', model: 'claude-opus-4-1' }]);
  // It is none of the conversation.
  expect(bench.all('request-started')).toHaveLength(2);
});

test('it counts where the advisor had not a word to say, and nothing where it was stopped before', async () => {
  const wordless = await advised();
  await wordless.advisor.now.send(spent);
  expect(wordless.bench.all('call-completed')).toMatchObject([{ outcome: 'error' }]);
  expect(spentOf(wordless.bench.log.state).cost).toBe(0.0225);
  const stopped = await advised();
  await stopped.bench.interrupt('escape');
  expect(stopped.bench.all('call-completed')).toHaveLength(1);
  expect(stopped.bench.log.state.asides).toEqual([]);
});

test('what a model took to look at a call counts in the session, whatever it said', async () => {
  for (const [words, verdict] of [
    ['ALLOW', 'allow'],
    ['no '.repeat(100), 'ask'],
  ] as const) {
    const { bench, judge } = await classified();
    await judge.now.send(says(words), spent);
    expect(bench.all('classifier-ended')).toMatchObject([{ verdict, model: 'claude-haiku-4-5' }]);
    // (1,000 × $1 + 100 × $5) a million.
    expect(spentOf(bench.log.state)).toEqual({ tokensIn: 1_000, tokensOut: 101, cost: 0.0015 });
  }
});

test('a look that was over before the model had answered tells no tokens', async () => {
  const { bench, judge } = await classified();
  bench.clock.advance(millis(10_000));
  await quiet();
  await judge.now.send(spent);
  const [end] = bench.all('classifier-ended');
  expect(end).toMatchObject({ verdict: 'ask', reason: 'it said nothing within 10 s' });
  expect([end?.usage, bench.log.state.asides]).toEqual([undefined, []]);
});
