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

export const hookEvents = [
  event('hook-started', {
    runId: HookRunId,
    callId: CallId.optional(),
    hookEvent: z.string(),
    matcher: z.string().optional(),
    command: z.string(),
    timing: Timing,
  }),
  event('hook-ended', {
    runId: HookRunId,
    exitCode: z.number().optional(),
    outcome: z.enum(['ok', 'allow', 'ask', 'deny', 'error', 'timed-out', 'cancelled', 'stopped']),
    stdout: z.string(),
    stderr: z.string(),
    /** What it changed, in words: `changed the input`, `added context`. */
    effects: z.array(z.string()),
  }),
] as const;
