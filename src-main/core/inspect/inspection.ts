import { z } from 'zod';
import { CascadePolicy, Strategy } from '../../../src-shared/session/settings.ts';
import { Finding } from '../../../src-shared/session/summary.ts';
import { Outcome } from '../../../src-shared/tool-call/event.ts';
import { TimeSource } from '../../../src-shared/tool-call/timing.ts';

/** One call. Times in ms from the session's start, `null` where they are not known. */
export const InspectedCall = z.object({
  id: z.string(),
  tool: z.string(),
  /** `main`, or the id of the sub-agent that made the call. */
  agent: z.string(),
  outcome: Outcome,
  /** It got its turn and held a lane; waiting for permission counts. A call cancelled in the queue has not started. */
  started: z.boolean(),
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  /** Where the start comes from: `measured`, or what it was worked out from. `null` for a call that never started. */
  startSource: z.union([z.literal('measured'), TimeSource]).nullable(),
  /** From 0, per agent. */
  lane: z.number().int().nonnegative().nullable(),
  /** The sibling whose failure cancelled this call. */
  culprit: z.string().nullable(),
});
export type InspectedCall = z.output<typeof InspectedCall>;

/** What decided how long a turn of the main agent took (docs/analysis.md). In ms; the kinds add up to `wallMs`. */
export const InspectedTurn = z.object({
  turn: z.string(),
  startMs: z.number(),
  wallMs: z.number(),
  modelMs: z.number(),
  toolMs: z.number(),
  humanMs: z.number(),
  hookMs: z.number(),
  lockMs: z.number(),
  otherMs: z.number(),
  /** What all calls worked together, and the time in which any did. */
  workMs: z.number(),
  busyMs: z.number(),
});
export type InspectedTurn = z.output<typeof InspectedTurn>;

/** What `gantry inspect --json` prints (spec 4.6). Fields are added, never changed or removed. */
export const Inspection = z.object({
  /** `claude-code`, `claude-stream-json`, `gantry-journal`. */
  format: z.string(),
  /** Version of the program that wrote the file. */
  version: z.string().nullable(),
  strategy: Strategy,
  cascade: CascadePolicy,
  /** Messages of the conversation, of all agents: prompts and texts put in by the program, and answers of the model. */
  messages: z.number().int(),
  /** Tool calls, of all agents. */
  calls: z.number().int(),
  /** Calls whose result is in the file. */
  results: z.number().int(),
  callsWithoutResult: z.array(z.string()),
  /** Calls by outcome; the numbers add up to `calls`. */
  outcomes: z.record(Outcome, z.number().int()),
  /** Calls that failed by themselves: outcome `error`. */
  errors: z.number().int(),
  /** Calls that a sibling's failure cancelled. `culprit` is `null` where the file does not tell which. */
  cancelledBySibling: z.array(z.object({ call: z.string(), culprit: z.string().nullable() })),
  /** Calls that a person refused: outcome `rejected`. */
  rejected: z.number().int(),
  /** Calls that an interruption ended or kept from starting: outcome `interrupted`. */
  interrupted: z.number().int(),
  /** Calls that a rule, a hook, a classifier or the want of a person denied: outcome `denied`. */
  denied: z.number().int(),
  /** Results that were too large for the conversation and lie in files. */
  persisted: z.array(z.object({ call: z.string(), path: z.string(), found: z.boolean(), bytes: z.number() })),
  subagents: z.number().int(),
  /** Calls running at once, of all agents: the most, and the mean over the time in which any ran. */
  concurrency: z.object({ max: z.number().int(), mean: z.number().nullable() }),
  /** From the session's first event to its last. */
  wallMs: z.number().nullable(),
  /** Running times of all calls added up. */
  sumMs: z.number().nullable(),
  /** The longest chain of calls that ran one after the other: what no number of lanes would have shortened. */
  criticalPathMs: z.number().nullable(),
  findings: z.array(Finding),
  callList: z.array(InspectedCall).optional(),
  /** `null` where no times are known. */
  turnList: z.array(InspectedTurn).nullable().optional(),
});
export type Inspection = z.output<typeof Inspection>;
