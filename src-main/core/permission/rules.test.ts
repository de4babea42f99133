import { describe, expect, test } from 'vitest';
import { parseRule, type RuleSet, ruleProblem } from './rules.ts';

describe('parsing', () => {
  test('a tool alone, with a specifier, and with one star for all', () => {
    expect(parseRule('Bash')).toEqual({ tool: 'Bash', specifier: undefined });
    expect(parseRule(' Bash(npm test) ')).toEqual({ tool: 'Bash', specifier: 'npm test' });
    expect(parseRule('Bash(*)')).toEqual({ tool: 'Bash', specifier: undefined });
    expect(parseRule('Bash(echo (x))')).toEqual({ tool: 'Bash', specifier: 'echo (x)' });
    expect(parseRule('mcp__server__tool')).toEqual({ tool: 'mcp__server__tool', specifier: undefined });
    expect(parseRule('mcp__claude.ai__get-*')).toEqual({ tool: 'mcp__claude.ai__get-*', specifier: undefined });
    expect(parseRule('toString')).toEqual({ tool: 'toString', specifier: undefined });
  });

  test.each(['', 'Bash(', 'Bash)x', '(ls)', 'Bash (ls)', 'a b', 'Bash(npm test', 'Bash)npm test('])(
    '%j is no rule',
    (text) => {
      expect(parseRule(text)).toBeUndefined();
    },
  );
});

describe('rules that do less than their author means', () => {
  const problem = (text: string, list: keyof RuleSet) => ruleProblem(text, list)?.what;

  test.each<[string, keyof RuleSet, string]>([
    ['Bash(npm test', 'allow', 'This is no rule'],
    ['*', 'allow', 'names its tool'],
    ['B*', 'allow', 'names its tool'],
    ['mcp__*', 'allow', 'names its tool'],
    ['mcp__g*__x', 'allow', 'names its tool'],
    ['Bash(run_in_background:true)', 'allow', 'about one parameter'],
    ['Bash(command:rm *)', 'deny', 'Write Bash(npm test:*) instead'],
    ['Read(file_path:/x)', 'deny', 'Write Read(./path) instead'],
    ['WebFetch(url:https://a.example)', 'deny', 'Write WebFetch(domain:example.com) instead'],
    ['WebFetch(example.com)', 'allow', 'names a domain'],
    ['Write(docs/**)', 'deny', 'Write Edit(docs/**) instead'],
    ['NotebookEdit(docs/**)', 'allow', 'Write Edit(docs/**) instead'],
    ['Glob(docs/**)', 'deny', 'Write Read(docs/**) instead'],
    ['Read(!sample.env)', 'deny', 'take a path out'],
    ['mcp__db__query(x)', 'allow', 'takes no brackets'],
  ])('%s among %s rules is skipped', (text, list, words) => {
    expect(ruleProblem(text, list)?.skipped).toBe(true);
    expect(problem(text, list)).toContain(words);
  });

  test.each<[string, keyof RuleSet]>([
    ['bash(rm *)', 'deny'],
    ['Edits', 'allow'],
  ])('%s names no tool that there is', (text, list) => {
    expect(ruleProblem(text, list)).toMatchObject({
      skipped: false,
      what: expect.stringMatching(/^No tool is called/),
    });
  });

  test.each<[string, keyof RuleSet]>([
    ['Bash', 'allow'],
    ['Bash(npm test:*)', 'allow'],
    ['Bash(timeout:*)', 'allow'],
    ['Read(./.env)', 'deny'],
    ['Edit', 'ask'],
    ['*', 'deny'],
    ['mcp__*', 'ask'],
    ['mcp__github__get_*', 'allow'],
    ['mcp__brave-search', 'allow'],
    ['WebFetch(domain:*.example.com)', 'allow'],
    ['Agent(model:opus)', 'deny'],
    ['Agent(Explore)', 'allow'],
    ['Skill(review-pr *)', 'allow'],
    ['Write', 'deny'],
    ['WebSearch', 'allow'],
  ])('%s among %s rules works', (text, list) => {
    expect(problem(text, list)).toBeUndefined();
  });
});
