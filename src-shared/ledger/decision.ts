import { z } from 'zod';
import { CallId, SessionId } from '../ids.ts';
import { NamedRule, SettledBy, Situation } from '../permission/event.ts';
import { Instant } from '../units.ts';

/** What the permission chain said of a call: `ask` is an ask whoever answered it, and however. */
export const DecisionKind = z.enum(['allow', 'ask', 'deny']);
export type DecisionKind = z.output<typeof DecisionKind>;

/** One decision of one session, with all it takes to make it again under other rules. */
export const Decision = z.object({
  sessionId: SessionId,
  callId: CallId,
  at: Instant,
  tool: z.string(),
  /** The input that was decided on. Texts that no rule looks at are cut. */
  input: z.unknown(),
  /** The model's own, where a hook or a person has changed it. */
  original: z.unknown().optional(),
  /** The bar's line: command, path. */
  summary: z.string(),
  kind: DecisionKind,
  verdict: z.enum(['allow', 'deny']),
  by: SettledBy,
  /** The rules that decided. */
  rules: z.array(NamedRule),
  /** How long a person was waited for, in ms. */
  waitedMs: z.number().optional(),
  /** The session's own folder; rules of the project and the local ones are those of it. */
  folder: z.string(),
  /** Of older journals it is what the session says of itself. */
  situation: Situation,
  /** Allow rules that its person had added for the session. */
  sessionRules: z.array(z.string()).optional(),
});
export type Decision = z.output<typeof Decision>;
