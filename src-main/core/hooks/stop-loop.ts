import type { MergedHooks } from './merge.ts';

/** A turn is not kept going by its hooks more often than this in a row (HR#stop-input). */
export const DEFAULT_STOP_CAP = 8;

/** The protocol's own variable for hooks that need more rounds. What is no whole number above 0 is no cap. */
export function stopCap(env: Readonly<Record<string, string | undefined>>): number {
  const cap = Number(env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP);
  return Number.isSafeInteger(cap) && cap > 0 ? cap : DEFAULT_STOP_CAP;
}

export type AfterStop =
  | { readonly kind: 'end'; readonly warning: string | undefined }
  /** For the model, as its next message. The turn's next `Stop` says `stopHookActive`. */
  | { readonly kind: 'go-on'; readonly text: string; readonly rounds: number };

/**
 * Whether the turn ends after its `Stop` (or `SubagentStop`) hooks.
 * @param rounds how often in a row hooks have kept it going already.
 */
export function afterStopHooks(merged: MergedHooks, rounds: number, cap: number): AfterStop {
  const texts = [merged.block?.reason ?? [], merged.contexts.map(({ text }) => text)].flat();
  if (merged.aborted || merged.preventContinuation !== undefined || texts.length === 0) {
    return { kind: 'end', warning: undefined };
  }
  if (rounds < cap) return { kind: 'go-on', text: texts.join('\n\n'), rounds: rounds + 1 };
  return { kind: 'end', warning: `Stop hooks kept the turn going ${cap} times in a row. It ends now.` };
}
