/** What an edit does to the bytes of a file. */
export type Replacement =
  | { readonly ok: true; readonly bytes: Buffer; readonly replaced: number }
  /** How often the text stands there: not at all, or more often than once. */
  | { readonly ok: false; readonly matches: number };

/**
 * Replaces a text in the bytes of a file. Bytes, because a file may hold some that are no UTF-8, and those have to
 * stay as they are. Line breaks are shown to the model without their carriage return, so in a file of CRLF lines a
 * quoted LF means CRLF.
 */
export function replaceIn(
  file: Buffer,
  edit: { readonly oldText: string; readonly newText: string; readonly all: boolean },
): Replacement {
  const { oldText, newText, all } = edit;
  const hasOwnReturns = oldText.includes('\r') || newText.includes('\r');
  const asWritten = { old: Buffer.from(oldText), new: Buffer.from(newText) };
  const asCrlf = { old: Buffer.from(toCrlf(oldText)), new: Buffer.from(toCrlf(newText)) };
  if (hasOwnReturns) return replaceBytes(file, asWritten, all);
  if (hasOnlyCrlf(file)) return replaceBytes(file, asCrlf, all);
  const exact = replaceBytes(file, asWritten, all);
  return exact.ok || exact.matches > 0 || !oldText.includes('\n') ? exact : replaceBytes(file, asCrlf, all);
}

const toCrlf = (text: string): string => text.replaceAll('\n', '\r\n');

function hasOnlyCrlf(file: Buffer): boolean {
  let at = file.indexOf(0x0a);
  if (at === -1) return false;
  for (; at !== -1; at = file.indexOf(0x0a, at + 1)) if (file[at - 1] !== 0x0d) return false;
  return true;
}

function replaceBytes(file: Buffer, text: { readonly old: Buffer; readonly new: Buffer }, all: boolean): Replacement {
  const matches = matchesOf(file, text.old, all);
  if (matches.length === 0 || (matches.length > 1 && !all)) return { ok: false, matches: matches.length };
  const parts: Buffer[] = [];
  let from = 0;
  for (const at of matches) {
    parts.push(file.subarray(from, at), text.new);
    from = at + text.old.length;
  }
  parts.push(file.subarray(from));
  return { ok: true, bytes: Buffer.concat(parts), replaced: matches.length };
}

/** Offsets of a text. Overlapping ones count where one is meant: it would not be clear which. */
function matchesOf(file: Buffer, text: Buffer, all: boolean): number[] {
  const matches: number[] = [];
  if (text.length === 0) return matches;
  const step = all ? text.length : 1;
  for (let at = file.indexOf(text); at !== -1; at = file.indexOf(text, at + step)) matches.push(at);
  return matches;
}
