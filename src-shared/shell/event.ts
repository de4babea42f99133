import { z } from 'zod';
import { AgentId, CallId, ShellId } from '../ids.ts';
import { event } from '../session/stamp.ts';

/** How a background shell ended. Only the first two are the command's own doing. */
export const ShellEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  /** By KillShell, or by a person. */
  z.object({ kind: z.literal('killed'), by: z.enum(['model', 'person']) }),
  /** With its session: it was closed, or the app was quit. */
  z.object({ kind: z.literal('session-closed') }),
  z.object({ kind: z.literal('output-limit'), limitBytes: z.number() }),
  /** The helper that runs commands ended, and the command with it. */
  z.object({ kind: z.literal('host-lost') }),
  /** The app or the recording ended first. `said`: the recording's own word for it. */
  z.object({ kind: z.literal('unknown'), said: z.string().optional() }),
]);
export type ShellEnd = z.output<typeof ShellEnd>;

export const shellEvents = [
  event('shell-started', {
    shellId: ShellId,
    callId: CallId,
    agentId: AgentId,
    command: z.string(),
    /** The file that the command writes, absolute. Absent where it was not recorded. */
    path: z.string().optional(),
  }),
  event('shell-progressed', { shellId: ShellId, bytes: z.number(), lines: z.number(), tail: z.string() }),
  /** The model was given the output up to this byte; the next look begins there. */
  event('shell-read', { shellId: ShellId, until: z.number().int().nonnegative() }),
  event('shell-ended', {
    shellId: ShellId,
    end: ShellEnd,
    bytes: z.number().optional(),
    /** What of its processes is still alive; an empty list is the proof that nothing is. Absent where nobody looked. */
    survivors: z.array(z.object({ pid: z.number().int(), command: z.string() })).optional(),
  }),
] as const;
