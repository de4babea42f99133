import { afterEach, beforeEach, expect, test } from 'vitest';
import { todoWriteTool } from './todo-write.ts';
import { Workbench } from './workbench.fixture.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.dispose());

const TODOS = [
  { content: 'Read the rules', status: 'completed' },
  { content: 'Write the tax', status: 'in_progress', activeForm: 'Writing the tax' },
  { content: 'Test it', status: 'pending' },
];

test('the list replaces the one before', async () => {
  const { ending, text } = await bench.run(todoWriteTool, { todos: TODOS });
  expect(bench.context.todos).toEqual(TODOS);
  expect(text).toBe('The todo list is kept: 1 of 3 done, 1 in progress.');
  expect(ending.changes).toEqual(['the todo list: 1 of 3 done, 1 in progress']);
  expect((await bench.run(todoWriteTool, { todos: [] })).text).toBe('The todo list is kept: empty.');
  expect(bench.context.todos).toEqual([]);
});

test('the bar says what is in progress, else how far it is', () => {
  expect(todoWriteTool.summarise({ todos: TODOS })).toBe('Writing the tax');
  expect(todoWriteTool.summarise({ todos: TODOS.slice(0, 1) })).toBe('1 of 1 done');
  expect(todoWriteTool.summarise({ todos: 'x' })).toBe('');
});

test.each([
  { todos: [{ content: ' ', status: 'pending' }] },
  { todos: [{ content: 'x', status: 'done' }] },
  { todos: [{ content: 'x', status: 'pending', owner: 'me' }] },
  {},
])('%j is no list', (input) => {
  expect(todoWriteTool.inputSchema.safeParse(input).success).toBe(false);
});
