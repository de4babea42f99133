import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';

test.each([
  ['See @docs/style.md and @./README.md.', ['docs/style.md', './README.md']],
  ['@~/notes.md\n@../shared.md', ['~/notes.md', '../shared.md']],
  ['(@AGENTS.md), again @AGENTS.md', ['AGENTS.md']],
  ['Write to mira@example.com', []],
  ['Use `@types/node`, and ``@a`b``', []],
  ['```\n@secret.md\n```\n@open.md', ['open.md']],
  ['~~~js\nimport "@x/y"\n~~~\n', []],
  ['@', []],
])('%j', (text, paths) => {
  expect(importsOf(text)).toEqual(paths);
});
