import type { HookOutcome } from '../../../src-shared/hook/event.ts';
import type { HookRunId } from '../../../src-shared/ids.ts';
import type { HookVerdict } from '../permission/chain.ts';
import { cutText } from '../results/texts.ts';
import { type HookInput, hookName, isToolInput } from './hook-input.ts';
import type { Interpretation } from './interpret.ts';
import type { RequestDecision } from './output.ts';
import type { CommandHook } from './settings.ts';

export type HookRunStart = {
  readonly runId: HookRunId;
  readonly hook: CommandHook;
  /** `PreToolUse:Bash`. */
  readonly name: string;
};

/** One run that is over, as it is recorded. */
export type HookRunReport = HookRunStart & {
  readonly exitCode: number | undefined;
  readonly durationMs: number;
  /** At most 10,000 characters of each stream, with a line that says so when more was written. */
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: HookOutcome;
  readonly effects: readonly string[];
  /** A sentence for the user: it failed, it was not understood. */
  readonly notice: string | undefined;
};

export type InterpretedRun = { readonly report: HookRunReport; readonly said: Interpretation };

/** A text of one hook, and the name to show it under. */
export type HookText = { readonly text: string; readonly name: string; readonly command: string };

const COMMAND_CHARACTERS = 120;

/** A hook as sentences name it: programs written into the settings can be pages long. */
export const commandInOneLine = ({ command }: CommandHook): string =>
  cutText(command.replace(/\s+/g, ' ').trim(), COMMAND_CHARACTERS, '…');

/** What all hooks of one happening say together. */
export type MergedHooks = {
  /** In configuration order. */
  readonly runs: readonly HookRunReport[];
  /** For the permission chain. Only `PreToolUse` ever says more than `none`. */
  readonly verdict: HookVerdict;
  /** The call's result, when the verdict is `deny`: the hook's own reason and nothing else. */
  readonly denial: string | undefined;
  /** Replaces the whole input; has to pass the schema and the checks again (spec 2.4). */
  readonly updatedInput: Readonly<Record<string, unknown>> | undefined;
  /** `PermissionRequest`: the answer in the user's place. */
  readonly request: RequestDecision | undefined;
  /** `UserPromptSubmit`, `Stop`, `SubagentStop`, `PreCompact`: a no. For the user, or for the model after a `Stop`. */
  readonly block: { readonly reason: string; readonly hidesPrompt: boolean } | undefined;
  /** For the model, as `contextReminder` words it. */
  readonly contexts: readonly HookText[];
  /** For the model, beside the result of a tool that has run. */
  readonly feedback: readonly HookText[];
  /** `PostToolUse` of an MCP tool: takes the place of its output (spec 2.9). */
  readonly updatedOutput: { readonly value: unknown } | undefined;
  /** The turn ends when the calls of this message have settled (spec 2.9). The reason is for the user. */
  readonly preventContinuation: { readonly reason: string } | undefined;
  /** For the user. */
  readonly messages: readonly HookText[];
  /** For the user: what went wrong. The last word of a guard that does not work must not be lost. */
  readonly notices: readonly string[];
  readonly sessionTitle: string | undefined;
  readonly initialUserMessage: string | undefined;
  /** The signal ended them: nothing above is to be used. */
  readonly aborted: boolean;
};

/** No hook ran. */
export const NO_HOOKS_RAN: MergedHooks = {
  runs: [],
  verdict: { verdict: 'none', reason: 'no hook ran' },
  denial: undefined,
  updatedInput: undefined,
  request: undefined,
  block: undefined,
  contexts: [],
  feedback: [],
  updatedOutput: undefined,
  preventContinuation: undefined,
  messages: [],
  notices: [],
  sessionTitle: undefined,
  initialUserMessage: undefined,
  aborted: false,
};

/** @param runs in configuration order, whichever ended first. */
export function mergeHooks(input: HookInput, runs: readonly InterpretedRun[], aborted: boolean): MergedHooks {
  const reports = runs.map(({ report }) => report);
  if (aborted) return { ...NO_HOOKS_RAN, runs: reports, aborted };
  const warnings: string[] = [];
  const permission = mergePermission(input, runs, warnings);
  const stop = runs.find(({ said }) => said.stop !== undefined);
  const rewrite = permission.verdict.verdict === 'deny' ? undefined : lastRewrite(runs, warnings);
  return {
    ...NO_HOOKS_RAN,
    ...permission,
    runs: reports,
    updatedInput: rewrite,
    request: mergeRequests(runs),
    block: mergeBlocks(input, runs, stop !== undefined),
    contexts: textsOf(runs, ({ context }) => context),
    feedback: textsOf(runs, ({ feedback }) => feedback),
    updatedOutput: mergeOutputs(input, runs, warnings),
    preventContinuation: stop && { reason: stop.said.stop?.reason ?? `A ${hookName(input)} hook stopped the turn.` },
    messages: textsOf(runs, ({ systemMessage }) => systemMessage),
    notices: [...runs.flatMap(({ report }) => report.notice ?? []), ...warnings],
    sessionTitle: runs.findLast(({ said }) => said.sessionTitle !== undefined)?.said.sessionTitle,
    initialUserMessage: runs.find(({ said }) => said.initialUserMessage !== undefined)?.said.initialUserMessage,
  };
}

const textsOf = (
  runs: readonly InterpretedRun[],
  pick: (said: Interpretation) => string | undefined,
): readonly HookText[] =>
  runs.flatMap(({ said, report }) => {
    const text = pick(said);
    return text === undefined ? [] : [{ text, name: report.name, command: report.hook.command }];
  });

/** Deny beats ask beats allow; who has no say does not count. */
const STRONGEST_FIRST = ['deny', 'ask', 'allow'] as const;

/** A yes to these is an answer, and an answer without the input that holds it is none (HR#allow-with-updatedinput). */
const NEEDS_ANSWER: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

function mergePermission(
  input: HookInput,
  runs: readonly InterpretedRun[],
  warnings: string[],
): Pick<MergedHooks, 'verdict' | 'denial'> {
  for (const verdict of STRONGEST_FIRST) {
    const speaker = runs.find(({ said }) => said.permission?.verdict === verdict);
    if (speaker === undefined) continue;
    if (verdict === 'allow' && isToolInput(input) && NEEDS_ANSWER.has(input.toolName)) {
      if (!runs.some(({ said }) => said.updatedInput !== undefined)) {
        warnings.push(`A hook allowed ${input.toolName} without updatedInput, which holds the answer. You are asked.`);
        continue;
      }
    }
    const reason = speaker.said.permission?.reason;
    return {
      verdict: { verdict, reason: `${whoSaid(speaker.report)}${reason === undefined ? '' : `: ${reason}`}` },
      denial: verdict === 'deny' ? (reason ?? `A ${input.event} hook denied this call and gave no reason.`) : undefined,
    };
  }
  const reason = runs.length === 0 ? 'no hook ran' : `${runs.length} ran`;
  return { verdict: { verdict: 'none', reason }, denial: undefined };
}

/** `check.sh (exit 2, project settings)`: what the trace of a decision shows. */
const whoSaid = ({ hook, exitCode }: HookRunReport): string =>
  `${commandInOneLine(hook)} (${exitCode === undefined ? '' : `exit ${exitCode}, `}${hook.scope} settings)`;

function lastRewrite(runs: readonly InterpretedRun[], warnings: string[]): MergedHooks['updatedInput'] {
  const rewrites = runs.filter(({ said }) => said.updatedInput !== undefined);
  const last = rewrites.at(-1);
  if (rewrites.length > 1 && last !== undefined) {
    warnings.push(
      `${rewrites.length} hooks changed the input. The last in the settings counts: ${commandInOneLine(last.report.hook)}.`,
    );
  }
  return last?.said.updatedInput;
}

/** One deny is enough. Of several that allow, the last rewrite counts and every permission they add. */
function mergeRequests(runs: readonly InterpretedRun[]): RequestDecision | undefined {
  const answers = runs.flatMap(({ said }) => said.request ?? []);
  const denials = answers.filter((answer) => answer.behavior === 'deny');
  if (denials.length > 0) {
    const message = denials.find((denial) => denial.message !== undefined)?.message;
    const interrupt = denials.some((denial) => denial.interrupt === true);
    return { behavior: 'deny', ...(message === undefined ? {} : { message }), ...(interrupt ? { interrupt } : {}) };
  }
  const grants = answers.filter((answer) => answer.behavior === 'allow');
  if (grants.length === 0) return undefined;
  const updatedInput = grants.findLast((grant) => grant.updatedInput !== undefined)?.updatedInput;
  const updatedPermissions = grants.flatMap((grant) => grant.updatedPermissions ?? []);
  return {
    behavior: 'allow',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }),
  };
}

/** `continue: false` goes before: a turn that is stopped is not kept going (HR#json-output). */
function mergeBlocks(input: HookInput, runs: readonly InterpretedRun[], stops: boolean): MergedHooks['block'] {
  const blocks = runs.filter(({ said }) => said.block !== undefined);
  if (blocks.length === 0) return undefined;
  if (stops && (input.event === 'Stop' || input.event === 'SubagentStop')) return undefined;
  return {
    reason: blocks.map(({ said }) => said.block).join('\n'),
    hidesPrompt: blocks.some(({ said }) => said.hidesPrompt),
  };
}

/** Only an MCP tool's output can be put another in place of: all others have a form that is relied on (spec 2.9). */
function mergeOutputs(
  input: HookInput,
  runs: readonly InterpretedRun[],
  warnings: string[],
): MergedHooks['updatedOutput'] {
  const last = runs.findLast(({ said }) => said.updatedOutput !== undefined);
  if (last === undefined || !isToolInput(input)) return undefined;
  if (input.toolName.startsWith('mcp__')) return last.said.updatedOutput;
  warnings.push(
    `${commandInOneLine(last.report.hook)} wants to replace the output of ${input.toolName}. Only MCP tools allow it.`,
  );
  return undefined;
}
