import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../adapters/tools/registry.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { FakeProcessRunner } from '../../ports/process-runner.fake.ts';
import { BUILT_IN_AGENTS } from './built-in.ts';
import { definitionOf, mayUse, modelNamed, stricterMode, usesOnlySafe } from './definition.ts';
import { parseDefinition } from './parse-definition.ts';
import { reportText } from './words.ts';

const from = { kind: 'project', file: '/p/.claude/agents/x.md' } as const;
const parse = (text: string) => parseDefinition(text, from);
const findings = (text: string) => parse(text).findings.map(({ line, message }) => `${line}: ${message}`);

const WHOLE = `---
name: reviewer
description: Reviews what was changed
tools: Read, Grep, mcp__github
disallowedTools: [Bash]
model: inherit
permissionMode: plan
maxTurns: 12
color: blue
---

You review changes.
---
Line three.
`;

describe('a file of a definition', () => {
  test('holds front matter and the prompt behind it', () => {
    expect(parse(WHOLE)).toEqual({
      findings: [],
      definition: {
        name: 'reviewer',
        description: 'Reviews what was changed',
        prompt: 'You review changes.\n---\nLine three.',
        tools: ['Read', 'Grep', 'mcp__github'],
        withoutTools: ['Bash'],
        model: 'inherit',
        mode: 'plan',
        mostRequests: 12,
        from,
      },
    });
  });

  test('may have lists, Windows line ends and no prompt', () => {
    const { definition } = parse('---\r\nname: a\r\ndescription: b\r\ntools:\r\n  - Read\r\n  - Grep\r\n---\r\n');
    expect(definition).toMatchObject({ name: 'a', tools: ['Read', 'Grep'], prompt: '' });
  });

  test('without tools has all; with an empty list it has none', () => {
    expect(parse('---\nname: a\ndescription: b\n---\n').definition).not.toHaveProperty('tools');
    expect(parse('---\nname: a\ndescription: b\ntools: []\n---\n').definition?.tools).toEqual([]);
    expect(parse('---\nname: a\ndescription: b\ntools:\n---\n').definition?.tools).toEqual([]);
  });

  test('with a colon in its description, which is no YAML, is read as its writers mean it', () => {
    const text =
      '---\nname: a\ndescription: Use this when: x\\n<example>user: "hi"</example>\ntools: Read, Edit\n---\nWork.';
    expect(parse(text)).toMatchObject({
      findings: [],
      definition: {
        description: 'Use this when: x\n<example>user: "hi"</example>',
        tools: ['Read', 'Edit'],
        prompt: 'Work.',
      },
    });
  });

  test.each([
    ['just text', '1: It does not begin with front matter between two lines of ---. The agent is left out.'],
    ['---\nname: a\n', '1: It does not begin with front matter between two lines of ---. The agent is left out.'],
    ['---\n- a\n---\n', '2: Its front matter has no fields. The agent is left out.'],
    ['---\ndescription: b\n---\n', '1: It has no name. The agent is left out.'],
    [
      '---\n\nname: a b/c\ndescription: b\n---\n',
      '3: Its name is not made of letters, digits and hyphens. The agent is left out.',
    ],
    ['---\nname: a\n---\n', '1: It has no description to choose it by. The agent is left out.'],
    [
      '---\nname: a\ndescription: b\ntools: { Read: true }\n---\n',
      '4: Its tools are no list of names. The agent is left out.',
    ],
    ['---\nname: a\ndescription: b\ntools: [1]\n---\n', '4: Its tools are no list of names. The agent is left out.'],
  ])('%j is none, and it is said where and why', (text, finding) => {
    expect(findings(text)).toEqual([finding]);
    expect(parse(text).definition).toBeUndefined();
  });

  test('that is neither YAML nor lines of fields says what is wrong with it', () => {
    const [finding] = findings('---\nname: a\ndescription: [b\n  c: d\n---\n');
    expect(finding).toMatch(/^\d: Its front matter is not YAML: .*\. The agent is left out\.$/);
  });

  test('tells of fields that have no effect here, and goes without those it cannot read', () => {
    const text =
      '---\nname: a\ndescription: b\nisolation: worktree\nhooks: {}\npermissionMode: kind\nmaxTurns: many\ntools: Bash(git *), Read\n---\n';
    expect(findings(text)).toEqual([
      '8: Bash(git *) names a part of a tool, which gives none. Write a permission rule for it.',
      '5: hooks of an agent has no effect in Gantry.',
      '4: isolation of an agent has no effect in Gantry.',
      '6: permissionMode names no mode. It is passed over.',
      '7: maxTurns is no positive whole number. It is passed over.',
    ]);
    expect(parse(text).definition).toMatchObject({ name: 'a', tools: ['Bash(git *)', 'Read'] });
  });
});

describe('which tools an agent may use', () => {
  const uses = (tools: readonly string[] | undefined, withoutTools: readonly string[], name: string) =>
    mayUse({ ...(tools === undefined ? {} : { tools }), withoutTools }, { name });

  test.each([
    [undefined, [], 'Bash', true],
    [['Read'], [], 'Bash', false],
    [['Read'], [], 'Read', true],
    [['*'], [], 'mcp__github__search', true],
    [[], [], 'Read', false],
    [['Task'], [], 'Agent', true],
    [undefined, ['Task'], 'Agent', false],
    [['Bash'], ['Bash'], 'Bash', false],
    [['mcp__github'], [], 'mcp__github__search', true],
    [['mcp__github__*'], [], 'mcp__github__search', true],
    [['mcp__git'], [], 'mcp__github__search', false],
    [undefined, ['mcp__github'], 'mcp__github__search', false],
    [['Bash(git *)'], [], 'Bash', false],
    // A plan is the main agent's to present.
    [['ExitPlanMode'], [], 'ExitPlanMode', false],
    [undefined, [], 'ExitPlanMode', false],
  ] as const)('tools %j without %j: %s %s', (tools, without, name, expected) => {
    expect(uses(tools, without, name)).toBe(expected);
  });

  test('only those that cannot but read are safe beside others', () => {
    const tools = [
      { name: 'Read', isAlwaysSafe: true },
      { name: 'Bash', isAlwaysSafe: false },
      { name: 'Agent', isAlwaysSafe: false },
      { name: 'mcp__docs__read', isAlwaysSafe: true },
    ];
    const isSafe = (names: readonly string[] | undefined) =>
      usesOnlySafe({ ...(names === undefined ? {} : { tools: names }), withoutTools: [] }, tools);
    expect([isSafe(undefined), isSafe(['Read', 'Bash']), isSafe(['Read', 'Agent'])]).toEqual([false, false, false]);
    expect([isSafe(['Read']), isSafe(['Read', 'Nonsense']), isSafe([])]).toEqual([true, true, true]);
    expect([isSafe(['*']), isSafe(['mcp__github']), isSafe(['mcp__github__gone'])]).toEqual([false, false, false]);
    expect(isSafe(['Read', 'mcp__docs__read'])).toBe(true);
  });
});

test.each([
  ['default', 'bypassPermissions', 'default'],
  ['default', 'plan', 'plan'],
  ['bypassPermissions', 'acceptEdits', 'acceptEdits'],
  ['auto', 'acceptEdits', 'auto'],
  ['acceptEdits', 'default', 'default'],
  ['plan', 'dontAsk', 'plan'],
  ['dontAsk', 'plan', 'dontAsk'],
  ['plan', undefined, 'plan'],
] as const)('a session in mode %s with an agent of mode %s works in %s', (session, own, expected) => {
  expect(stricterMode(session, own)).toBe(expected);
});

test('a model is the one that was ordered, then the definition’s; names of families mean the session’s', () => {
  expect(modelNamed('qwen3', 'llama')).toBe('qwen3');
  expect(modelNamed(undefined, 'llama')).toBe('llama');
  expect([modelNamed(undefined, 'inherit'), modelNamed('sonnet', 'llama'), modelNamed(undefined, undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a definition is found by its name, also as other programs write it', () => {
  const catalog = { definitions: BUILT_IN_AGENTS, findings: [] };
  expect(definitionOf(catalog, 'Explore')?.name).toBe('explore');
  expect(definitionOf(catalog, 'nobody')).toBeUndefined();
});

test('what a report says', () => {
  const end = { reason: 'completed', message: undefined, refused: undefined } as const;
  expect(reportText(end, ' Done. ')).toBe('Done.');
  expect(reportText(end, '')).toBe('(The agent ended without a word)');
  expect(reportText({ ...end, reason: 'stopped-by-hook', message: 'closed' }, 'So far.')).toBe(
    'A hook stopped the agent. closed\nIts last words:\nSo far.',
  );
});

test('the built-in agents that only look are safe with the tools that there are, the general one is not', () => {
  const { all } = createRegistry({
    processes: new FakeProcessRunner(),
    clock: new ManualClock(),
    markerFor: (callId) => callId,
    ripgrep: 'rg',
  });
  const known = new Set(all.map(({ name }) => name));
  const [general, explore, plan] = BUILT_IN_AGENTS;
  expect([general, explore, plan].map((one) => one !== undefined && usesOnlySafe(one, all))).toEqual([
    false,
    true,
    true,
  ]);
  expect((explore?.tools ?? []).filter((name) => !known.has(name))).toEqual([]);
});
