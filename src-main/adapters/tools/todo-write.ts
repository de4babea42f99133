import { z } from 'zod';
import { Todo } from '../../../src-shared/todo/event.ts';
import { defineTool } from '../../ports/tool.ts';

const MOST_TODOS = 200;
const MOST_CHARACTERS = 1_000;

const Item = z.strictObject({
  content: z.string().trim().min(1).max(MOST_CHARACTERS).describe('What is to be done: Run the tests'),
  status: Todo.shape.status.describe('One at a time is in_progress'),
  activeForm: z
    .string()
    .trim()
    .min(1)
    .max(MOST_CHARACTERS)
    .optional()
    .describe('The same while it is done: Running the tests'),
});
const Input = z.strictObject({
  todos: z.array(Item).max(MOST_TODOS).describe('The whole list; it replaces the one before'),
});
type Input = z.output<typeof Input>;
type Output = { readonly todos: readonly Todo[] };

/** Keeps the agent's list of what it has set itself to do. The list lives in the session and outlives a restart. */
export const todoWriteTool = defineTool<Input, Output>({
  name: 'TodoWrite',
  description:
    'Writes down the steps of a longer task and how far they are. The person sees the list. Give the whole list each time.',
  inputSchema: Input,
  isReadOnly: () => true,
  checkPermissions: async () => ({ verdict: 'allow', because: 'TodoWrite changes only its own list' }),
  async call({ todos }) {
    return {
      output: { todos },
      isError: false,
      modifier: (context) => ({ ...context, todos }),
      changes: [`the todo list: ${countWords(todos)}`],
    };
  },
  mapResult: ({ todos }) => ({
    content: [{ type: 'text', text: `The todo list is kept: ${countWords(todos)}.` }],
    isError: false,
  }),
  summarise: (input) => summaryOf(input),
  suggestRule: () => 'TodoWrite',
});

/** `2 of 5 done, 1 in progress`. */
function countWords(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'empty';
  const count = (status: Todo['status']): number => todos.filter((todo) => todo.status === status).length;
  const going = count('in_progress');
  return `${count('completed')} of ${todos.length} done${going === 0 ? '' : `, ${going} in progress`}`;
}

function summaryOf(input: unknown): string {
  const parsed = Input.safeParse(input);
  if (!parsed.success) return '';
  const { todos } = parsed.data;
  const going = todos.find(({ status }) => status === 'in_progress');
  return going === undefined ? countWords(todos) : (going.activeForm ?? going.content);
}
