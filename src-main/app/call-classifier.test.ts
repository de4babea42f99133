import { describe, expect, test } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { fixedClassifier, HandClassifier } from '../ports/classifier.fake.ts';
import { type Classifier, ruleClassifier } from '../ports/classifier.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { type BenchOptions, ExecutorBench, quiet } from './testing/bench.ts';
import { HandTools } from './testing/hand-tools.ts';
import { type Answer, pre, ran, verdict } from './testing/hook-words.ts';

const tools = () =>
  new HandTools([
    new HandTools().tool('Bash', {
      checkPermissions: async () => ({ verdict: 'pass', because: 'Not read-only' }),
    }),
  ]);

function bench(classifier: Classifier, options: BenchOptions & { readonly says?: Answer } = {}): ExecutorBench {
  const { says, ...more } = options;
  const hooks = new FakeHookRunner(pre(says));
  return new ExecutorBench({ mode: 'auto', tools: tools(), hooks, classifier, ...more });
}

const ends = (on: ExecutorBench) => on.all('classifier-ended').map(({ verdict, reason }) => [verdict, reason]);
const settled = (on: ExecutorBench) => on.all('permission-settled').map(({ verdict, by }) => `${verdict} by ${by}`);
const order = (on: ExecutorBench, ...types: readonly string[]) =>
  on.log.events.flatMap(({ type }) => (types.includes(type) ? [type] : []));

describe('in mode auto', () => {
  test('what it allows runs, and the trace and the events name it with its time', async () => {
    const classifier = new HandClassifier();
    const on = bench(classifier);
    await on.add('a', 'Bash', 'npm test');
    expect(ran(on, 'a')).toBe(false);
    await on.advance(40);
    classifier.now.say('allow', 'tests change nothing');
    await quiet();
    expect(ran(on, 'a')).toBe(true);
    expect(settled(on)).toEqual(['allow by classifier']);
    expect(on.all('permission-settled')[0]?.trace.at(-1)).toEqual({
      step: 'classifier',
      verdict: 'allow',
      text: 'The classifier hand allows it',
      detail: 'tests change nothing · 40 ms',
    });
    expect(on.all('classifier-ended')).toMatchObject([{ callId: 'a', name: 'hand', verdict: 'allow', ms: 40 }]);
    expect(on.log.state.calls[0]?.classified).toMatchObject([{ name: 'hand', end: { verdict: 'allow', ms: 40 } }]);
  });

  test.each([
    ['is unsure', fixedClassifier('ask'), 'it always says so'],
    ['fails', fixedClassifier('fails'), 'it failed: it is broken'],
  ])('a person is asked when it %s', async (_, classifier, reason) => {
    const on = bench(classifier);
    await on.add('a', 'Bash', 'npm test');
    expect(ends(on)).toEqual([['ask', reason]]);
    expect(
      on
        .all('permission-asked')[0]
        ?.trace.some(({ step, detail }) => step === 'classifier' && detail?.startsWith(reason)),
    ).toBe(true);
    expect(ran(on, 'a')).toBe(false);
  });

  test('a person is asked when it says nothing for ten seconds, and what it says later does not count', async () => {
    const classifier = new HandClassifier();
    const on = bench(classifier);
    await on.add('a', 'Bash', 'npm test');
    await on.advance(9_999);
    expect(on.all('permission-asked')).toEqual([]);
    await on.advance(1);
    expect(ends(on)).toEqual([['ask', 'it said nothing within 10 s']]);
    expect(classifier.now.signal.aborted).toBe(true);
    classifier.now.say('allow');
    await quiet();
    expect([on.all('permission-asked').length, ran(on, 'a')]).toEqual([1, false]);
    expect(on.all('classifier-ended')).toHaveLength(1);
  });

  test('it begins on a command beside the hooks, and is waited for only afterwards', async () => {
    const classifier = new HandClassifier();
    let finish: (answer: undefined) => void = () => undefined;
    const hooks = new Promise<undefined>((resolve) => {
      finish = resolve;
    });
    const on = bench(classifier, { says: hooks });
    await on.add('a', 'Bash', 'npm test');
    expect(classifier.looks).toHaveLength(1);
    expect(on.all('stage-ended').some(({ stage }) => stage === 'hooks-before')).toBe(false);
    classifier.now.say('allow');
    await quiet();
    expect(ran(on, 'a')).toBe(false);
    finish(undefined);
    await quiet();
    expect(ran(on, 'a')).toBe(true);
    expect(classifier.looks).toHaveLength(1);
  });

  test('it looks anew at an input that a hook has changed', async () => {
    const classifier = new HandClassifier();
    const on = bench(classifier, { says: { updatedInput: { command: 'npm run lint' } } });
    await on.add('a', 'Bash', 'npm test');
    expect(classifier.looks.map(({ input }) => input.use.input)).toEqual([
      { command: 'npm test' },
      { command: 'npm run lint' },
    ]);
    expect(classifier.looks[0]?.signal.aborted).toBe(true);
    classifier.looks[0]?.say('allow');
    await quiet();
    expect(ran(on, 'a')).toBe(false);
    classifier.now.say('ask');
    await quiet();
    expect(ends(on)).toEqual([
      ['stopped', 'the input was changed'],
      ['ask', 'it says so'],
    ]);
    expect(on.all('permission-asked')).toHaveLength(1);
  });

  test('it is stopped when the chain does not come to it, or a hook denies', async () => {
    const classifier = new HandClassifier();
    const ruled = bench(classifier, { rules: { deny: [{ text: 'Bash(npm:*)', scope: 'user' }] } });
    await ruled.add('a', 'Bash', 'npm test');
    expect([settled(ruled), classifier.now.signal.aborted]).toEqual([['deny by rule'], true]);
    const hooked = bench(classifier, { says: { ...verdict('deny'), denial: 'no' } });
    await hooked.add('b', 'Bash', 'npm test');
    expect([settled(hooked), ends(hooked)]).toEqual([['deny by hook'], [['stopped', 'nobody waits for it any more']]]);
    expect(order(hooked, 'classifier-ended', 'call-completed')).toEqual(['classifier-ended', 'call-completed']);
    expect([ruled.clock.pending, hooked.clock.pending]).toEqual([0, 0]);
  });

  test('its yes lifts no hook’s ask', async () => {
    const on = bench(fixedClassifier('allow'), { says: verdict('ask') });
    await on.add('a', 'Bash', 'npm test');
    expect([on.all('permission-asked').length, ran(on, 'a')]).toEqual([1, false]);
  });

  test('a call that is stopped stops it too', async () => {
    const classifier = new HandClassifier();
    const on = bench(classifier);
    await on.add('a', 'Bash', 'npm test');
    on.executor.interrupt('escape');
    await quiet();
    expect(classifier.now.signal.aborted).toBe(true);
    expect(ends(on)).toEqual([['stopped', 'the call was stopped']]);
    expect([settled(on), on.outcome('a')]).toEqual([['deny by cancelled'], 'interrupted']);
    expect(on.clock.pending).toBe(0);
  });

  test('other tools are looked at only when the chain comes to it', async () => {
    const classifier = new HandClassifier();
    const on = bench(classifier, { rules: { deny: [{ text: 'Ask', scope: 'user' }] } });
    await on.add('a', 'Ask', 'x');
    expect(classifier.looks).toEqual([]);
    on.rules = { ...on.rules, deny: [] };
    await on.add('b', 'Ask', 'x');
    expect(classifier.looks).toHaveLength(1);
  });

  test('the built-in one lets edits in the working folders run, and asks about the rest', async () => {
    const on = bench(ruleClassifier);
    await on.add('a', 'Bash', 'mkdir -p src/tax');
    expect([ran(on, 'a'), settled(on)]).toEqual([true, ['allow by classifier']]);
    on.tools.calls.clear();
    await on.messageEnds();
    const other = bench(ruleClassifier);
    await other.add('b', 'Bash', 'npm install');
    expect([ran(other, 'b'), other.all('permission-asked').length]).toEqual([false, 1]);
  });
});

test('in other modes nobody asks it', async () => {
  const classifier = new HandClassifier();
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
    const on = bench(classifier, { mode });
    await on.add('a' as CallId, 'Bash', 'npm test');
  }
  expect(classifier.looks).toEqual([]);
});

test('without a classifier mode auto asks', async () => {
  const on = new ExecutorBench({ mode: 'auto', tools: tools() });
  await on.add('a', 'Bash', 'npm test');
  expect(on.all('permission-asked')).toHaveLength(1);
  expect(on.all('classifier-started')).toEqual([]);
});
