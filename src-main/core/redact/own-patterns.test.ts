import { describe, expect, test } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import { OwnPatternEntry, ownDetector, whyRefused } from './own-patterns.ts';

describe('a pattern of the person’s own', () => {
  test.each(['ACME-\\d{6}', 'acme[-_ ]?\\w+', '(?:foo|bar)-[a-z]{2,30}', 'kunde\\s*\\d+', '(?:ab){1,4}x'])(
    '%s is taken',
    (pattern) => expect(whyRefused(pattern)).toBeUndefined(),
  );

  test.each([
    ['(a+)+b', 'it repeats something that repeats itself'],
    ['(?:a|aa)*b', 'it repeats a choice'],
    ['((a*)b)+c', 'it repeats something that repeats itself'],
    ['(.)\\1+', 'it refers back to a group'],
    ['a*', 'it matches the empty text'],
    ['a+b+c+d+', 'it has more than 3 unlimited repeats'],
    ['(?:x{1,500})+y', 'it repeats something that repeats itself'],
    ['(', 'it is no regular expression: Unterminated group'],
  ])('%s is refused: %s', (pattern, why) => expect(whyRefused(pattern)).toBe(why));

  test('has a name for its placeholders, or a plain one', () => {
    expect(OwnPatternEntry.parse('X\\d+')).toEqual({ name: 'own pattern', pattern: 'X\\d+' });
    expect(OwnPatternEntry.parse({ name: 'ticket', pattern: 'X\\d+' })).toEqual({ name: 'ticket', pattern: 'X\\d+' });
    expect(OwnPatternEntry.safeParse('(a+)+').success).toBe(false);
    expect(OwnPatternEntry.safeParse(7).success).toBe(false);
  });

  test('finds what lies over the seams of a long line', () => {
    const find = ownDetector({ name: 'Ticket No', pattern: 'ACME-\\d{6}' }, () => 0);
    for (const at of [0, 1_595, 1_995, 3_190, 9_989]) {
      const text = `${'.'.repeat(at)}ACME-123456${'.'.repeat(10_000 - at)}`;
      const found = [...find(text)];
      expect(found).toContainEqual({ kind: 'ticket-no', from: at, until: at + 11 });
    }
  });

  test('that takes too long ends the export instead of leaving half of it open', () => {
    let now = 0;
    const find = ownDetector({ name: 'slow', pattern: 'x+y' }, () => {
      now += 3_000;
      return now;
    });
    expect([...find('xy')]).toHaveLength(1);
    expect(() => [...find('xy')]).toThrow(FailureError);
  });
});
