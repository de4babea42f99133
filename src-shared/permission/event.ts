import { z } from 'zod';
import { AgentId, AskId, CallId } from '../ids.ts';
import { event } from '../session/stamp.ts';

export const PermissionMode = z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']);
export type PermissionMode = z.output<typeof PermissionMode>;

/** One step of the permission chain that was looked at (spec 2.5), with what it said and where that stands. */
export const TraceStep = z.object({
  step: z.enum(['hook', 'deny-rules', 'ask-rules', 'tool', 'mode', 'allow-rules', 'classifier', 'user', 'fallback']),
  verdict: z.enum(['pass', 'allow', 'deny', 'ask']),
  /** A sentence for the reader: `No deny rule matches`. */
  text: z.string(),
  /** A second line: the rule, the file and line, the hook and its exit code. */
  detail: z.string().optional(),
});
export type TraceStep = z.output<typeof TraceStep>;

export const RuleScope = z.enum(['session', 'local', 'project', 'user']);
export type RuleScope = z.output<typeof RuleScope>;

/** What the dialog shows beside the input itself. */
export const Question = z.object({
  /** `Run this command?` */
  title: z.string(),
  /** The sentence about the deciding part: `sed -i writes to the files it is given.` */
  reason: z.string(),
  /** The part of the command that decides, as offsets into the shown text. */
  span: z.object({ start: z.number().int(), end: z.number().int() }).optional(),
  /** Short word on the badge: `changes files`, `runs a program`, `dangerous`. */
  risk: z.string(),
  dangerous: z.boolean(),
  /** A rule that would make this not ask again, in settings syntax. */
  proposedRule: z.string().optional(),
  /** For edits: the change as it will be made. */
  diff: z.object({ path: z.string(), before: z.string(), after: z.string() }).optional(),
});
export type Question = z.output<typeof Question>;

/** A person's answer to a question. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allow-once') }),
  z.object({ kind: z.literal('allow-edited'), input: z.unknown() }),
  z.object({ kind: z.literal('allow-and-add-rule'), rule: z.string().min(1), scope: RuleScope }),
  z.object({ kind: z.literal('deny') }),
  z.object({ kind: z.literal('deny-with-feedback'), feedback: z.string().min(1) }),
]);
export type Answer = z.output<typeof Answer>;

export const permissionEvents = [
  event('permission-asked', {
    askId: AskId,
    callId: CallId,
    agentId: AgentId,
    question: Question,
    trace: z.array(TraceStep),
  }),
  /** The chain's last word on a call. Without `askId` nobody was asked. */
  event('permission-settled', {
    callId: CallId,
    askId: AskId.optional(),
    verdict: z.enum(['allow', 'deny']),
    by: z.enum([
      'rule',
      'mode',
      'hook',
      'tool',
      'classifier',
      'user',
      'new-rule',
      'no-user',
      'closed',
      'cancelled',
      'recorded',
    ]),
    trace: z.array(TraceStep),
    feedback: z.string().optional(),
    rule: z.object({ text: z.string(), scope: RuleScope }).optional(),
  }),
] as const;
