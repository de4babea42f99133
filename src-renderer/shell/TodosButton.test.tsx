// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { type AgentId, MAIN_AGENT } from '../../src-shared/ids.ts';
import { emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { TodosButton } from './TodosButton.tsx';

afterEach(cleanup);

function stateWith(...lists: SessionState['todoLists']): SessionState {
  const state = emptySession();
  state.todoLists.push(...lists);
  return state;
}
const list = (agentId: AgentId) => ({
  agentId,
  todos: [
    { content: 'Read the rules', status: 'completed' as const },
    { content: 'Write the tax', status: 'in_progress' as const, activeForm: 'Writing the tax' },
    { content: 'Test it', status: 'pending' as const },
  ],
});

test('without a list there is nothing', () => {
  const { container } = render(<TodosButton state={stateWith({ agentId: MAIN_AGENT, todos: [] })} />);
  expect(container.textContent).toBe('');
});

test('it counts what is done, and lists it in words', async () => {
  const state = stateWith(list(MAIN_AGENT));
  const { rerender } = render(<TodosButton state={state} />);
  await userEvent.click(screen.getByRole('button', { name: 'Todos, 1 of 3 done' }));
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Read the rules, done',
    'Writing the tax, in progress',
    'Test it, to do',
  ]);
  state.todoLists[0] = { agentId: MAIN_AGENT, todos: [{ content: 'Test it', status: 'completed' }] };
  rerender(<TodosButton state={state} />);
  expect(screen.getByRole('button', { name: 'Todos, 1 of 1 done' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

test('lists of several agents are told apart', async () => {
  render(<TodosButton state={stateWith(list(MAIN_AGENT), list('a7' as AgentId))} />);
  await userEvent.click(screen.getByRole('button', { name: 'Todos, 2 of 6 done' }));
  expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'main agent',
    'a7',
  ]);
});
