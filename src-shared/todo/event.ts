import { z } from 'zod';
import { AgentId } from '../ids.ts';
import { event } from '../session/stamp.ts';

/** One thing an agent has set itself to do. */
export const Todo = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  /** What is going on while it is in progress: `Running the tests`. */
  activeForm: z.string().optional(),
});
export type Todo = z.output<typeof Todo>;

export const todoEvents = [
  /** The agent's whole list, as it is from now on. */
  event('todos-changed', { agentId: AgentId, todos: z.array(Todo) }),
] as const;
