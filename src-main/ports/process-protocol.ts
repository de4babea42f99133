import { z } from 'zod';
import { PipeResult, PipeSpec } from './pipe-runner.ts';
import { Leftover, ProcessInfo, ProcessProgress, ProcessResult, ProcessSpec, TreeProcess } from './process-runner.ts';

/**
 * What crosses between the main process and the process host (spec 7.2), both ways. `id` names a run, `request` a
 * question; both are counted by the asking side.
 */
export const ToHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), id: z.number(), spec: ProcessSpec }),
  z.object({ type: z.literal('cancel'), id: z.number() }),
  z.object({ type: z.literal('list-tree'), request: z.number(), marker: z.string() }),
  z.object({ type: z.literal('find-leftovers'), request: z.number(), markerPrefix: z.string() }),
  z.object({ type: z.literal('end-leftovers'), request: z.number(), markers: z.array(z.string()) }),
  z.object({ type: z.literal('open-pipe'), id: z.number(), spec: PipeSpec }),
  z.object({ type: z.literal('write-pipe'), id: z.number(), text: z.string() }),
  z.object({ type: z.literal('close-pipe'), id: z.number() }),
  z.object({ type: z.literal('shut-down') }),
]);
export type ToHost = z.output<typeof ToHost>;

export const FromHost = z.discriminatedUnion('type', [
  z.object({ type: z.literal('spawned'), id: z.number(), pid: z.number() }),
  z.object({ type: z.literal('progressed'), id: z.number(), progress: ProcessProgress }),
  /**
   * `pid` when the process has not been announced with `spawned`: it was too short for a message of its own.
   * `last` is the final progress, when something was written since the one before.
   */
  z.object({
    type: z.literal('ended'),
    id: z.number(),
    result: ProcessResult,
    pid: z.number().optional(),
    last: ProcessProgress.optional(),
  }),
  z.object({ type: z.literal('pipe-opened'), id: z.number(), pid: z.number() }),
  z.object({ type: z.literal('pipe-said'), id: z.number(), text: z.string() }),
  z.object({ type: z.literal('pipe-closed'), id: z.number(), result: PipeResult }),
  z.object({ type: z.literal('tree-listed'), request: z.number(), processes: z.array(TreeProcess) }),
  z.object({ type: z.literal('leftovers-found'), request: z.number(), leftovers: z.array(Leftover) }),
  z.object({ type: z.literal('leftovers-ended'), request: z.number(), survivors: z.array(ProcessInfo) }),
]);
export type FromHost = z.output<typeof FromHost>;

/** Environment variable that holds the call's marker in all it starts. */
export const MARKER_VARIABLE = 'GANTRY_CALL';
/** Environment variable that names the process host, so that a later run can tell whether it still lives. */
export const HOST_VARIABLE = 'GANTRY_HOST';
