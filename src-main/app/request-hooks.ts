import { textResult } from '../../src-shared/tool-call/content.ts';
import type { MergedHooks } from '../core/hooks/merge.ts';
import { commandInOneLine } from '../core/hooks/merge.ts';
import type { AnyTool } from '../ports/tool.ts';
import { type CallRun, isEnd, type Revalidate, type Step } from './call-run.ts';
import { askHooks, changeInput, type Hooked, heed } from './hook-stages.ts';

/**
 * Hooks that answer a question in a person's place (HR#permissionrequest). A yes is as good as that of a hook before
 * the call and no better: the chain looks at it once more, so that no rule is lifted or skipped by it. Undefined: they
 * leave it to the person.
 */
export async function answerByHooks(
  run: CallRun,
  tool: AnyTool,
  input: unknown,
  revalidate: Revalidate,
): Promise<Step<Hooked | undefined>> {
  const { callId } = run.job;
  const merged = await askHooks(run, { event: 'PermissionRequest', callId, toolName: tool.name, toolInput: input });
  if (merged.aborted) return { end: run.cancelled() };
  heed(run, merged);
  const { request } = merged;
  if (request === undefined) return { go: undefined };
  if (request.behavior === 'deny') {
    const text = request.message ?? `A PermissionRequest hook denied the use of ${tool.name}.`;
    const end = { outcome: 'denied', result: textResult(text, true), failed: true } as const;
    return { end: request.interrupt === true ? { ...end, endsTurn: true } : end };
  }
  if (request.updatedPermissions !== undefined) {
    const text =
      'A PermissionRequest hook wants to change permissions. Gantry adds none for hooks; its yes counts once.';
    run.record({ type: 'notice-given', level: 'warning', text });
  }
  const hook = { verdict: 'allow', reason: whoAllowed(merged) } as const;
  if (request.updatedInput === undefined) return { go: { input, hook } };
  const changed = await changeInput(run, tool, { input: request.updatedInput, by: 'PermissionRequest' }, revalidate);
  return isEnd(changed) ? changed : { go: { input: changed.go, hook } };
}

function whoAllowed({ runs }: MergedHooks): string {
  const run = runs.find(({ outcome }) => outcome === 'allow');
  return `${run === undefined ? 'a hook' : commandInOneLine(run.hook)}, asked in your place`;
}
