import { cutText } from '../../core/results/texts.ts';

const LINE_CHARACTERS = 2_000;
/** The most characters of one Read. */
export const MOST_CHARACTERS = 100_000;

/** A mark of the byte order is no part of the text: nobody could quote it in an edit. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '');

/**
 * Lines as `number, tab, text`, from `offset` (from 1) on, at most `limit`, each cut to a bearable length and all
 * together too. What is left out is said at the end.
 */
export function numberedLines(text: string, offset: number, limit: number): string {
  if (text === '') return '(The file is empty)';
  const lines = text.split('\n');
  // After the last line break stands nothing; it has a number, but is not worth a note.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    if (characters >= MOST_CHARACTERS) break;
    const cut = cutText(line.replace(/\r$/, ''), LINE_CHARACTERS, '… [line cut]');
    const numbered = `${offset + shown.length}\t${cut}`;
    shown.push(numbered);
    characters += numbered.length + 1;
  }
  if (shown.length === 0) return `(The file has ${count} ${noun(count)}; line ${offset} is behind its end)`;
  const left = count - (offset - 1) - shown.length;
  if (left > 0) shown.push(`[${left} more ${noun(left)}. Read on with offset ${offset + shown.length}.]`);
  return shown.join('\n');
}

const noun = (lines: number): string => (lines === 1 ? 'line' : 'lines');
