import { z } from 'zod';
import { CallId, HookRunId } from '../ids.ts';
import { event } from '../session/stamp.ts';
import { Timing } from '../tool-call/timing.ts';

export const HookEventName = z.enum([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  'Notification',
  'PreCompact',
]);
export type HookEventName = z.output<typeof HookEventName>;

/**
 * How a run ended. `deny` is a no of any kind (to a call, a prompt, the end of a turn); `ok` has no say in the matter,
 * whatever else it did; `stopped` ends the turn.
 */
export const HookOutcome = z.enum(['ok', 'allow', 'ask', 'deny', 'error', 'timed-out', 'cancelled', 'stopped']);
export type HookOutcome = z.output<typeof HookOutcome>;

export const hookEvents = [
  event('hook-started', {
    runId: HookRunId,
    callId: CallId.optional(),
    hookEvent: z.string(),
    matcher: z.string().optional(),
    command: z.string(),
    /** The settings file that the hook stands in. */
    source: z.string().optional(),
    timing: Timing,
  }),
  event('hook-ended', {
    runId: HookRunId,
    exitCode: z.number().optional(),
    outcome: HookOutcome,
    stdout: z.string(),
    stderr: z.string(),
    /** What it changed, in words: `changed the input`, `added context`. */
    effects: z.array(z.string()),
    /** What the user should know of it, in a sentence: that it failed, that it was not understood. */
    notice: z.string().optional(),
  }),
] as const;
