import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallFacts } from '../permission/call-facts.ts';
import { Ground, worldWithoutLinks } from '../permission/ground.ts';
import { concernOf, coverOf } from '../permission/matching.ts';
import type { SourcedRule } from '../permission/rules.ts';
import { alwaysDecidesBefore, type ListedText } from './subsume.ts';

const WHERE = { folder: '/work', home: '/home/u' };
const rule = (text: string): SourcedRule => ({ text, scope: 'project', file: '/work/.claude/settings.json' });
const listed = (list: ListedText['list'], text: string): ListedText => ({ list, rule: rule(text) });
const decides = (
  first: string,
  then: string,
  lists: readonly [ListedText['list'], ListedText['list']] = ['allow', 'allow'],
) => alwaysDecidesBefore(listed(lists[0], first), listed(lists[1], then), WHERE);

describe('a broader rule', () => {
  test.each([
    ['Bash(npm run test:*)', 'Bash(npm run test:*)'],
    ['Bash(npm run test:*)', 'Bash(npm run test)'],
    ['Bash(git *)', 'Bash(git push origin dev)'],
    ['Bash(git *)', 'Bash(git push:*)'],
    ['Bash', 'Bash(npm test)'],
    ['Bash(npm run:*)', 'Bash(npm run lint)'],
    ['Bash(git * origin *)', 'Bash(git push origin dev)'],
    ['Edit(/src/**)', 'Edit(/src/tax/**)'],
    ['Edit(/src/**)', 'Edit(/src/tax/a.ts)'],
    ['Edit(**)', 'Edit(src/a.ts)'],
    ['Read(//etc/**)', 'Read(//etc/hosts)'],
    ['Read(~/notes/**)', 'Read(~/notes/a/*.md)'],
    ['Read(.env)', 'Read(.env)'],
    ['Read', 'Read(src/**)'],
    ['WebFetch', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:*.example.com)', 'WebFetch(domain:docs.example.com)'],
    ['WebFetch(domain:*)', 'WebFetch(domain:*.example.com)'],
    ['mcp__db', 'mcp__db__query'],
    ['mcp__db__*', 'mcp__db__query'],
    ['Agent(Explore)', 'Task(Explore)'],
  ])('%s decides before %s', (first, then) => expect(decides(first, then)).toBe(true));

  test.each([
    ['Bash(npm run test:*)', 'Bash(npm run:*)'],
    ['Bash(npm test)', 'Bash(npm test:*)'],
    ['Bash(ls*)', 'Bash(l*)'],
    ['Bash(npm run lint)', 'Bash(npm run linty)'],
    ['Edit(/src/tax/**)', 'Edit(/src/**)'],
    ['Edit(/src/*.ts)', 'Edit(/src/**)'],
    ['Edit(src/**)', 'Read(src/**)'],
    ['Edit(/src/**)', 'Edit(/src/[ab]/**)'],
    ['Read(~/notes/**)', 'Read(//home/other/notes/**)'],
    ['WebFetch(domain:*.example.com)', 'WebFetch(domain:example.com)'],
    ['WebFetch(domain:example.com)', 'WebFetch'],
    ['mcp__db__query', 'mcp__db'],
    ['Bash', 'Read'],
    ['no rule (', 'Bash(ls)'],
  ])('%s leaves something of %s', (first, then) => expect(decides(first, then)).toBe(false));

  test('that allows decides before no rule of another list', () => {
    expect(decides('Bash(git:*)', 'Bash(git push)', ['allow', 'deny'])).toBe(false);
    expect(decides('Bash(git:*)', 'Bash(git push)', ['deny', 'allow'])).toBe(true);
    expect(decides('Bash(git:*)', 'Bash(git push)', ['ask', 'allow'])).toBe(true);
    expect(decides('Bash(git:*)', 'Bash(git push)', ['deny', 'ask'])).toBe(true);
    // An allow rule for Edit lets files be read too, of which a deny rule for Edit says nothing.
    expect(decides('Edit(/src/**)', 'Edit(/src/a.ts)', ['deny', 'allow'])).toBe(false);
    expect(decides('Read(/src/**)', 'Read(/src/a.ts)', ['deny', 'allow'])).toBe(true);
  });

  test('of another folder’s file is anchored there', () => {
    const other = { list: 'deny', rule: { ...rule('Edit(/src/**)'), root: '/other' } } as const;
    expect(alwaysDecidesBefore(other, listed('deny', 'Edit(/src/a.ts)'), WHERE)).toBe(false);
  });
});

const RULES = [
  ...['Bash', 'Bash(npm *)', 'Bash(npm test)', 'Bash(npm test:*)', 'Bash(n*)', 'Bash(* test)', 'Bash(git * main)'],
  ...['Read', 'Read(src/**)', 'Read(/src/**)', 'Read(**/a.ts)', 'Read(a.ts)', 'Read(./a.ts)', 'Read(//work/src/**)'],
  ...['Edit(src/**)', 'Edit(/src/*)', 'Edit(/src/a.ts)', 'Edit(**)', 'Edit(~/x/**)'],
  ...['WebFetch(domain:*.b.com)', 'WebFetch(domain:a.b.com)', 'WebFetch(domain:*)', 'mcp__s', 'mcp__s__*', 'mcp__s__t'],
];
const USES = [
  ...[
    'npm test',
    'npm test -- -w',
    'npm',
    'node test',
    'git push main',
    'npm test && git push main',
    'cat src/a.ts',
  ].map((command) => ({ tool: 'Bash', input: { command } })),
  ...['src/a.ts', 'src/b/a.ts', 'a.ts', '/work/src/x', '/home/u/x/y'].flatMap((file_path) => [
    { tool: 'Read', input: { file_path } },
    { tool: 'Edit', input: { file_path, old_string: '', new_string: '' } },
  ]),
  ...['https://a.b.com/', 'https://x.y.b.com/', 'https://b.com/'].map((url) => ({ tool: 'WebFetch', input: { url } })),
  { tool: 'mcp__s__t', input: {} },
  { tool: 'mcp__s__u', input: {} },
];

test('what is proved from the texts is so for every call: a rule that is proved to come too late never adds anything', () => {
  let proved = 0;
  const facts = USES.map((use) => new CallFacts(use, new Ground(worldWithoutLinks('/work', { home: '/home/u' }))));
  const isMeant = (list: ListedText['list'], text: string, at: CallFacts): boolean =>
    list === 'allow' ? coverOf([rule(text)], at) !== undefined : concernOf(rule(text), at) === 'yes';
  fc.assert(
    fc.property(
      fc.constantFrom(...RULES),
      fc.constantFrom(...RULES),
      fc.constantFrom<(readonly [ListedText['list'], ListedText['list']])[]>(
        ['allow', 'allow'],
        ['deny', 'deny'],
        ['deny', 'allow'],
        ['ask', 'allow'],
      ),
      (first, then, lists) => {
        if (!decides(first, then, lists)) return;
        proved++;
        for (const at of facts) {
          if (isMeant(lists[1], then, at)) expect(isMeant(lists[0], first, at), JSON.stringify(at.use)).toBe(true);
        }
      },
    ),
    { seed: 1_001, numRuns: 4_000 },
  );
  expect(proved).toBeGreaterThan(200);
});
