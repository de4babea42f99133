import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallId } from '../../../src-shared/ids.ts';
import { textResult } from '../../../src-shared/tool-call/content.ts';
import { type MessageResult, replacementsFor } from './message-results.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const id = (name: string): CallId => name as CallId;
const result = (name: string, text: string, more: Partial<MessageResult> = {}): MessageResult => ({
  callId: id(name),
  result: textResult(text),
  mayBeSaved: true,
  isSaved: false,
  fingerprint: text,
  ...more,
});
const none = new Map<string, CallId>();
const SAVED = 2_300;

test('results within the budget that nobody has seen before stay as they are', () => {
  expect(
    replacementsFor([result('a', 'x'.repeat(5_000)), result('b', 'y'.repeat(5_000))], none, 10_000, SAVED),
  ).toEqual([]);
});

test('over the budget the largest goes to disk first, and only as many as are needed', () => {
  const results = [
    result('small', 'a'.repeat(20_000)),
    result('big', 'b'.repeat(60_000)),
    result('mid', 'c'.repeat(40_000)),
  ];
  expect(replacementsFor(results, none, 70_000, SAVED)).toEqual([{ kind: 'save', callId: 'big' }]);
  expect(replacementsFor(results, none, 30_000, SAVED)).toEqual([
    { kind: 'save', callId: 'big' },
    { kind: 'save', callId: 'mid' },
  ]);
});

test('a tool that bounds itself is never saved, however far over the budget the message is', () => {
  const results = [result('read', 'a'.repeat(300_000), { mayBeSaved: false }), result('bash', 'b'.repeat(10_000))];
  expect(replacementsFor(results, none, 200_000, SAVED)).toEqual([{ kind: 'save', callId: 'bash' }]);
});

test('a result equal to an earlier one, or to one of the same message, becomes a reference to the first', () => {
  const text = 'same '.repeat(300);
  const earlier = new Map([[text, id('first')]]);
  expect(replacementsFor([result('again', text)], earlier, 1e6, SAVED)).toEqual([
    { kind: 'duplicate', callId: 'again', sameAs: 'first' },
  ]);
  expect(replacementsFor([result('one', text), result('two', text), result('three', text)], none, 1e6, SAVED)).toEqual([
    { kind: 'duplicate', callId: 'two', sameAs: 'one' },
    { kind: 'duplicate', callId: 'three', sameAs: 'one' },
  ]);
});

test('a short result is repeated rather than pointed to, and so is one with an image', () => {
  const short = 'x'.repeat(1_000);
  expect(replacementsFor([result('a', short), result('b', short)], none, 1e6, SAVED)).toEqual([]);
  const picture: MessageResult = {
    ...result('b', 'long '.repeat(400)),
    result: {
      content: [
        { type: 'text', text: 'long '.repeat(400) },
        { type: 'image', mediaType: 'image/png', data: '' },
      ],
      isError: false,
    },
  };
  expect(replacementsFor([result('a', 'long '.repeat(400)), picture], none, 1e6, SAVED)).toEqual([]);
});

test('whatever comes, either the budget is kept or nothing that may be saved is left over (property)', () => {
  const one = fc.record({ size: fc.integer({ min: 0, max: 60_000 }), mayBeSaved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.integer({ min: 1, max: 200_000 }), (sizes, budget) => {
      const results = sizes.map(({ size, mayBeSaved }, i) =>
        result(`c${i}`, `${i}`.padEnd(size, '.'), { mayBeSaved, fingerprint: String(i) }),
      );
      const saved = new Set(replacementsFor(results, none, budget, SAVED).map(({ callId }) => callId));
      const sum = results.reduce((total, each) => {
        const text = each.result.content[0];
        return total + (saved.has(each.callId) ? SAVED : text?.type === 'text' ? text.text.length : 0);
      }, 0);
      const leftOver = results.filter((each) => each.mayBeSaved && !saved.has(each.callId));
      return sum <= budget || leftOver.every((each) => JSON.stringify(each.result.content).length <= SAVED + 40);
    }),
  );
});
