import type { HookEventName } from '../../../src-shared/hook/event.ts';
import { conditionHolds } from './condition.ts';
import { type HookInput, isToolInput, subjectOf } from './hook-input.ts';
import type { CommandHook } from './settings.ts';

/** Names alone; whatever holds another character is a regular expression (HR#matcher-patterns). */
const NAMES_ONLY = /^[A-Za-z0-9_\-\s,|]*$/;

/**
 * Whether a matcher takes in a subject. Case counts. `*`, empty and missing take in all; names are exact, in a list of
 * `|` or `,`; anything else is a JavaScript expression found anywhere in the subject. One that is no valid expression
 * takes in nothing.
 */
export function matcherMatches(matcher: string | undefined, subject: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (NAMES_ONLY.test(matcher)) return namesIn(matcher).includes(subject);
  return expressionOf(matcher)?.test(subject) ?? false;
}

const namesIn = (matcher: string): readonly string[] =>
  matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function expressionOf(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher);
  } catch {
    return undefined;
  }
}

const TOOL_EVENTS: ReadonlySet<HookEventName> = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
]);
const WITHOUT_MATCHER: ReadonlySet<HookEventName> = new Set(['UserPromptSubmit', 'Stop']);

/** Why a matcher will not do what its author expects, in sentences. */
export function matcherProblem(event: HookEventName, matcher: string): string | undefined {
  if (WITHOUT_MATCHER.has(event) || matcher === '' || matcher === '*') return undefined;
  if (!NAMES_ONLY.test(matcher)) {
    return expressionOf(matcher) === undefined
      ? `${matcher} is no valid regular expression. It matches nothing, so these hooks never run.`
      : undefined;
  }
  const names = namesIn(matcher);
  if (names.length === 0) return 'It holds no name, so these hooks never run.';
  const server = TOOL_EVENTS.has(event) ? names.find((name) => /^mcp__[^_]+(?:_[^_]+)*$/.test(name)) : undefined;
  if (server === undefined) return undefined;
  return `${server} is compared as the whole name of a tool and matches none. Write ${server}__.* for all tools of the server.`;
}

/**
 * The hooks that run for this happening, in configuration order. Identical programs run once, as the strongest settings
 * file has them.
 * @param home expands `~` in conditions on paths.
 */
export function selectHooks(hooks: readonly CommandHook[], input: HookInput, home: string): readonly CommandHook[] {
  const subject = subjectOf(input);
  const matching = hooks.filter(
    (hook) =>
      hook.event === input.event &&
      (subject === undefined || matcherMatches(hook.matcher, subject)) &&
      // A condition speaks of a tool's use; elsewhere it can never be met.
      (hook.condition === undefined || (isToolInput(input) && conditionHolds(hook, input, home))),
  );
  const last = new Map(matching.map((hook) => [programOf(hook), hook]));
  return matching.filter((hook) => last.get(programOf(hook)) === hook);
}

const programOf = ({ command, args, shell, mode }: CommandHook): string =>
  JSON.stringify([command, args ?? null, args === undefined ? shell : null, mode]);
