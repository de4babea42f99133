/** What a result's text says about how the call ended, beyond success and failure. */
export type Ending =
  | { readonly kind: 'ok' }
  /** `neverRan`: refused before the tool itself did anything (unknown tool, input that does not fit). */
  | { readonly kind: 'error'; readonly neverRan: boolean; readonly exitCode: number | undefined }
  /** Cancelled because a sibling failed. `culprit` is its description as the text gives it, where it does. */
  | { readonly kind: 'sibling'; readonly culprit: string | undefined }
  /** Stopped by the user: at a dialog, with Esc, or because another call of its message was. */
  | { readonly kind: 'stopped'; readonly feedback: string | undefined; readonly atDialog: boolean }
  | { readonly kind: 'killed'; readonly exitCode: number | undefined }
  | { readonly kind: 'denied'; readonly by: 'rule' | 'hook' | 'no-user' | 'classifier' }
  | { readonly kind: 'discarded' };

const SIBLING_NAMED = /^(?:<tool_use_error>)?\s*Cancelled: parallel tool call ([\s\S]+?) errored/;
const SIBLING_PLAIN = /^(?:<tool_use_error>)?\s*Sibling tool call errored/;
const DISCARDED = /^(?:<tool_use_error>)?\s*Streaming fallback - tool execution discarded/;
const REJECTED = /^The user doesn't want to proceed with this tool use\b/;
const NOT_NOW = /^The user doesn't want to take this action right now\b/;
const FEEDBACK = /the user said:\s*([\s\S]+)$/;
const CLARIFY = /^The user wants to clarify these questions/;
const INTERRUPT_MARK = /^\[Request interrupted by user(?: for tool use)?\]/;
const KILLED = /^Exit code (\d+)\s*\n?\[Request interrupted by user(?: for tool use)?\]/;
const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;
const TOOL_ERROR = /^<tool_use_error>/;
const NEVER_RAN = /^(?:<tool_use_error>)?\s*(?:Error: No such tool available|InputValidationError)/;
const RULE = /^Permission to use [\s\S]{0,4000}? has been denied/;
const HEADLESS = /^(?:Permission for this tool use was denied|Claude requested permissions to )/;
const CLASSIFIER = /auto mode cannot determine the safety of/;
const HOOK = /^(?:\w+:\S* )?(?:PreToolUse|Hook PreToolUse)\S* (?:hook )?(?:error|denied|blocked)/;
/** How failures of the shell itself begin, besides an exit code. */
const SHELL_FAILURE = /^(?:Command |Error|E[A-Z]{3,}\b|[Ss]pawn |Shell |Working directory|Path |\[|API )/;

const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

export type EndingInput = {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  /** The line's structured twin, where that is a plain text. */
  readonly twinText: string | undefined;
  /** The twin says `interrupted: true`. */
  readonly twinInterrupted: boolean;
  readonly denialKind: string | undefined;
  readonly hookDenied: boolean;
};

const exitCodeIn = (text: string): number | undefined => {
  const code = EXIT_CODE.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
};

/** Reads a result's text. The markers are those collected in the reference, section 1.4. */
export function endingOf(input: EndingInput): Ending {
  const { text } = input;
  if (input.twinInterrupted || KILLED.test(text) || INTERRUPT_MARK.test(text)) {
    return { kind: 'killed', exitCode: exitCodeIn(text) };
  }
  if (!input.isError) return { kind: 'ok' };
  const named = SIBLING_NAMED.exec(text)?.[1];
  if (named !== undefined) return { kind: 'sibling', culprit: named };
  if (SIBLING_PLAIN.test(text)) return { kind: 'sibling', culprit: undefined };
  if (DISCARDED.test(text)) return { kind: 'discarded' };
  return stoppedOrDenied(input) ?? failed(text);
}

function stoppedOrDenied(input: EndingInput): Ending | undefined {
  const { text } = input;
  const twinSaysSo = input.twinText === 'User rejected tool use';
  if (twinSaysSo || REJECTED.test(text) || NOT_NOW.test(text) || CLARIFY.test(text)) {
    const feedback = FEEDBACK.exec(text)?.[1]?.trim() ?? (CLARIFY.test(text) ? text : undefined);
    const said = feedback !== undefined || input.denialKind === 'user-rejected';
    return { kind: 'stopped', feedback, atDialog: said && !NOT_NOW.test(text) };
  }
  if (input.denialKind === 'automode-unavailable' || CLASSIFIER.test(text)) return { kind: 'denied', by: 'classifier' };
  if (input.hookDenied || HOOK.test(text)) return { kind: 'denied', by: 'hook' };
  if (RULE.test(text)) return { kind: 'denied', by: 'rule' };
  if (HEADLESS.test(text)) return { kind: 'denied', by: 'no-user' };
  if (input.denialKind !== undefined) return { kind: 'denied', by: 'rule' };
  if (SHELLS.has(input.tool) && isHookTalk(text)) return { kind: 'denied', by: 'hook' };
  return undefined;
}

/**
 * A failing shell command always says `Exit code N`. An error of a shell call without one, and without any other known
 * shape, is what a hook printed when it refused the call: no line of the hook itself was recorded before 2.1.181.
 */
const isHookTalk = (text: string): boolean =>
  text.trim() !== '' && !TOOL_ERROR.test(text) && !EXIT_CODE.test(text) && !SHELL_FAILURE.test(text);

const failed = (text: string): Ending => ({
  kind: 'error',
  neverRan: NEVER_RAN.test(text),
  exitCode: exitCodeIn(text),
});

/** Is this user text only the mark of an interruption? */
export const isInterruptMark = (text: string): boolean => INTERRUPT_MARK.test(text.trim());

const PERSISTED = /^\s*<persisted-output>[\s\S]*?Output too large \(([^)]*)\)\. Full output saved to: ([^\n]+)/;
const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** Path and size named by a result that was replaced by a preview. The size is rounded as the text rounds it. */
export function savedOutputIn(text: string): { readonly path: string; readonly bytes: number } | undefined {
  const found = PERSISTED.exec(text.slice(0, 8000));
  if (found === null) return undefined;
  const size = /^([\d.]+)\s*(B|KB|MB|GB)$/i.exec((found[1] ?? '').trim());
  const unit = UNITS[(size?.[2] ?? 'B').toUpperCase()] ?? 1;
  return { path: (found[2] ?? '').trim(), bytes: Math.round(Number(size?.[1] ?? 0) * unit) };
}

/** The parts of a background task's notification, or undefined when the text is none. */
export function notificationIn(text: string) {
  if (!/^\s*<task-notification>/.test(text)) return undefined;
  const part = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]?.trim();
  return {
    taskId: part('task-id'),
    callId: part('tool-use-id'),
    status: part('status') ?? 'unknown',
    summary: part('summary') ?? '',
    outputFile: part('output-file'),
  };
}
