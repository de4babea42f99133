import { expect, test } from 'vitest';
import type { LedgerRule } from '../../src-shared/ledger/view.ts';
import { type Change, editsOf, textsIn, withChange } from './draft.ts';
import { sampleRules } from './samples.ts';

const ruleOf = (text: string): LedgerRule => {
  const found = sampleRules.find((rule) => rule.text === text);
  if (found === undefined) throw new Error(`${text} is no sample`);
  return found;
};
const SHOP = { list: 'allow', scope: 'local', folder: '/work/shop' } as const;
const run = ruleOf('Bash(npm run:*)');
const change = (texts: readonly string[], more: Partial<Change> = {}): Change => ({
  rule: run,
  place: SHOP,
  texts,
  ...more,
});

test('typed rules are one a line, without blanks and doubles', () => {
  expect(textsIn(' Bash(a) \n\nBash(b)\nBash(a)\n')).toEqual(['Bash(a)', 'Bash(b)']);
  expect(textsIn(' \n')).toEqual([]);
});

test('a rule is replaced, split, removed or added in its list', () => {
  expect(editsOf([change(['Bash(x)', 'Bash(y)'])])).toEqual([
    { scope: 'local', folder: '/work/shop', list: 'allow', before: 'Bash(npm run:*)', after: ['Bash(x)', 'Bash(y)'] },
  ]);
  expect(editsOf([change([])])[0]?.after).toEqual([]);
  expect(editsOf([{ rule: undefined, place: SHOP, texts: ['Bash(x)'] }])).toEqual([{ ...SHOP, after: ['Bash(x)'] }]);
});

test('a rule that moves to another list or file is taken out there and put in here', () => {
  const moved = change(['Bash(npm run:*)'], { place: { ...SHOP, list: 'ask', scope: 'user' } });
  expect(editsOf([moved])).toEqual([
    { scope: 'local', folder: '/work/shop', list: 'allow', before: 'Bash(npm run:*)', after: [] },
    { scope: 'user', folder: '/work/shop', list: 'ask', after: ['Bash(npm run:*)'] },
  ]);
  const removed = change([], { place: { ...SHOP, list: 'ask' } });
  expect(editsOf([removed])).toHaveLength(1);
});

test('the folder of a project’s rule is its own, whatever the form says', () => {
  expect(
    editsOf([change(['Bash(x)'], { place: { ...SHOP, folder: '/work/tax' } })]).map(({ folder }) => folder),
  ).toEqual(['/work/shop', '/work/tax']);
});

test('a rule that is changed again is changed from what stands in its file; changed back it leaves the draft', () => {
  const once = withChange([], change(['Bash(x)']));
  const twice = withChange(once, change(['Bash(y)']));
  expect(twice.map(({ texts }) => texts)).toEqual([['Bash(y)']]);
  expect(withChange(twice, change(['Bash(npm run:*)']))).toEqual([]);
  expect(withChange([], { rule: undefined, place: SHOP, texts: [] })).toEqual([]);
});
