import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTorn } from './torn-json.ts';

const whole = '{"id":"a","messages":[{"n":1,"t":"x \\" y"},{"n":2},{"n":3}],"end":true}';

test('a text that is cut off keeps what came before', () => {
  expect(parseTorn(whole.slice(0, whole.indexOf('{"n":3'))).value).toEqual({
    id: 'a',
    messages: [{ n: 1, t: 'x " y' }, { n: 2 }],
  });
  expect(parseTorn(whole.slice(0, 30)).value).toEqual({ id: 'a', messages: [{ n: 1 }] });
});

test('whole objects after a torn place are found again', () => {
  const torn = parseTorn(whole.replace('{"n":2}', '{"n":2'));
  expect(torn.value).toEqual({ id: 'a', messages: [{ n: 1, t: 'x " y' }, { n: 2 }] });
  expect(torn.rest).toEqual([{ n: 3 }]);
  expect(parseTorn(whole.replace('"n":2', '"n":')).rest).toEqual([{ n: 3 }]);
});

test('what is no JSON is nothing', () => {
  for (const text of ['', 'hello', '\u0000\u0000', '"open']) {
    expect(parseTorn(text)).toMatchObject({ value: undefined, rest: [] });
  }
});

test('deep nesting does not run out of stack', () => {
  expect(() => parseTorn('['.repeat(200_000))).not.toThrow();
});

test('every start of a JSON text can be read, and says nothing that the whole does not say (seed 11)', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const text = JSON.stringify(list);
      const { value } = parseTorn(text.slice(0, Math.floor(share * text.length)));
      const read = Array.isArray(value) ? value : [];
      expect(read.length).toBeLessThanOrEqual(list.length);
      // All but the last are whole.
      expect(read.slice(0, -1)).toEqual((JSON.parse(text) as unknown[]).slice(0, Math.max(0, read.length - 1)));
    }),
    { seed: 11, numRuns: 200 },
  );
});
