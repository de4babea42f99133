import { z } from 'zod';
import { CallId } from '../ids.ts';
import { event } from '../session/stamp.ts';

const Id = z.string().min(1).max(100);
/** A permission rule that says which calls are meant: `Bash(git push:*)`, `Edit(src/**)`, `Read`. */
const Rule = z.string().min(1).max(1_000);
const Wait = z.number().int().min(0).max(600_000).describe('milliseconds');

/** Where the session stops for its person. `failure` and `cascade` without a rule mean any call. */
export const Breakpoint = z.discriminatedUnion('kind', [
  z.object({ id: Id, kind: z.literal('before'), rule: Rule, enabled: z.boolean() }),
  z.object({ id: Id, kind: z.literal('failure'), rule: Rule.optional(), enabled: z.boolean() }),
  z.object({ id: Id, kind: z.literal('cascade'), rule: Rule.optional(), enabled: z.boolean() }),
]);
export type Breakpoint = z.output<typeof Breakpoint>;

const fault = { id: Id, rule: Rule, enabled: z.boolean(), times: z.number().int().positive().optional() };

/**
 * Trouble on purpose for the calls that a rule means, at most `times` times. `break-stream`: the model's message breaks
 * off right behind the call's block.
 */
export const Fault = z.discriminatedUnion('kind', [
  z.object({ ...fault, kind: z.literal('delay'), ms: Wait }),
  z.object({ ...fault, kind: z.literal('fail'), message: z.string().max(10_000).optional() }),
  z.object({ ...fault, kind: z.literal('hang') }),
  z.object({ ...fault, kind: z.literal('break-stream') }),
  z.object({ ...fault, kind: z.literal('slow-permission'), ms: Wait }),
]);
export type Fault = z.output<typeof Fault>;
export type FaultKind = Fault['kind'];

export const PauseReason = z.enum(['before', 'failure', 'cascade']);
export type PauseReason = z.output<typeof PauseReason>;

export const debuggerEvents = [
  /** While the queue is held no call starts, of any agent. What runs goes on. */
  event('queue-held', { on: z.boolean(), by: z.enum(['person', 'breakpoint']) }),
  /** One call may start although the queue is held. */
  event('queue-stepped', {}),
  event('breakpoints-changed', { breakpoints: z.array(Breakpoint) }),
  event('faults-changed', { faults: z.array(Fault) }),
  /** The call has started, holds its lane, and waits for its person. */
  event('call-paused', { callId: CallId, breakpointId: Id, why: PauseReason }),
  /** `edited`: it goes on with another input, which `call-input-changed` holds. */
  event('call-resumed', { callId: CallId, how: z.enum(['go-on', 'edited', 'cancelled']) }),
  event('fault-injected', {
    callId: CallId,
    faultId: Id,
    kind: z.enum(['delay', 'fail', 'hang', 'break-stream', 'slow-permission']),
    /** Of a delay or a slow permission. */
    ms: Wait.optional(),
  }),
] as const;
