import { z } from 'zod';

/** One command for bash, and what bounds it. Crosses to the process host as it is. */
export const ProcessSpec = z
  .object({
    /** Given to `bash -c`: no rc files, not interactive, standard input empty. */
    command: z.string(),
    /** Absolute. Has to exist. */
    cwd: z.string(),
    /** Added to the environment of the app; wins over it. */
    env: z.record(z.string(), z.string()).readonly(),
    /** Absolute. Created or emptied; standard output and error both go there, in order. */
    outputFile: z.string(),
    timeoutMs: z.number().positive(),
    /** More output than this ends the command. Checked 10 times a second. */
    maxOutputBytes: z.number().positive(),
    /**
     * Unique among all calls of all runs. Lies in the environment of everything the command starts (`GANTRY_CALL`), so
     * that a process which has left its parent, group and session is still found.
     */
    marker: z.string().regex(/^[\w.:-]{1,400}$/),
  })
  .readonly();
export type ProcessSpec = z.output<typeof ProcessSpec>;

/** How a command ended. Only the first two are the command's own doing. */
export const ProcessEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }).readonly(),
  z.object({ kind: z.literal('signalled'), signal: z.string() }).readonly(),
  z.object({ kind: z.literal('timed-out'), limitMs: z.number() }).readonly(),
  z.object({ kind: z.literal('output-limit'), limitBytes: z.number() }).readonly(),
  z.object({ kind: z.literal('cancelled') }).readonly(),
  /** Nothing was started. The message says what is wrong and where. */
  z.object({ kind: z.literal('spawn-failed'), message: z.string() }).readonly(),
  /** The process host died or stopped answering; the command's processes were ended. */
  z.object({ kind: z.literal('host-lost') }).readonly(),
]);
export type ProcessEnd = z.output<typeof ProcessEnd>;

export const ProcessProgress = z
  .object({
    bytes: z.number(),
    /** Lines counted so far, an unfinished last one included. Lags behind `bytes` while output floods in. */
    lines: z.number(),
    /** The last lines, at most 2 KB, whole characters only. */
    tail: z.string(),
  })
  .readonly();
export type ProcessProgress = z.output<typeof ProcessProgress>;

export const ProcessInfo = z.object({ pid: z.number(), command: z.string() }).readonly();
export type ProcessInfo = z.output<typeof ProcessInfo>;

export const ProcessResult = z
  .object({
    end: ProcessEnd,
    /** Size of the output file. */
    bytes: z.number(),
    /** What could not be ended. Empty is the proof that nothing is left. */
    survivors: z.array(ProcessInfo).readonly(),
    /** Background processes the command left behind and that were ended after it. Absent when there were none. */
    leftovers: z.array(ProcessInfo).readonly().optional(),
    /** Where the shell stood when it ended by itself. Absent when unknown (`exec`, the command's own EXIT trap, a signal). */
    cwdAfter: z.string().optional(),
    /**
     * Processor time of the command and all it waited for; the largest resident size of one of its processes, as seen
     * by looking 10 times a second. Absent for commands of a few milliseconds and where the system does not tell.
     */
    usage: z.object({ userMs: z.number(), systemMs: z.number(), maxRssBytes: z.number() }).readonly().optional(),
  })
  .readonly();
export type ProcessResult = z.output<typeof ProcessResult>;

/** A process of a tree that is alive now. */
export const TreeProcess = z.object({ pid: z.number(), ppid: z.number(), command: z.string() }).readonly();
export type TreeProcess = z.output<typeof TreeProcess>;

/** A process of an earlier run whose process host is gone. */
export const Leftover = z
  .object({
    pid: z.number(),
    command: z.string(),
    marker: z.string(),
    /** When it started, in ms since 1970; absent where the system does not tell. */
    since: z.number().optional(),
  })
  .readonly();
export type Leftover = z.output<typeof Leftover>;

export type RunHooks = {
  /** Ends the whole tree. Aborted before the start: nothing is started at all. */
  readonly signal: AbortSignal;
  readonly onSpawn: (pid: number) => void;
  /** At most 10 times a second and never after the result. */
  readonly onProgress: (progress: ProcessProgress) => void;
};

/** Runs commands outside of this process. Expected endings are values; nothing here throws for a failing command. */
export interface ProcessRunner {
  /** Resolves when the command and everything it started is gone, or with the survivors named. */
  run(spec: ProcessSpec, hooks: RunHooks): Promise<ProcessResult>;
  /** What is alive now below the running call with this marker. */
  listTree(marker: string): Promise<readonly TreeProcess[]>;
  /** Ends all running calls as cancelled and then the process host. */
  close(): Promise<void>;
}

/** Looks for what a crashed run left behind, to be offered for ending (spec 3.6). */
export interface LeftoverFinder {
  /** Living processes whose marker starts with `markerPrefix` and whose process host is gone. */
  findLeftovers(markerPrefix: string): Promise<readonly Leftover[]>;
  /** Ends the trees of these markers; resolves with what could not be ended. */
  endLeftovers(markers: readonly string[]): Promise<readonly ProcessInfo[]>;
}

/** Spec 3.6: more output than this ends a command. */
export const DEFAULT_MAX_OUTPUT_BYTES = 5 * 1024 ** 3;
