import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import { decidePermission, NO_HOOK } from '../../core/permission/chain.ts';
import { worldWithoutLinks } from '../../core/permission/ground.ts';
import { NO_RULES, type RuleSet } from '../../core/permission/rules.ts';
import { editTool } from './edit.ts';
import { Workbench } from './workbench.fixture.ts';
import { writeTool } from './write.ts';

/** Where an edit lands, and what the permission chain makes of it (spec 2.5). */

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ '.git/config': '', 'a.txt': '' });
  symlinkSync(bench.outside, bench.path('out'));
  symlinkSync('.git', bench.path('history'));
});
afterEach(() => bench.dispose());

async function verdict(file_path: string, mode: PermissionMode, rules: RuleSet = NO_RULES): Promise<string> {
  const input = writeTool.inputSchema.parse({ file_path, content: '' });
  const use = { tool: 'Write', input };
  const tool = await writeTool.checkPermissions(input, bench.context);
  const edit = await writeTool.editTarget(input, bench.context);
  // What links lead to, the tool has looked at.
  const world = worldWithoutLinks(bench.cwd);
  return decidePermission({ use, original: use, hook: NO_HOOK, rules, tool, mode, edit, world }).verdict;
}
const allowAll: RuleSet = { ...NO_RULES, allow: [{ text: 'Write', scope: 'session' }] };

describe('mode acceptEdits', () => {
  test.each([
    ['a.txt', 'allow'],
    ['new/file.txt', 'allow'],
    ['../outside/a.txt', 'ask'],
    ['out/a.txt', 'ask'],
    ['.git/config', 'ask'],
    ['history/config', 'ask'],
    ['out/../a.txt', 'allow'],
    ['.claude/worktrees/w/a.ts', 'allow'],
  ])('%s: %s', async (path, expected) => {
    expect(await verdict(path, 'acceptEdits')).toBe(expected);
  });
});

test.each([
  ['.git/config', 'ask'],
  ['history/config', 'ask'],
  ['a.txt', 'allow'],
  ['out/a.txt', 'allow'],
])('an allow rule for all writes: %s is %s', async (path, expected) => {
  expect(await verdict(path, 'default', allowAll)).toBe(expected);
});

test('only bypass opens a protected path, and plan changes nothing', async () => {
  expect(await verdict('.git/config', 'bypassPermissions')).toBe('allow');
  expect(await verdict('.git/config', 'dontAsk', allowAll)).toBe('deny');
  expect(await verdict('a.txt', 'plan', allowAll)).toBe('deny');
  expect(await verdict('.git/config', 'plan', allowAll)).toBe('deny');
});

test('an edit is placed like a write', async () => {
  const input = (file_path: string) => editTool.inputSchema.parse({ file_path, old_string: 'a', new_string: 'b' });
  expect(await editTool.editTarget(input('a.txt'), bench.context)).toBe('inside');
  expect(await editTool.editTarget(input('out/a.txt'), bench.context)).toBe('outside');
  expect(await editTool.editTarget(input('history/config'), bench.context)).toBe('protected');
  expect(await editTool.editTarget(input(join(bench.outside, 'a')), bench.context)).toBe('outside');
});

test('the proposed rule covers the same call next time', async () => {
  const rule = writeTool.suggestRule(writeTool.inputSchema.parse({ file_path: '../outside/a.txt', content: '' }));
  const rules: RuleSet = { ...NO_RULES, allow: [{ text: rule ?? '', scope: 'session' }] };
  expect(await verdict('../outside/a.txt', 'default', rules)).toBe('allow');
  expect(await verdict('../outside/b.txt', 'default', rules)).toBe('ask');
});
