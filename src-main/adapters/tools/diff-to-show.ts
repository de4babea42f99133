import type { Question } from '../../../src-shared/permission/event.ts';

/** The question goes into the journal and to the window; more than this of a file does not. */
const MOST_CHARACTERS = 200_000;
/** Lines kept around the change of a longer file. */
const AROUND = 30;

/** The change for the dialog: whole files, only the place around it where they are long, nothing where that is long too. */
export function diffToShow(path: string, before: Uint8Array, after: Uint8Array): Pick<Question, 'diff'> {
  const texts = { before: textOf(before), after: textOf(after) };
  if (sizeOf(texts) <= MOST_CHARACTERS) return { diff: { path, ...texts } };
  const part = changedPart(texts);
  return sizeOf(part) <= MOST_CHARACTERS ? { diff: { path, ...part } } : {};
}

type Texts = { readonly before: string; readonly after: string };

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const sizeOf = ({ before, after }: Texts): number => before.length + after.length;

function changedPart({ before, after }: Texts): Texts {
  const old = before.split('\n');
  const now = after.split('\n');
  const shortest = Math.min(old.length, now.length);
  let same = 0;
  while (same < shortest && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shortest - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;
  const from = Math.max(0, same - AROUND);
  const cut = (lines: readonly string[]): string =>
    lines.slice(from, Math.min(lines.length, lines.length - sameAtEnd + AROUND)).join('\n');
  return { before: cut(old), after: cut(now) };
}
