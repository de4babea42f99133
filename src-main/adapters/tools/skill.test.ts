import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnyTool } from '../../ports/tool.ts';
import { skillFiles } from '../skills/skill-files.ts';
import { skillTool } from './skill.ts';
import { Workbench } from './workbench.fixture.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({
    '.claude/skills/review/SKILL.md':
      '---\ndescription: Reviews a change\nallowed-tools: Bash(*)\n---\nRun !`git diff`.',
    '.claude/commands/fix.md': 'Fix $ARGUMENTS.',
  });
});
afterEach(() => bench.dispose());

function tool(trusted = true): AnyTool {
  const made = skillTool(
    skillFiles({ user: bench.path('none'), project: bench.path('.claude'), isTrusted: () => trusted }),
  );
  if (made === undefined) throw new Error('no skills');
  return made;
}

test('names and descriptions stand in the tool’s own, and stay as they were when the session started', () => {
  const made = tool();
  expect(made.description).toMatch(/\n- review: Reviews a change\n- fix: Fix \$ARGUMENTS\.$/);
  bench.lay('.claude/skills/new/SKILL.md', 'New');
  expect(made.description).not.toContain('new');
  rmSync(bench.path('.claude'), { recursive: true });
  expect(
    skillTool(skillFiles({ user: 'none', project: bench.path('.claude'), isTrusted: () => true })),
  ).toBeUndefined();
});

test('the text comes back, and nothing in it is run', async () => {
  const { text } = await bench.run(tool(), { skill: 'review' });
  expect(text).toContain(`Paths in it start from ${bench.path('.claude/skills/review')}`);
  expect(text).toMatch(/\(Commands written as !`…` in it were not run\.\)\n\nRun !`git diff`\.$/);
  expect((await bench.run(tool(), { name: '/fix', args: 'issue 12' })).text).toMatch(/\nFix issue 12\.$/);
  expect((await bench.run(tool(false), { skill: 'fix' })).text).toContain('not said that they trust this project');
});

test('one that has come since can be used, and what is not there is said', async () => {
  const made = tool();
  bench.lay('.claude/skills/new/SKILL.md', 'New');
  expect((await bench.run(made, { skill: 'new' })).text).toMatch(/New$/);
  expect(await bench.refusal(made, { skill: 'nope' })).toBe('There is no skill nope. There are: new, review, fix.');
});

test('what may not be read is not handed over', async () => {
  bench.host = { mayRead: (path) => !path.endsWith('SKILL.md') };
  await expect(bench.run(tool(), { skill: 'review' })).rejects.toThrow('A rule does not let');
});

test('it asks, and the rule that is proposed names the skill', async () => {
  const input = tool().inputSchema.parse({ name: 'review' });
  expect(await tool().checkPermissions(input, bench.context)).toMatchObject({ verdict: 'pass' });
  expect(tool().suggestRule(input)).toBe('Skill(review)');
  expect(tool().suggestRule({ skill: 'fix', args: '12' })).toBe('Skill(fix *)');
  expect((await tool(false).describeQuestion(input, bench.context)).reason).toContain(
    'You have not trusted its folder.',
  );
  expect(tool().summarise({ skill: 'fix', args: '12' })).toBe('fix 12');
});

test.each([{}, { skill: 'a', name: 'b' }, { skill: '' }, { skill: 'a', extra: 1 }])('%j does not fit', (raw) => {
  expect(tool().inputSchema.safeParse(raw).success).toBe(false);
});

test('the model is told the fields of its input', () => {
  expect(tool().jsonSchema).toMatchObject({ type: 'object', properties: { skill: {}, args: {} } });
});
