import { textResult } from '../../src-shared/tool-call/content.ts';
import type { AnyTool } from '../ports/tool.ts';
import { type CallRun, type Ending, isEnd, type Revalidate, type Step } from './call-run.ts';
import type { DebuggedCall } from './debugger.ts';
import { asKept, NotKeepable } from './tool-facts.ts';

const debugged = ({ job, context, signal }: CallRun, input: unknown): DebuggedCall => ({
  callId: job.callId,
  toolName: job.toolName,
  input,
  context,
  signal,
});

/** What goes on from a breakpoint: the input that may run, and what hooks are told of it. */
export type Unpaused = { readonly input: unknown; readonly shown: unknown };

/**
 * A breakpoint before the call, when one is set. An edited input is checked like a new one, and may not become unsafe
 * beside calls that were promised that nothing beside them changes anything.
 */
export async function pauseBefore(
  run: CallRun,
  tool: AnyTool,
  input: unknown,
  revalidate: Revalidate,
): Promise<Step<Unpaused>> {
  const asItCame = { input, shown: run.job.input };
  if (run.debug.isIdle) return { go: asItCame };
  const resumed = await run.debug.before(debugged(run, input));
  if (run.signal.aborted) return { end: run.cancelled() };
  if (resumed.how !== 'edited') return { go: asItCame };
  const edited = keptInput(resumed.input);
  if (edited === undefined) return { end: notRun('The edited input is no JSON.') };
  run.record({ type: 'call-input-changed', callId: run.job.callId, by: 'user', input: edited });
  const valid = await revalidate(run, tool, edited);
  // A slip of the person who edits is no failure of the call: it cancels no sibling.
  if (isEnd(valid)) return { end: { ...valid.end, failed: false } };
  if (run.sharesLock && !run.classify(valid.go).safe) {
    return { end: notRun('The edited input may not run beside the calls that run now. It was not run.') };
  }
  return { go: { input: valid.go, shown: edited } };
}

function keptInput(edited: unknown): unknown {
  try {
    return asKept(edited);
  } catch (error) {
    if (error instanceof NotKeepable) return undefined;
    throw error;
  }
}

const notRun = (text: string): Ending => ({ outcome: 'denied', result: textResult(text, true), failed: false });

/** A permission that takes its time on purpose. */
export async function slowPermission(run: CallRun, input: unknown): Promise<void> {
  if (run.debug.isIdle) return;
  const slow = run.debug.strike('slow-permission', debugged(run, input));
  if (slow !== undefined) await run.debug.wait(slow.ms, run.signal);
}

/** Trouble on purpose in a tool's place, or before it. Gives how the call ended by it; undefined when it may run. */
export async function troubleOnPurpose(run: CallRun, input: unknown): Promise<Ending | undefined> {
  if (run.debug.isIdle) return undefined;
  const call = debugged(run, input);
  const delay = run.debug.strike('delay', call);
  if (delay !== undefined) await run.debug.wait(delay.ms, run.signal);
  if (run.signal.aborted) return run.cancelled();
  if (run.debug.strike('hang', call) !== undefined) {
    await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve(), { once: true }));
    return run.cancelled();
  }
  const fail = run.debug.strike('fail', call);
  if (fail === undefined) return undefined;
  const text = fail.message ?? `${run.job.toolName} was made to fail by a fault.`;
  return { outcome: 'error', result: textResult(text, true), failed: true };
}
