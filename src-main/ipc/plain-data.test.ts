import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataProblem } from './plain-data.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const limits = { characters: 1_000, parts: 100 };
const problem = (value: unknown) => dataProblem(value, limits);

test('whatever JSON can hold is plain data', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const hasProto = JSON.stringify(value).includes('"__proto__"');
      expect(hasProto || dataProblem(value, { characters: 1e9, parts: 1e9 }) === undefined).toBe(true);
    }),
  );
  expect(problem(undefined)).toBeUndefined();
  expect(problem(vm.runInNewContext('({ a: [{ b: null }] })'))).toBeUndefined();
});

describe('refused is', () => {
  const itself: { self?: unknown } = {};
  itself.self = itself;
  test.each<[string, unknown, string]>([
    ['a text that is too long', 'x'.repeat(1_001), 'too large'],
    ['many texts that are too long together', Array(11).fill('x'.repeat(100)), 'too large'],
    ['a key that is too long', { ['x'.repeat(1_001)]: 1 }, 'too large'],
    ['a long list', Array(101).fill(1), 'too many parts'],
    ['a list with a length and nothing in it', Array(1e9), 'too many parts'],
    ['a wide object', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, 1])), 'too many parts'],
    ['something that holds itself', itself, 'too'],
    ['a map', { a: new Map() }, 'no plain data'],
    ['a date', new Date(), 'no plain data'],
    ['bytes', new Uint8Array(4), 'no plain data'],
    ['a big integer', [1n], 'no plain data'],
    ['an error', new Error('x'), 'no plain data'],
    ['a map of another context', vm.runInNewContext('new Map()'), 'no plain data'],
    ['a key that would change a prototype', JSON.parse('{"a":{"__proto__":{"x":1}}}'), '__proto__'],
  ])('%s', (_, value, words) => {
    expect(problem(value)).toContain(words);
  });

  test('something too deep', () => {
    const deep = Array.from({ length: 101 }).reduce<unknown>((inner) => [inner], 1);
    expect(dataProblem(deep, { characters: 1, parts: 1_000 })).toBe('it is too deep');
  });
});

test('looking at a message is never more work than its limits', () => {
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [at, 0]));
  // Shares its parts a hundred times over, so that a walk without limits would take for ever.
  const many = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], wide);
  const before = performance.now();
  expect(problem(many)).toMatch(/too/);
  expect(performance.now() - before).toBeLessThan(1_000);
});
