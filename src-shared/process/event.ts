import { z } from 'zod';
import { CallId } from '../ids.ts';
import { event } from '../session/stamp.ts';

const ProcessInfo = z.object({ pid: z.number().int(), command: z.string() });

export const processEvents = [
  event('process-spawned', {
    callId: CallId,
    pid: z.number().int(),
    parentPid: z.number().int().optional(),
    command: z.string(),
  }),
  event('process-ended', {
    callId: CallId,
    pid: z.number().int(),
    code: z.number().optional(),
    signal: z.string().optional(),
  }),
  /** After a call's end: what of its process tree is still alive. An empty list is the proof that nothing is. */
  event('process-tree-ended', { callId: CallId, survivors: z.array(ProcessInfo) }),
] as const;
