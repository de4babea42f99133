import { structuredPatch } from 'diff';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { inputOf } from '../permissions/asks.ts';

/** One change of one file. `isWhole`: both texts are the whole file, so line numbers mean something. */
export type FileChange = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly isWhole: boolean;
};

export type DiffRow =
  | { readonly kind: 'hunk'; readonly text: string }
  | {
      readonly kind: 'same' | 'add' | 'del';
      readonly text: string;
      /** Line numbers in the old and the new text, from 1. */
      readonly before: number | undefined;
      readonly after: number | undefined;
    };
export type Diff = { readonly rows: readonly DiffRow[]; readonly added: number; readonly removed: number };

/** Beyond this the search for the shortest difference is given up, in ms. */
const DIFF_TIMEOUT_MS = 500;
const CONTEXT_LINES = 3;

/** The difference of two texts as rows with three lines around each change. Undefined when it takes too long to find. */
export function diffOf(change: FileChange): Diff | undefined {
  const patch = structuredPatch('a', 'b', change.before, change.after, '', '', {
    context: CONTEXT_LINES,
    timeout: DIFF_TIMEOUT_MS,
  });
  if (patch === undefined) return undefined;
  const rows: DiffRow[] = [];
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    let { oldStart: before, newStart: after } = hunk;
    if (change.isWhole) rows.push({ kind: 'hunk', text: `lines ${after} – ${after + Math.max(0, hunk.newLines - 1)}` });
    else if (rows.length > 0) rows.push({ kind: 'hunk', text: '…' });
    for (const line of hunk.lines) {
      const text = line.slice(1);
      // `\ No newline at end of file` is said by the format, not by the file.
      if (line.startsWith('\\')) continue;
      if (line.startsWith('+')) {
        rows.push({ kind: 'add', text, before: undefined, after: after++ });
        added++;
      } else if (line.startsWith('-')) {
        rows.push({ kind: 'del', text, before: before++, after: undefined });
        removed++;
      } else rows.push({ kind: 'same', text, before: before++, after: after++ });
    }
  }
  return { rows, added, removed };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What a call changed or would change: the whole file where that is known, else the texts of its input. */
export function changesOf(call: ToolCall): readonly FileChange[] {
  const asked = call.asks.at(-1)?.question.diff;
  if (asked !== undefined) return [{ ...asked, isWhole: true }];
  const input = record(inputOf(call));
  const path = text(input.file_path) ?? text(input.notebook_path) ?? text(input.path) ?? '';
  const whole = wholeFile(call, path);
  if (whole !== undefined) return [whole];
  if (Array.isArray(input.edits)) return input.edits.flatMap((edit) => replacement(path, record(edit)));
  const content = text(input.content) ?? text(input.new_source);
  if (content !== undefined) return [{ path, before: '', after: content, isWhole: false }];
  return replacement(path, input);
}

const replacement = (path: string, edit: Record<string, unknown>): readonly FileChange[] => {
  const before = text(edit.old_string);
  const after = text(edit.new_string);
  return before === undefined || after === undefined ? [] : [{ path, before, after, isWhole: false }];
};

/** Some results carry the file as it was, and as it is, for display. */
function wholeFile(call: ToolCall, path: string): FileChange | undefined {
  if (call.phase !== 'completed' && call.phase !== 'yielded') return undefined;
  const display = record(call.end.result.display);
  const before = text(display.before) ?? text(display.originalFile);
  const after = text(display.after) ?? edited(before, display);
  return before === undefined || after === undefined ? undefined : { path, before, after, isWhole: true };
}

function edited(before: string | undefined, display: Record<string, unknown>): string | undefined {
  const from = text(display.oldString);
  const to = text(display.newString);
  if (before === undefined || from === undefined || to === undefined || from === '') return undefined;
  return display.replaceAll === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
}
