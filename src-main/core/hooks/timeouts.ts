import type { HookEventName } from '../../../src-shared/hook/event.ts';
import { type Millis, millis } from '../../../src-shared/units.ts';
import type { CommandHook } from './settings.ts';

/** code.claude.com/docs/en/hooks#common-fields. */
const DEFAULT_MS = 600_000;
const PROMPT_MS = 30_000;
const SESSION_END_MS = 1_500;
const MOST_SESSION_END_MS = 60_000;
/** Timers overflow above this and fire at once; a limit of 25 days is none. */
const LONGEST_MS = 2 ** 31 - 1;

/** How long this hook may run. `all` are all hooks of the settings: those of `SessionEnd` share one limit. */
export function timeoutOf(hook: CommandHook, all: readonly CommandHook[]): Millis {
  const own = hook.timeoutMs ?? defaultOf(hook.event);
  const limit = hook.event === 'SessionEnd' ? Math.min(hook.timeoutMs ?? LONGEST_MS, sessionEndBudget(all)) : own;
  return millis(Math.min(limit, LONGEST_MS));
}

const defaultOf = (event: HookEventName): number => (event === 'UserPromptSubmit' ? PROMPT_MS : DEFAULT_MS);

/** Leaving must not take long; a hook that says it needs longer raises the limit for all, up to a minute. */
function sessionEndBudget(all: readonly CommandHook[]): number {
  const configured = all.flatMap(({ event, timeoutMs }) =>
    event === 'SessionEnd' && timeoutMs !== undefined ? [timeoutMs] : [],
  );
  return Math.min(Math.max(SESSION_END_MS, ...configured), MOST_SESSION_END_MS);
}
