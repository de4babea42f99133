import { z } from 'zod';
import { AgentId, AskId, CallId } from '../ids.ts';
import { Usage } from '../model/event.ts';
import { event } from '../session/stamp.ts';

export const PermissionMode = z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']);
export type PermissionMode = z.output<typeof PermissionMode>;

/** A rule that decided, and where it stands. */
export const NamedRule = z.object({
  list: z.enum(['allow', 'ask', 'deny']),
  text: z.string(),
  /** Whose rule it is; `cli`: a flag of the start. */
  scope: z.enum(['session', 'local', 'project', 'user', 'managed', 'cli']),
  /** The settings file, absolute, and the line in it, from 1. Absent for rules of the session. */
  file: z.string().optional(),
  line: z.number().int().optional(),
});
export type NamedRule = z.output<typeof NamedRule>;

/** One step of the permission chain that was looked at (spec 2.5), with what it said and where that stands. */
export const TraceStep = z.object({
  step: z.enum(['hook', 'deny-rules', 'ask-rules', 'tool', 'mode', 'allow-rules', 'classifier', 'user', 'fallback']),
  verdict: z.enum(['pass', 'allow', 'deny', 'ask']),
  /** A sentence for the reader: `No deny rule matches`. */
  text: z.string(),
  /** A second line: the rule, the file and line, the hook and its exit code. */
  detail: z.string().optional(),
  /** The rules by which a step of rules decided: one, or for a command several that cover it together. */
  rules: z.array(NamedRule).optional(),
});
export type TraceStep = z.output<typeof TraceStep>;

export const RuleScope = z.enum(['session', 'local', 'project', 'user']);
export type RuleScope = z.output<typeof RuleScope>;

/** One question of AskUserQuestion, as the person is shown it. */
export const Choice = z.object({
  question: z.string(),
  /** A word or two for the step: `Database`. */
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiSelect: z.boolean(),
});
export type Choice = z.output<typeof Choice>;

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
  /** The person is asked for answers, not for permission; `allow-edited` brings them in the input's `answers`. */
  choices: z.array(Choice).optional(),
  /** A plan in Markdown that the person is to approve; `allow-edited` may bring a `mode` to go on in. */
  plan: z.string().optional(),
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

/** What else a decision rested on, so that it can be made again under other rules (the ledger's dry run). */
export const Situation = z.object({
  mode: PermissionMode,
  /** Where the call would have run. Absolute. */
  cwd: z.string(),
  /** The working folders, the session's own first. Absolute. */
  directories: z.array(z.string()),
  /** Nobody was there to ask. */
  headless: z.boolean(),
  /** What the hooks before the call said; absent where they said nothing. */
  hook: z.object({ verdict: z.enum(['allow', 'ask', 'deny']), reason: z.string() }).optional(),
  /** The tool's own word, and where its edit would have landed; absent where they are no more than nothing. */
  tool: z.object({ verdict: z.enum(['allow', 'ask', 'deny']), because: z.string() }).optional(),
  edit: z.enum(['inside', 'outside', 'protected']).optional(),
  classifier: z.object({ name: z.string(), verdict: z.enum(['allow', 'ask']), reason: z.string() }).optional(),
});
export type Situation = z.output<typeof Situation>;

/** Who or what had the last word on a call. */
export const SettledBy = z.enum([
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
]);
export type SettledBy = z.output<typeof SettledBy>;

export const permissionEvents = [
  /** A classifier looks at a call; for commands already while their hooks run (spec 2.4). */
  event('classifier-started', { callId: CallId, name: z.string() }),
  /** `stopped`: nobody waited for its word any more. */
  event('classifier-ended', {
    callId: CallId,
    name: z.string(),
    verdict: z.enum(['allow', 'ask', 'stopped']),
    reason: z.string(),
    ms: z.number(),
    /** Where a model was asked and has said what it took: which one, and the tokens with their cost where known. */
    model: z.string().optional(),
    usage: Usage.optional(),
  }),
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
    by: SettledBy,
    trace: z.array(TraceStep),
    feedback: z.string().optional(),
    rule: z.object({ text: z.string(), scope: RuleScope }).optional(),
    situation: Situation.optional(),
  }),
] as const;
