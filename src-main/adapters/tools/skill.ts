import { z } from 'zod';
import type { Skill } from '../../core/skills/parse-skill.ts';
import { skillList, skillText } from '../../core/skills/skill-text.ts';
import type { SkillSource } from '../../ports/skills.ts';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import { rawField } from './paths.ts';

const Input = z
  .strictObject({
    skill: z.string().trim().min(1).optional().describe('The name of the skill'),
    name: z.string().trim().min(1).optional().describe('The same; give one of both'),
    args: z.string().max(20_000).optional().describe('What is written behind its name'),
  })
  .refine(({ skill, name }) => (skill === undefined) !== (name === undefined), {
    error: 'give skill, the name of one of the skills, and not name beside it',
    path: ['skill'],
  })
  // Rules for Skill look at `skill` (core/permission/tool-rules.ts).
  .transform(({ skill, name, args }) => ({ skill: (skill ?? name ?? '').replace(/^\//, ''), args: args ?? '' }));
type Input = z.output<typeof Input>;
type Output = { readonly skill: Skill; readonly text: string };

/**
 * Hands the text of a skill to the model. The names of those that are there when a session starts stand in its
 * description, which stays the same for the prompt cache. Undefined when there are none.
 */
export function skillTool(source: SkillSource): AnyTool | undefined {
  const atStart = source.list();
  if (atStart.length === 0) return undefined;
  const find = (name: string): Skill | undefined => source.list().find((skill) => skill.name === name);
  return defineTool<Input, Output>({
    name: 'Skill',
    description: `Gives you the text of a skill: how something is done here. Use one when the task is what it is for.\n${skillList(atStart)}`,
    inputSchema: Input as unknown as z.ZodType<Input>,
    jsonSchema: z.toJSONSchema(Input, { io: 'input' }),
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: 110_000,
    async validateInput({ skill }) {
      if (find(skill) !== undefined) return { ok: true };
      const names = source.list().map(({ name }) => name);
      return { ok: false, message: `There is no skill ${skill}. There are: ${names.join(', ') || 'none'}.` };
    },
    async call({ skill: name, args }, _context, { host }) {
      const skill = find(name);
      if (skill === undefined) throw new Error(`The skill ${name} is no longer there.`);
      if (!host.mayRead(skill.file)) throw new Error(`A rule does not let ${skill.file} be read.`);
      return { output: { skill, text: skillText(skill, args, source.isTrusted()) }, isError: false };
    },
    mapResult: ({ text }) => ({ content: [{ type: 'text', text }], isError: false }),
    summarise: (input) =>
      [rawField(input, 'skill') || rawField(input, 'name'), rawField(input, 'args')].join(' ').trim(),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { skill_file: output.skill.file }),
    suggestRule: ({ skill, args }) => (args === '' ? `Skill(${skill})` : `Skill(${skill} *)`),
    async describeQuestion({ skill: name }) {
      const skill = find(name);
      const trust = skill?.from === 'project' && !source.isTrusted() ? ' You have not trusted its folder.' : '';
      return {
        title: 'Use this skill?',
        reason: `Its text tells the model what to do. It stands in ${skill?.file ?? 'no file any more'}.${trust}`,
        risk: 'instructions',
        dangerous: false,
      };
    },
  });
}
