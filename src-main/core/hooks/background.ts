import type { HookEventName } from '../../../src-shared/hook/event.ts';
import { type EndedHook, type Interpretation, interpret, NOTHING_SAID } from './interpret.ts';
import { readBackgroundJson } from './output.ts';
import type { CommandHook } from './settings.ts';

export type BackgroundWords = {
  readonly said: Interpretation;
  /** The model hears of it at once, also when it is idle. */
  readonly wakes: boolean;
};

/**
 * What the end of a background hook means. Nobody waited for it: what it decides comes too late and is dropped; context
 * and message go to the model with the next message (HR#how-async-hooks-execute).
 */
export function interpretBackground(
  mode: CommandHook['mode'],
  event: HookEventName,
  ended: EndedHook,
): BackgroundWords {
  const { end, stdout, stderr } = ended;
  const silent = { ...NOTHING_SAID, outcome: 'ok', failure: undefined, warnings: [], effects: [] } as const;
  if (end.kind !== 'exited') return { said: interpret(event, ended), wakes: false };
  if (mode === 'wake' && end.code === 2) {
    const context = stderr.text.trim() || stdout.text.trim() || 'The hook exited with code 2 and gave no reason.';
    return { said: { ...silent, context, effects: ['woke the model'] }, wakes: true };
  }
  const { additionalContext: context, systemMessage, dropped } = readBackgroundJson(event, stdout);
  const warnings = dropped.length === 0 ? [] : [`Not used for their type or place: ${dropped.join(', ')}.`];
  if (context !== undefined || systemMessage !== undefined) {
    return { said: { ...silent, context, systemMessage, warnings, effects: ['added context'] }, wakes: false };
  }
  // Exit code 2 has nothing left to block; any other is a failure as it would be of a hook that was waited for.
  const failure = end.code === 2 ? undefined : interpret(event, ended).failure;
  return { said: { ...silent, outcome: failure === undefined ? 'ok' : 'error', failure, warnings }, wakes: false };
}
