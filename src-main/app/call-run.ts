import type { AgentId, CallId, MessageId } from '../../src-shared/ids.ts';
import type { PermissionMode, RuleScope } from '../../src-shared/permission/event.ts';
import type { EventFacts } from '../../src-shared/session/event.ts';
import type { ToolResult } from '../../src-shared/tool-call/content.ts';
import type { Exit, Outcome, Safety, Stage } from '../../src-shared/tool-call/event.ts';
import type { RuleSet } from '../core/permission/rules.ts';
import type { Classifier } from '../ports/classifier.ts';
import type { Clock } from '../ports/clock.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import type { AnyTool, CallHost, Modifier, ToolContext } from '../ports/tool.ts';
import type { Asker } from './ask-board.ts';
import type { CallClassifier } from './call-classifier.ts';
import type { Debugger } from './debugger.ts';
import type { SessionHooks } from './session-hooks.ts';
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
  /** Why its input cannot be taken; such a call never starts. */
  readonly problem: string | undefined;
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
  /** It was told to stop and did, or did not in time and was given up. The executor has the last word on why. */
  readonly stopped?: 'in-time' | 'given-up';
};

/** What the stages of one call work with. */
export type CallRun = {
  readonly job: Job;
  readonly log: SessionLog;
  /** Adds an event about this call. What comes after its end (a tool that was given up goes on) is left out. */
  readonly record: (facts: EventFacts) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: ToolContext;
  readonly asker: Asker;
  readonly rules: () => RuleSet;
  /** A rule that a person has just chosen counts from now on. Where it is kept on disk, it is there already. */
  readonly addRule: (rule: string, scope: RuleScope) => void;
  readonly mode: () => PermissionMode;
  readonly files: ResultFiles;
  readonly saveThreshold: number;
  readonly hooks: SessionHooks;
  /** Looks at calls in mode auto; nobody does when it is left out, and the chain asks. */
  readonly classifier?: Classifier | undefined;
  /** What it makes of this call. */
  readonly classified: CallClassifier;
  /** Breakpoints, and trouble on purpose. */
  readonly debug: Debugger;
  /** What the tool may ask of the session. */
  readonly host: CallHost;
  /** What hooks have said for the model so far; it goes behind the result, whatever that will be. */
  readonly reminders: string[];
  /** A hook wants the turn to end when the calls of this message have settled (spec 2.9). */
  readonly stopTurn: (reason: string) => void;
  /** May an input run beside others? Asked again when a person or a hook changes it. */
  readonly classify: (input: unknown) => Safety;
  /** Others may run beside it, and were promised that it changes nothing. */
  readonly sharesLock: boolean;
  /** What a cancelled call answers. */
  readonly cancelled: (how?: 'in-time' | 'given-up') => Ending;
};

/** A stage hands on a value, or ends the call. */
export type Step<T> = { readonly go: T } | { readonly end: Ending };

/** Takes a changed input through the schema and the semantic checks again. */
export type Revalidate = (run: CallRun, tool: AnyTool, input: unknown) => Promise<Step<unknown>>;

export const isEnd = <T>(step: Step<T>): step is { readonly end: Ending } => 'end' in step;

/** Runs one stage between its two events. The verdict is `ok`, or the outcome with which it ended the call. */
export async function stage<T>(run: CallRun, name: Stage, work: () => Step<T> | Promise<Step<T>>): Promise<Step<T>> {
  const { callId } = run.job;
  run.record({ type: 'stage-started', callId, stage: name });
  const step = await work();
  run.record({ type: 'stage-ended', callId, stage: name, verdict: isEnd(step) ? step.end.outcome : 'ok' });
  return step;
}

/** A stage before the tool has run: does not begin when the call has been told to stop. */
export const stageUnlessStopped: typeof stage = async (run, name, work) =>
  run.signal.aborted ? { end: run.cancelled() } : stage(run, name, work);
