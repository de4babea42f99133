import { z } from 'zod';
import { AgentId, BatchId, CallId, MessageId } from '../ids.ts';
import { Usage } from '../model/event.ts';
import { event } from '../session/stamp.ts';
import { ContentBlock, ToolResult } from './content.ts';
import { Timing } from './timing.ts';

/** May the call run beside others? `because` names the guard that decided (spec 1.2) or the rule that was used. */
export const Safety = z.object({
  safe: z.boolean(),
  because: z.enum([
    'declared-safe',
    'treat-as-safe-rule',
    'unknown-tool',
    'invalid-input',
    'threw',
    'declared-unsafe',
    'not-recorded',
  ]),
  detail: z.string().optional(),
});
export type Safety = z.output<typeof Safety>;

/** The nine stages of a call (spec 2), in order. `permission` covers the chain and the wait for a person. */
export const Stage = z.enum([
  'look-up',
  'schema',
  'validate',
  'hooks-before',
  'permission',
  'run',
  'map',
  'save',
  'hooks-after',
]);
export type Stage = z.output<typeof Stage>;

/** How a call ended (the words of spec 4.6). `unknown`: the recording or the app ended first. */
export const Outcome = z.enum([
  'ok',
  'error',
  'rejected',
  'denied',
  'cancelled',
  'interrupted',
  'discarded',
  'unknown',
]);
export type Outcome = z.output<typeof Outcome>;

/**
 * Why a call was told to stop (spec 1.7). `refused`, `cut-off`: its message ended badly before the call had started, so
 * it never starts (spec 1.9).
 */
export const CancelReason = z.enum([
  'sibling_error',
  'interrupt',
  'escape',
  'discarded',
  'shutdown',
  'refused',
  'cut-off',
]);
export type CancelReason = z.output<typeof CancelReason>;

/**
 * Why a queued call may not start. `lock`: what runs now does not allow it beside itself; `no-lane`: all lanes are taken;
 * `order`: an earlier call goes first; `message-open`: the strategy waits for the whole message; `batch`: the batch before
 * comes first; `hold`: the debugger holds the queue; `settings`: `streaming.startUnsafe` holds it until the message's end.
 */
export const BlockedBy = z.enum(['lock', 'no-lane', 'order', 'message-open', 'batch', 'hold', 'settings']);
export type BlockedBy = z.output<typeof BlockedBy>;

/** How the command of a call ended, where there was one. */
export const Exit = z.object({
  code: z.number().optional(),
  signal: z.string().optional(),
  meaning: z.string().optional(),
});
export type Exit = z.output<typeof Exit>;

const callId = CallId;

export const toolCallEvents = [
  event('call-queued', {
    callId,
    agentId: AgentId,
    messageId: MessageId,
    /** Position among the calls of its message, from 0. */
    index: z.number().int().nonnegative(),
    tool: z.string(),
    /** The model's own input, kept as it came (stage 7 of spec 2 adds to a clone only). JSON drops one that is undefined. */
    input: z.unknown().optional(),
    /** One line for the bar: the command, the file, the pattern. */
    summary: z.string(),
    safety: Safety,
    /** What a new user message does to it while it runs (spec 1.7). Absent where it was not recorded. */
    onInterrupt: z.enum(['cancel', 'block']).optional(),
  }),
  event('call-blocked', { callId, why: BlockedBy, by: z.array(CallId) }),
  event('call-started', { callId, lane: z.number().int().nonnegative(), batchId: BatchId, timing: Timing }),
  event('stage-started', { callId, stage: Stage }),
  event('stage-ended', { callId, stage: Stage, verdict: z.string().optional() }),
  event('call-progressed', { callId, bytes: z.number(), lines: z.number(), tail: z.string() }),
  event('call-input-changed', { callId, by: z.enum(['user', 'hook']), input: z.unknown().optional() }),
  /** Fields added for display (exit code, resolved path). Never changes what the model is sent. */
  event('call-observed', { callId, fields: z.record(z.string(), z.unknown()) }),
  /** What the call asked of a model by itself, beside the conversation: tokens of one answer, with their cost where known. */
  event('call-spent', { callId, model: z.string(), usage: Usage }),
  /** The call was told to stop. Its end still follows as `call-completed`. */
  event('call-cancelled', {
    callId,
    reason: CancelReason,
    culprit: CallId.optional(),
    hadStarted: z.boolean(),
  }),
  event('call-completed', {
    callId,
    outcome: Outcome,
    /**
     * Its own failure, which may start a cascade. Left out where the outcome says it: an error or a denial is one,
     * anything else is none.
     */
    failed: z.boolean().optional(),
    exit: Exit.optional(),
    result: ToolResult,
    timing: Timing,
  }),
  event('call-yielded', { callId }),
  /** The whole output lies at `path`; the model saw a preview. `found` is false when an imported file is missing. */
  event('result-saved', {
    callId,
    path: z.string(),
    bytes: z.number(),
    found: z.boolean(),
    /** Characters a result of this tool may have; absent where another reason decided. */
    limit: z.number().optional(),
  }),
  /**
   * What the model is sent instead of the call's own result, decided once before it was first sent, and for ever
   * (spec 2.8). `budget`: saved to disk because the message was too large; `duplicate`: an earlier call has the same.
   */
  event('result-replaced', { callId, why: z.enum(['budget', 'duplicate']), content: z.array(ContentBlock) }),
  event('result-deduplicated', { callId, sameAs: CallId }),
  event('reads-went-stale', { callId, files: z.array(z.string()) }),
  event('context-modified', {
    callId,
    changes: z.array(z.string()),
    /** Where the agent works from now on, where that has changed. Absolute. */
    cwd: z.string().optional(),
    /** What the agent now knows of files, so that a session that is opened again knows it too. */
    files: z
      .array(
        z.object({
          path: z.string(),
          mtimeMs: z.number(),
          size: z.number(),
          hash: z.string(),
          /** The call that read or wrote it, where it is not this one. */
          callId: CallId.optional(),
          by: z.enum(['read', 'write']),
          range: z.union([z.literal('whole'), z.object({ offset: z.number(), limit: z.number() })]),
          toldStaleAt: z.number().optional(),
        }),
      )
      .optional(),
  }),
  event('cascade-triggered', { culprit: CallId, policy: z.string(), victims: z.array(CallId) }),
  event('batch-planned', {
    batchId: BatchId,
    agentId: AgentId,
    messageId: MessageId,
    kind: z.enum(['safe', 'exclusive']),
    callIds: z.array(CallId),
  }),
  event('batch-started', {
    batchId: BatchId,
    agentId: AgentId,
    messageId: MessageId,
    kind: z.enum(['safe', 'exclusive']),
  }),
  event('batch-ended', { batchId: BatchId }),
] as const;
