import { cutText } from '../../core/results/texts.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { readAgain, toolUseError } from './read-files.ts';
import { replaceIn } from './replace-in.ts';

const QUOTED_CHARACTERS = 1_000;

/** One replacement of Edit and MultiEdit. */
export type TextEdit = { readonly old_string: string; readonly new_string: string; readonly replace_all: boolean };

type Refused = { readonly ok: false; readonly message: string };
export type Edited = { readonly ok: true; readonly bytes: Buffer; readonly replaced: number };

/**
 * Makes the edits one after the other, each in what the one before has made, all or none.
 * @returns the first one that cannot be made, in words.
 */
export function applyEdits(file: Buffer, edits: readonly TextEdit[]): Edited | Refused {
  let bytes = file;
  let replaced = 0;
  for (const [at, edit] of edits.entries()) {
    const which = edits.length === 1 ? '' : `Edit ${at + 1} of ${edits.length}: `;
    const last = edits.length === 1 ? '' : ' Nothing was changed.';
    const refuse = (words: string, quote = true): Refused =>
      toolUseError(
        `${which}${words}${last}${quote ? `\nString: ${cutText(edit.old_string, QUOTED_CHARACTERS, '…')}` : ''}`,
      );
    if (edit.old_string === edit.new_string) {
      return refuse('No changes to make: old_string and new_string are exactly the same.', false);
    }
    const { old_string: oldText, new_string: newText, replace_all: all } = edit;
    const result = replaceIn(bytes, { oldText, newText, all });
    if (!result.ok && result.matches === 0) return refuse('String to replace not found in file.');
    if (!result.ok) {
      return refuse(
        `Found ${result.matches} matches of the string to replace, but replace_all is false. Give more of the text around it, or set replace_all.`,
      );
    }
    bytes = result.bytes;
    replaced += result.replaced;
  }
  return { ok: true, bytes, replaced };
}

/**
 * Everything of spec 2.3 that can be said of a file's content, and what the edits make of it.
 * @param real free of links.
 */
export async function checkEdits(
  edits: readonly TextEdit[],
  real: string,
  context: ToolContext,
): Promise<Edited | Refused> {
  // Said before the file is read: it is wrong whatever the file holds.
  const [only] = edits.length === 1 ? edits : [];
  if (only?.old_string === only?.new_string && only !== undefined) return applyEdits(Buffer.alloc(0), edits);
  const file = await readAgain(real, context);
  return file.ok ? applyEdits(file.bytes, edits) : file;
}
