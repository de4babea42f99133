import { expect, test } from 'vitest';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import { todoWriteTool } from '../adapters/tools/todo-write.ts';
import { NO_RULES } from '../core/permission/rules.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import { ExecutorBench } from './testing/bench.ts';

const tools: ToolRegistry = { all: [todoWriteTool], find: () => todoWriteTool };
const todos = [{ content: 'Test it', status: 'pending' as const }];

test('a changed list is an event of its own, and the session keeps the last one', async () => {
  const on = new ExecutorBench({ tools, rules: NO_RULES });
  await on.add('a', 'TodoWrite', { todos });
  await on.messageEnds();
  expect(on.all('todos-changed')).toMatchObject([{ agentId: MAIN_AGENT, todos }]);
  expect(on.all('permission-asked')).toEqual([]);
  expect(on.log.state.todoLists).toEqual([{ agentId: MAIN_AGENT, todos }]);
});
