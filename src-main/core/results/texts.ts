import { type ToolResult, textResult } from '../../../src-shared/tool-call/content.ts';
import type { CancelReason, Outcome } from '../../../src-shared/tool-call/event.ts';

/** The form other programs recognise in transcripts (spec 2.6). */
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file).';

export const rejectedText = (feedback?: string): string =>
  feedback === undefined
    ? `${REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.`
    : `${REJECTED} To tell you how to proceed, the user said:\n${feedback}`;

export const INTERRUPTED = '[Request interrupted by user]';
export const INTERRUPTED_FOR_TOOL_USE = '[Request interrupted by user for tool use]';
/** In the conversation of an agent whose call fell with its siblings. */
export const STOPPED_WITH_ITS_CALL = '[Stopped together with the call that had started this agent]';

export const toolError = (message: string): ToolResult =>
  textResult(`<tool_use_error>${message}</tool_use_error>`, true);

/** At most so many characters of a text, and the mark when something was cut. Never half a character. */
export function cutText(text: string, characters: number, mark: string): string {
  if (text.length <= characters) return text;
  // Half of a surrogate pair is no text: the request that carries it would be refused.
  const splitsPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(characters - 1, characters + 1));
  return text.slice(0, splitsPair ? characters - 1 : characters) + mark;
}

const SUMMARY_CHARACTERS = 40;

/** `Bash(mkdir /tmp/x)`; the summary is cut to 40 characters with `…`. Without a summary the name alone. */
export function describeCall(call: { readonly tool: string; readonly summary: string }): string {
  const oneLine = call.summary.replace(/\s+/g, ' ').trim();
  if (oneLine === '') return call.tool;
  return `${call.tool}(${cutText(oneLine, SUMMARY_CHARACTERS, '…')})`;
}

/** What a cancelled call answers, by the reason of its cancellation (spec 1.7). */
export function cancelledResult(
  reason: CancelReason,
  culprit: { readonly tool: string; readonly summary: string } | undefined,
): ToolResult {
  switch (reason) {
    case 'sibling_error':
      return toolError(
        `Cancelled: parallel tool call ${culprit === undefined ? 'unknown' : describeCall(culprit)} errored`,
      );
    case 'discarded':
      return toolError('Streaming fallback - tool execution discarded');
    case 'refused':
      return toolError('Not run: the model refused to go on with this message');
    case 'cut-off':
      return toolError('Not run: the message was cut off before it had ended');
    case 'interrupt':
    case 'escape':
    case 'shutdown':
      return textResult(rejectedText(), true);
  }
}

export function cancelledOutcome(reason: CancelReason): Outcome {
  switch (reason) {
    case 'sibling_error':
    case 'refused':
    case 'cut-off':
      return 'cancelled';
    case 'discarded':
      return 'discarded';
    case 'interrupt':
    case 'escape':
    case 'shutdown':
      return 'interrupted';
  }
}

/** What a call answers that was open when the app died (spec 4.1). */
export const UNKNOWN_END =
  'Gantry ended before this call did. It was interrupted; its side effects are unknown. Check before you repeat it.';
