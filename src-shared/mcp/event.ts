import { z } from 'zod';
import { event } from '../session/stamp.ts';

/** `closed`: ended on purpose, with the session or because settings no longer name it. */
export const McpStatus = z.enum(['connecting', 'connected', 'failed', 'closed']);
export type McpStatus = z.output<typeof McpStatus>;

export const mcpEvents = [
  event('mcp-server-changed', {
    /** As its definition names it. */
    server: z.string(),
    /** `project`: it came with the session's folder. */
    scope: z.enum(['user', 'project']),
    status: McpStatus,
    /** How many tools it has, once it is connected. */
    tools: z.number().int().nonnegative().optional(),
    /** Why it is so, in a sentence or two. */
    message: z.string().optional(),
  }),
] as const;
