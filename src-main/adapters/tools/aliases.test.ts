import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../ports/tool.ts';
import { aliased } from './aliases.ts';

const tool = (name: string, inputSchema: z.ZodType) =>
  defineTool<unknown, undefined>({
    name,
    description: '',
    inputSchema,
    call: async () => ({ output: undefined, isError: false }),
    mapResult: () => ({ content: [], isError: false }),
    summarise: (input) => JSON.stringify(input),
  });
const read = tool('Read', z.strictObject({ file_path: z.string() }));
const kill = tool('KillShell', z.strictObject({ shell_id: z.string() }));
const skill = tool('Skill', z.strictObject({ skill: z.string(), args: z.string().optional() }));
const all = aliased((name) => [read, kill, skill].find((known) => known.name === name));

test('an old name means the tool of today, as it is where its input has not changed', () => {
  expect(all.get('View')).toBe(read);
  expect(all.get('KillBash')).toBe(kill);
  expect(all.get('Task')).toBeUndefined();
});

test.each([
  ['NotebookRead', { notebook_path: 'a.ipynb' }, { file_path: 'a.ipynb' }],
  ['TaskStop', { task_id: 'b1' }, { shell_id: 'b1' }],
  ['SlashCommand', { command: '/review 12 now' }, { skill: 'review', args: '12 now' }],
  ['SlashCommand', { command: 'review' }, { skill: 'review' }],
])('%s takes its old input', (name, old, now) => {
  const found = all.get(name);
  expect(found?.inputSchema.parse(old)).toEqual(now);
  expect(found?.inputSchema.parse(now)).toEqual(now);
  expect(found?.summarise(old)).toBe(JSON.stringify(now));
});

test.each([undefined, null, 'text', [], {}, { notebook_path: 7 }])('%j does not fit either', (input) => {
  expect(all.get('NotebookRead')?.inputSchema.safeParse(input).success).toBe(false);
});
