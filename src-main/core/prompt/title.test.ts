import { expect, test } from 'vitest';
import { titleFromModel, titleFromPrompt, titleQuestion } from './title.ts';

test.each([
  ['Fix the rounding', 'Fix the rounding'],
  ['\n\n## Fix  the\trounding\nin price.ts', 'Fix the rounding'],
  ['---\n> Why?', 'Why?'],
  [`${'word '.repeat(20)}`, 'word word word word word word word word word word word word…'],
  ['x'.repeat(80), `${'x'.repeat(63)}…`],
  ['🙂'.repeat(80), ''],
  [' \n', ''],
])('the title of %j', (prompt, title) => {
  expect(titleFromPrompt(prompt)).toBe(title);
});

test.each([
  ['"Fix the rounding."', 'Fix the rounding'],
  ['Title: **Price rounding**\nbecause it is', 'Price rounding'],
  ['  ', undefined],
  ['""', undefined],
])('a model’s %j', (answer, title) => {
  expect(titleFromModel(answer)).toBe(title);
});

test('the question shows no more of a long message than a title needs', () => {
  expect(titleQuestion('p'.repeat(9_000), 'a'.repeat(9_000)).length).toBeLessThan(4_200);
  expect(titleQuestion('Hello', ' ')).not.toContain('<answer>');
});
