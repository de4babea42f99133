import { z } from 'zod';
import { ProcessInfo } from './process-runner.ts';

/** A program that is talked to through its standard input and output. Crosses to the process host as it is. */
export const PipeSpec = z
  .object({
    file: z.string().min(1),
    args: z.array(z.string()).readonly(),
    /** Absolute. */
    cwd: z.string(),
    /** The whole environment; the process host adds its marks. */
    env: z.record(z.string(), z.string()).readonly(),
    /** Unique among all that is ever started, see `ProcessSpec`. */
    marker: z.string().regex(/^[\w.:-]{1,400}$/),
  })
  .readonly();
export type PipeSpec = z.output<typeof PipeSpec>;

export const PipeEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }).readonly(),
  z.object({ kind: z.literal('signalled'), signal: z.string() }).readonly(),
  /** It was told to end, and has. */
  z.object({ kind: z.literal('closed') }).readonly(),
  /** Nothing was started. The message says why. */
  z.object({ kind: z.literal('spawn-failed'), message: z.string() }).readonly(),
  z.object({ kind: z.literal('host-lost') }).readonly(),
]);
export type PipeEnd = z.output<typeof PipeEnd>;

export const PipeResult = z
  .object({
    end: PipeEnd,
    /** The end of what it wrote to standard error, at most 4 KB. */
    stderr: z.string(),
    /** What could not be ended. */
    survivors: z.array(ProcessInfo).readonly(),
  })
  .readonly();
export type PipeResult = z.output<typeof PipeResult>;

export type PipeHooks = {
  /** Text of standard output as it comes, whole characters only; may begin and end anywhere in a line. */
  readonly onText: (text: string) => void;
  readonly onSpawn?: (pid: number) => void;
};

export interface Pipe {
  /** Into standard input. What comes after the program's end is dropped. */
  write(text: string): void;
  /** Closes standard input; a program that is still there after a second is ended with all it started. */
  close(): void;
  /** Settles when the program and all it started is gone, or with the survivors named. Never rejects. */
  readonly ended: Promise<PipeResult>;
}

/** Runs programs that are talked to. They end with the app, however it ends. */
export interface PipeRunner {
  open(spec: PipeSpec, hooks: PipeHooks): Pipe;
}
