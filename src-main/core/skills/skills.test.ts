import { describe, expect, test } from 'vitest';
import { parseSkill, type Skill, type SkillPlace } from './parse-skill.ts';
import { skillList, skillText } from './skill-text.ts';

const place: SkillPlace = {
  from: 'project',
  kind: 'skill',
  file: '/p/.claude/skills/review/SKILL.md',
  base: '/p/.claude/skills/review',
  fallbackName: 'review',
};
const parse = (text: string, more: Partial<SkillPlace> = {}) => parseSkill(text, { ...place, ...more });

describe('a file of a skill', () => {
  test('has a name, a description and a body', () => {
    expect(
      parse('---\nname: pr-review\ndescription: Reviews\n  a change\nallowed-tools: Bash\n---\n# Do it\n'),
    ).toEqual({
      ...place,
      name: 'pr-review',
      description: 'Reviews a change',
      body: '# Do it',
      forPeopleOnly: false,
    });
  });

  test.each([
    ['Do it well.\nAnd more.', { name: 'review', description: 'Do it well.' }],
    ['---\nname: "../../etc"\n---\n# Title\n', { name: 'review', description: 'Title' }],
    ['---\n: [\n---\nBody', { name: 'review', description: 'Body', body: 'Body' }],
    ['---\ndescription: Use this when: x\n---\nBody', { description: 'Use this when: x' }],
    ['\uFEFFBody', { body: 'Body' }],
    ['---\ndisable-model-invocation: true\n---\nBody', { forPeopleOnly: true }],
    ['', { name: 'review', description: '', body: '' }],
  ])('%j is read as far as it can be', (text, expected) => {
    expect(parse(text)).toMatchObject(expected);
  });

  test('without any name it could be called by is none', () => {
    expect(parse('x', { fallbackName: 'a b' })).toBeUndefined();
  });
});

const skill = (body: string, more: Partial<Skill> = {}): Skill => ({
  ...place,
  name: 'review',
  description: 'd',
  body,
  forPeopleOnly: false,
  ...more,
});

describe('what a model is told', () => {
  test('is the body, whose it is and where its files lie', () => {
    expect(skillText(skill('Do it.'), '', true)).toBe(
      '(Skill review, of the project. Paths in it start from /p/.claude/skills/review.)\n\nDo it.',
    );
    expect(skillText(skill('Do it.', { from: 'user' }), '', false)).toMatch(/^\(Skill review, the person's own\./);
  });

  test('warns of a folder that is not trusted, and of commands that were not run', () => {
    const text = skillText(skill('Now: !`git status`'), '', false);
    expect(text).toContain('The person has not said that they trust this project.');
    expect(text).toContain('(Commands written as !`…` in it were not run.)');
    expect(text).toContain('Now: !`git status`');
  });

  test('has the arguments where they belong', () => {
    const command = { kind: 'command' } as const;
    expect(skillText(skill('Fix $ARGUMENTS now', command), ' #12 fast ', true)).toMatch(/\nFix #12 fast now$/);
    expect(skillText(skill('$2 then $1, $10', command), '"a b" c', true)).toMatch(/\nc then a b, \$10$/);
    expect(skillText(skill("awk '{print $1}'"), 'x', true)).toMatch(/print \$1\}'\n\nArguments: x$/);
    expect(skillText(skill(`In ${'$'}{CLAUDE_SKILL_DIR}/a`), '', true)).toMatch(/In \/p\/.claude\/skills\/review\/a$/);
  });

  test('is bounded', () => {
    const text = skillText(skill('x'.repeat(200_000)), '', true);
    expect(text.length).toBeLessThan(101_000);
    expect(text).toContain('[cut; the rest stands in /p/.claude/skills/review/SKILL.md]');
  });
});

test('the list has a line each and ends', () => {
  expect(skillList([skill(''), skill('', { name: 'b', description: 'x'.repeat(999) })])).toBe(
    `- review: d\n- b: ${'x'.repeat(300)}…`,
  );
  const many = Array.from({ length: 200 }, (_, at) => skill('', { name: `s${at}`, description: 'x'.repeat(300) }));
  expect(skillList(many).length).toBeLessThan(15_100);
  expect(skillList(many)).toMatch(/\n- and \d+ more$/);
});
