import type { CallId } from '../../../src-shared/ids.ts';
import type { EventFacts } from '../../../src-shared/session/event.ts';
import { MEASURED } from '../../../src-shared/tool-call/timing.ts';
import { preview, savedMessage, unsavedMessage } from '../results/large-results.ts';
import { cutText } from '../results/texts.ts';
import { commandInOneLine, type HookRunReport, type HookRunStart, type HookText } from './merge.ts';
import type { Captured } from './output.ts';

/** A hook's text over this goes to a file (HR#json-output). The same many are recorded of its streams. */
export const MOST_HOOK_CHARACTERS = 10_000;

/** How the model reads a hook's context: apart from what the user says, and under the hook's name. */
export const contextReminder = ({ name, text }: HookText): string =>
  `<system-reminder>\n${name} hook additional context: ${text}\n</system-reminder>`;

/** How the model reads what a hook says of a tool that has run. */
export const feedbackReminder = ({ name, command, text }: HookText): string =>
  `<system-reminder>\n${name} hook feedback from ${command}: ${text}\n</system-reminder>`;

/** How the model reads why its turn goes on. */
export const stopFeedback = (text: string): string => `Stop hook feedback:\n${text}`;

/** What stands in place of a hook's text that is too long, and whether it could be saved. */
export function shortenedText(text: string, saved: { readonly path: string } | { readonly why: string }): string {
  const bytes = new TextEncoder().encode(text);
  const shown = preview(bytes, bytes.length);
  return 'path' in saved
    ? savedMessage({ path: saved.path, bytes: bytes.length, preview: shown })
    : unsavedMessage({ why: saved.why, bytes: bytes.length, preview: shown });
}

/** A stream as it is recorded. */
export function recordedText({ text, bytes, cut }: Captured): string {
  if (text.length <= MOST_HOOK_CHARACTERS && !cut) return text;
  return cutText(text, MOST_HOOK_CHARACTERS, `\n[cut: ${bytes} bytes in all]`);
}

/** `PreToolUse:Bash hook check.sh`: what sentences about it begin with. */
export const aboutHook = ({ name, hook }: HookRunStart): string => `${name} hook ${commandInOneLine(hook)}`;

/** The event that a run's start leaves in the journal. */
export const hookStarted = ({ runId, hook }: HookRunStart, callId?: CallId): EventFacts => ({
  type: 'hook-started',
  runId,
  ...(callId === undefined ? {} : { callId }),
  hookEvent: hook.event,
  ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
  command: [hook.command, ...(hook.args ?? [])].join(' '),
  source: hook.file,
  timing: MEASURED,
});

/** The event that a run's end leaves in the journal. */
export const hookEnded = (report: HookRunReport): EventFacts => ({
  type: 'hook-ended',
  runId: report.runId,
  ...(report.exitCode === undefined ? {} : { exitCode: report.exitCode }),
  outcome: report.outcome,
  stdout: report.stdout,
  stderr: report.stderr,
  effects: [...report.effects],
  ...(report.notice === undefined ? {} : { notice: report.notice }),
});
