import type { HookEventName } from '../../src-shared/hook/event.ts';
import { resultText, textResult } from '../../src-shared/tool-call/content.ts';
import type { HookFacts } from '../core/hooks/hook-input.ts';
import type { MergedHooks } from '../core/hooks/merge.ts';
import { contextReminder, feedbackReminder } from '../core/hooks/texts.ts';
import { toolResponse } from '../core/hooks/tool-response.ts';
import { decidePermission, type HookVerdict } from '../core/permission/chain.ts';
import type { AnyTool } from '../ports/tool.ts';
import { type CallRun, type Ending, isEnd, type Revalidate, type Step, stage } from './call-run.ts';
import type { Unpaused } from './debug-stages.ts';
import { situationOf, worldOf } from './permission-world.ts';

/** What stage 4 hands on: the input that may run, and what the hooks said of it. */
export type Hooked = { readonly input: unknown; readonly hook: HookVerdict };

/** Stage 4: the hooks before a call. They may end it, change its input, and have a say in its permission (spec 2.4). */
export async function hooksBefore(
  run: CallRun,
  tool: AnyTool,
  { input, shown: toolInput }: Unpaused,
  revalidate: Revalidate,
): Promise<Step<Hooked>> {
  const { callId } = run.job;
  // Beside the hooks, so that its word is there when the chain comes to it.
  run.classified.begin({ tool: tool.name, input });
  const merged = await askHooks(run, { event: 'PreToolUse', callId, toolName: tool.name, toolInput });
  if (merged.aborted) return { end: run.cancelled() };
  heed(run, merged);
  const hook = merged.verdict;
  if (hook.verdict === 'deny') return { end: denied(run, hook, merged.denial ?? hook.reason) };
  if (merged.updatedInput === undefined) return { go: { input, hook } };
  const changed = await changeInput(run, tool, { input: merged.updatedInput, by: 'PreToolUse' }, revalidate);
  if (isEnd(changed)) return changed;
  run.classified.begin({ tool: tool.name, input: changed.go });
  return { go: { input: changed.go, hook } };
}

export const askHooks = (run: CallRun, facts: HookFacts): Promise<MergedHooks> => {
  const { agentId, callId } = run.job;
  return run.hooks.run(facts, { cwd: run.context.cwd, agentId, callId }, run.signal);
};

/** What the hooks said besides their verdict is kept whatever becomes of the call. */
export function heed(run: CallRun, merged: MergedHooks): void {
  run.reminders.push(...merged.contexts.map(contextReminder), ...merged.feedback.map(feedbackReminder));
  if (merged.preventContinuation !== undefined) run.stopTurn(merged.preventContinuation.reason);
}

/** A hook's no needs no look at any rule (spec 2.5). The model reads the hook's own words, as others write them. */
function denied(run: CallRun, hook: HookVerdict, text: string): Ending {
  const use = { tool: run.job.toolName, input: run.job.input };
  const tool = { verdict: 'pass', because: '' } as const;
  const { trace } = decidePermission({
    use,
    original: use,
    hook,
    tool,
    rules: run.rules(),
    mode: run.mode(),
    world: worldOf(run.context),
  });
  run.record({
    type: 'permission-settled',
    callId: run.job.callId,
    verdict: 'deny',
    by: 'hook',
    trace: [...trace],
    situation: situationOf(run, { hook }),
  });
  return { outcome: 'denied', result: textResult(text, true), failed: true };
}

/** A changed input replaces the whole one, and is looked at as if the model had sent it (spec 2.4). */
export async function changeInput(
  run: CallRun,
  tool: AnyTool,
  { input, by }: { readonly input: unknown; readonly by: HookEventName },
  revalidate: Revalidate,
): Promise<Step<unknown>> {
  run.record({ type: 'call-input-changed', callId: run.job.callId, by: 'hook', input });
  const valid = await revalidate(run, tool, input);
  if (isEnd(valid)) return { end: withText(valid.end, `The input is as a ${by} hook changed it.`) };
  if (!run.sharesLock || run.classify(valid.go).safe) return valid;
  // It runs beside others already, and those were promised that nothing beside them changes anything.
  run.record({
    type: 'notice-given',
    level: 'warning',
    text: `A ${by} hook changed the input of ${tool.name} so that it may no longer run beside others. It was not run.`,
    detail: 'If the changed call only reads, a rule in concurrency.treatAsSafe says so.',
  });
  const text = `A ${by} hook changed the input so that the call may not run beside those that run now. It was not run.`;
  return { end: { outcome: 'error', result: textResult(text, true), failed: false } };
}

/** How a call ended; `use` is there when it came as far as its hooks. */
export type Done = { readonly ending: Ending; readonly use: ToolUse | undefined };

export type ToolUse = {
  readonly tool: AnyTool;
  /** The input that ran, or would have. */
  readonly input: unknown;
  /** How long the tool ran, in ms; undefined when it did not. */
  readonly ranMs: number | undefined;
  /** Its hooks have run: those of MCP tools do before its output is mapped (spec 2.9). */
  readonly heard: boolean;
};

/**
 * Stage 9: the hooks after a call. They can add to its result, never change how it ended. Calls that were refused or
 * stopped have none: nothing of them has been done (HR#posttoolusefailure).
 */
export async function hooksAfter(run: CallRun, { ending, use }: Done): Promise<Ending> {
  if (use !== undefined && !use.heard && !run.signal.aborted) {
    const facts = factsAfter(run, ending, use);
    if (facts !== undefined) await stage(run, 'hooks-after', async () => ({ go: await askAfter(run, facts) }));
  }
  return withReminders(run, ending);
}

function factsAfter(run: CallRun, ending: Ending, { tool, input, ranMs }: ToolUse): HookFacts | undefined {
  const text = resultText(ending.result);
  const use = { callId: run.job.callId, toolName: tool.name, toolInput: input, durationMs: ranMs };
  switch (ending.outcome) {
    case 'ok':
      return { ...use, event: 'PostToolUse', toolResponse: toolResponse({ ...use, text }) };
    case 'error':
      return { ...use, event: 'PostToolUseFailure', error: text, isInterrupt: false };
    default:
      return undefined;
  }
}

/** A bug in what runs hooks must not cost a result that is there already. */
async function askAfter(run: CallRun, facts: HookFacts): Promise<MergedHooks | undefined> {
  try {
    const merged = await askHooks(run, facts);
    if (!merged.aborted) heed(run, merged);
    return merged;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const text = `The hooks after ${run.job.toolName} could not be run.`;
    run.record({ type: 'notice-given', level: 'error', text, detail });
    return undefined;
  }
}

/**
 * Stage 9 of an MCP tool, which comes before its output is mapped: a hook may put another in its place (spec 2.9).
 * Gives the output that counts.
 */
export async function replaceOutput(run: CallRun, use: ToolUse, output: unknown): Promise<unknown> {
  const { tool, input, ranMs } = use;
  const facts: HookFacts = {
    event: 'PostToolUse',
    callId: run.job.callId,
    toolName: tool.name,
    toolInput: input,
    toolResponse: output,
    durationMs: ranMs,
  };
  const step = await stage(run, 'hooks-after', async () => ({ go: await askAfter(run, facts) }));
  const replaced = isEnd(step) ? undefined : step.go?.updatedOutput;
  return replaced === undefined ? output : replaced.value;
}

/** What hooks said for the model stands behind the result, in the result: so the journal holds it, once and for ever. */
function withReminders(run: CallRun, ending: Ending): Ending {
  // The words of a refusal are known to others, and those of a call that was stopped are the executor's.
  if (ending.outcome === 'rejected' || ending.stopped !== undefined) return ending;
  return run.reminders.reduce(withText, ending);
}

const withText = (ending: Ending, text: string): Ending => ({
  ...ending,
  result: { ...ending.result, content: [...ending.result.content, { type: 'text', text }] },
});
