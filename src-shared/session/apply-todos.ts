import type { EventOf } from './event.ts';
import type { SessionState } from './state.ts';

/** Each agent has one list, which is replaced as a whole. */
export function applyTodos(state: SessionState, { agentId, todos }: EventOf<'todos-changed'>): void {
  const at = state.todoLists.findIndex((list) => list.agentId === agentId);
  if (at === -1) state.todoLists.push({ agentId, todos });
  else state.todoLists[at] = { agentId, todos };
}
