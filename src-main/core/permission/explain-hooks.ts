import { z } from 'zod';
import type { HookEventName } from '../../../src-shared/hook/event.ts';
import type { CallId, HookRunId, SessionId } from '../../../src-shared/ids.ts';
import type { PermissionMode } from '../../../src-shared/permission/event.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import { interpret } from '../hooks/interpret.ts';
import { selectHooks } from '../hooks/match.ts';
import { type InterpretedRun, mergeHooks } from '../hooks/merge.ts';
import type { CommandHook } from '../hooks/settings.ts';
import type { HookVerdict } from './chain.ts';
import type { World } from './ground.ts';
import type { Use } from './tool-rules.ts';

/**
 * A hook of a question: how its program ended and what it said, or its decision alone. `stdout` may be the object that
 * would be printed.
 */
const GivenHook = z.object({
  event: z.enum(['PreToolUse', 'PermissionRequest']).default('PreToolUse'),
  matcher: z.string().optional(),
  if: z.string().optional(),
  async: z.boolean().optional(),
  exit_code: z.number().int().optional(),
  stdout: z.unknown().optional(),
  stderr: z.string().optional(),
  permissionDecision: z.unknown().optional(),
  permissionDecisionReason: z.unknown().optional(),
  updatedInput: z.unknown().optional(),
  behavior: z.unknown().optional(),
  message: z.unknown().optional(),
  updatedPermissions: z.unknown().optional(),
});
type GivenHook = z.output<typeof GivenHook>;
export const GivenHooks = z
  .union([z.array(GivenHook), GivenHook.transform((hook) => [hook])])
  .nullish()
  .transform((hooks) => hooks ?? []);

type Word = { readonly verdict: HookVerdict; readonly updatedInput: unknown; readonly warnings: readonly string[] };

export type ExplainedHooks = {
  /** What the hooks before the call say. */
  readonly before: Word;
  /** What those say that may answer a question, if one is asked. Undefined: nothing. */
  readonly request: (use: Use) => Word | undefined;
};

/** Reads what the hooks of a question said as the hook runner would (spec 2.4). */
export function hooksOf(
  hooks: unknown,
  use: Use,
  { world, mode }: { readonly world: World; readonly mode: PermissionMode },
): ExplainedHooks {
  const given = GivenHooks.parse(hooks);
  const session = { sessionId: 'explained' as SessionId, transcriptPath: '', cwd: world.cwd, permissionMode: mode };
  const merged = (event: GivenHook['event'], { tool, input }: Use) => {
    const facts: HookInput = { session, event, callId: 'explained' as CallId, toolName: tool, toolInput: input };
    return { ...mergeHooks(facts, runsOf(given, facts, world.home), false), event };
  };
  const before = merged('PreToolUse', use);
  return {
    before: { verdict: before.verdict, updatedInput: before.updatedInput, warnings: before.notices },
    request: (asked) => {
      const { request, notices, runs } = merged('PermissionRequest', asked);
      if (request === undefined) return undefined;
      const reason = runs[0]?.hook.command ?? 'a hook';
      return request.behavior === 'deny'
        ? { verdict: { verdict: 'deny', reason }, updatedInput: undefined, warnings: notices }
        : { verdict: { verdict: 'allow', reason }, updatedInput: request.updatedInput, warnings: notices };
    },
  };
}

function runsOf(given: readonly GivenHook[], facts: HookInput, home: string): readonly InterpretedRun[] {
  const hooks = given.map((hook, index): CommandHook => commandHook(hook, index));
  const running = new Set(selectHooks(hooks, facts, home));
  return given.flatMap((hook, index): readonly InterpretedRun[] => {
    const command = hooks[index];
    // Nobody waits for a hook in the background, so its decision comes too late.
    if (command === undefined || !running.has(command) || command.mode !== 'wait') return [];
    const said = interpret(facts.event, ended(hook, facts.event));
    const report = {
      runId: `hook_${index}` as HookRunId,
      hook: command,
      name: `${facts.event}:hook ${index + 1}`,
      exitCode: hook.exit_code ?? 0,
      durationMs: 0,
      stdout: '',
      stderr: hook.stderr ?? '',
      outcome: said.outcome,
      effects: said.effects,
      notice: said.failure ?? said.warnings[0],
    };
    return [{ report, said }];
  });
}

const commandHook = (hook: GivenHook, index: number): CommandHook => ({
  event: hook.event,
  matcher: hook.matcher,
  command: `hook ${index + 1}`,
  args: undefined,
  shell: 'bash',
  condition: hook.if,
  timeoutMs: undefined,
  mode: hook.async === true ? 'background' : 'wait',
  statusMessage: undefined,
  scope: 'project',
  file: '.claude/settings.json',
  path: `hook[${index}]`,
});

function ended(hook: GivenHook, event: HookEventName): Parameters<typeof interpret>[1] {
  const captured = (text: string) => ({ text, bytes: text.length, cut: false });
  return {
    end: { kind: 'exited', code: hook.exit_code ?? 0 },
    stdout: captured(printed(hook, event)),
    stderr: captured(hook.stderr ?? ''),
  };
}

/** What the program prints: as it is given, or the decision in the protocol's words. */
function printed(hook: GivenHook, event: HookEventName): string {
  if (typeof hook.stdout === 'string') return hook.stdout;
  if (hook.stdout !== undefined) return JSON.stringify(hook.stdout);
  const { permissionDecision, permissionDecisionReason, updatedInput, behavior, message, updatedPermissions } = hook;
  const own =
    event === 'PermissionRequest'
      ? behavior === undefined
        ? {}
        : { decision: { behavior, updatedInput, message, updatedPermissions } }
      : { permissionDecision, permissionDecisionReason, updatedInput };
  const isSilent = Object.values(own).every((value) => value === undefined);
  return isSilent ? '' : JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...own } });
}
