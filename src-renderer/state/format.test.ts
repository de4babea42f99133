import { expect, test } from 'vitest';
import { clock, counted, dollars, short, shortPath, tildePath, whenWords } from './format.ts';

test.each([
  [30_000, '0:30'],
  [708_000, '11:48'],
  [3_723_000, '1:02:03'],
  [-5, '0:00'],
])('a clock at %d ms shows %s', (ms, text) => {
  expect(clock(ms)).toBe(text);
});

test('big numbers are shortened and counted things get their plural', () => {
  expect(counted(1_284, 'call')).toBe('1,284 calls');
  expect(counted(1, 'call')).toBe('1 call');
  expect(counted(2, 'process', 'processes')).toBe('2 processes');
  expect([950, 18_400, 1_200_000].map(short)).toEqual(['950', '18.4k', '1.2M']);
  expect([0, 0.06, 0.0004].map(dollars)).toEqual(['$0.00', '$0.06', '$0.0004']);
});

test('a day is named as a person would', () => {
  const now = new Date(2025, 10, 20, 10, 0).getTime();
  const at = (month: number, day: number, hour = 9, year = 2025): number =>
    new Date(year, month, day, hour, 41).getTime();
  expect(whenWords(at(10, 20), now)).toBe('today 09:41');
  expect(whenWords(at(10, 19, 23), now)).toBe('yesterday');
  expect(whenWords(at(10, 14), now)).toBe('Friday');
  expect(whenWords(at(9, 2), now)).toBe('2 Oct');
  expect(whenWords(at(9, 2, 9, 2023), now)).toBe('2 Oct 2023');
});

test('the home folder is written as a tilde, and only that folder', () => {
  expect(tildePath('/home/mira/shop', '/home/mira')).toBe('~/shop');
  expect(tildePath('/home/mira', '/home/mira')).toBe('~');
  expect(tildePath('/home/mirabel', '/home/mira')).toBe('/home/mirabel');
  expect(tildePath('/srv', undefined)).toBe('/srv');
});

test('a long path keeps its end', () => {
  expect(shortPath('~/work/shop', 36)).toBe('~/work/shop');
  expect(shortPath('/var/lib/gantry/sessions/session_1/scratch/shop', 36)).toBe('…/scratch/shop');
});
