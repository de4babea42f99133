import type { AgentId, CallId, MessageId } from '../../src-shared/ids.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import type { ToolResult } from '../../src-shared/tool-call/content.ts';
import type { CancelReason, Exit, Outcome, Safety, Stage } from '../../src-shared/tool-call/event.ts';
import type { RuleSet } from '../core/permission/rules.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import type { AnyTool, Modifier, ToolContext } from '../ports/tool.ts';
import type { Asker } from './ask-board.ts';
import type { SessionLog } from './session-log.ts';

/** A call as the executor holds it. */
export type Job = {
  readonly callId: CallId;
  readonly agentId: AgentId;
  readonly messageId: MessageId;
  readonly index: number;
  readonly toolName: string;
  readonly tool: AnyTool | undefined;
  /** The model's own input; never changed. */
  readonly input: unknown;
  readonly summary: string;
  readonly safety: Safety;
};

/** How a call ended, for the executor. */
export type Ending = {
  readonly outcome: Outcome;
  readonly result: ToolResult;
  readonly exit?: Exit;
  /** Its own failure: may start a cascade. */
  readonly failed: boolean;
  readonly modifier?: Modifier;
  readonly changes?: readonly string[];
  /** A person refused without a word: the turn ends (spec 2.5). */
  readonly endsTurn?: boolean;
};

/** What the stages of one call work with. */
export type CallRun = {
  readonly job: Job;
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: ToolContext;
  readonly asker: Asker;
  readonly rules: () => RuleSet;
  readonly addSessionRule: (rule: string) => void;
  readonly mode: () => PermissionMode;
  readonly files: ResultFiles;
  readonly saveThreshold: number;
  /** What a cancelled call answers, by the reason its signal carries. */
  readonly cancelled: (reason: CancelReason) => Ending;
};

/** A stage hands on a value, or ends the call. */
export type Step<T> = { readonly go: T } | { readonly end: Ending };

export const isEnd = <T>(step: Step<T>): step is { readonly end: Ending } => 'end' in step;

/** The reason in a signal, as the scheduler put it there. */
export const reasonOf = (signal: AbortSignal): CancelReason => signal.reason as CancelReason;

/** Runs one stage between its two events. The verdict is `ok`, or the outcome with which it ended the call. */
export async function stage<T>(run: CallRun, name: Stage, work: () => Step<T> | Promise<Step<T>>): Promise<Step<T>> {
  if (run.signal.aborted) return { end: run.cancelled(reasonOf(run.signal)) };
  const { callId } = run.job;
  run.log.append({ type: 'stage-started', callId, stage: name });
  const step = await work();
  run.log.append({ type: 'stage-ended', callId, stage: name, verdict: isEnd(step) ? step.end.outcome : 'ok' });
  return step;
}
