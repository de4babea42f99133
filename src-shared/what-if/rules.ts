import type { CallId } from '../ids.ts';
import type { CascadePolicy, SessionSettings, Strategy } from '../session/settings.ts';

/** How calls are scheduled; `all-at-once` is what most frameworks do with parallel calls, and never live (spec 5.2). */
export type PlayedStrategy = Strategy | 'all-at-once';

/** May a call run beside others? What is said of the one call counts more than what is said of its tool. */
export type ChangedSafety = {
  readonly calls: Readonly<Record<CallId, boolean>>;
  readonly tools: Readonly<Record<string, boolean>>;
};
export const AS_RECORDED: ChangedSafety = { calls: {}, tools: {} };

/** The rules a turn is played under. What is left out is as it was recorded, message by message. */
export type Rules = {
  readonly strategy?: PlayedStrategy;
  readonly cascade?: CascadePolicy;
  /** Lanes. A positive integer. */
  readonly cap?: number;
  readonly safety?: ChangedSafety;
};

/** The rules that were in force. */
export type RecordedRules = Pick<SessionSettings, 'strategy' | 'cascade' | 'cap' | 'startUnsafe'>;

export const STRATEGIES: readonly Strategy[] = ['streaming', 'batch', 'serial'];
export const CASCADES: readonly CascadePolicy[] = ['any-error', 'except-writes', 'bash', 'bash-mutating', 'none'];

/** What a call counts as under these rules. */
export function isSafeUnder(
  call: { readonly callId: CallId; readonly tool: string; readonly safety: { readonly safe: boolean } },
  { calls, tools }: ChangedSafety = AS_RECORDED,
): boolean {
  return calls[call.callId] ?? tools[call.tool] ?? call.safety.safe;
}
