/** Any line break that Markdown knows of. */
const LINE_BREAK = /\r\n|\r|\n/;
const linesOf = (text: string): readonly string[] => text.split(LINE_BREAK);

/**
 * Free text as a quotation. Whatever it leaves open — a fence, a comment, a list — ends with the quotation, so that it
 * cannot swallow what follows.
 */
export const quoted = (text: string): string =>
  linesOf(text.replace(/\s+$/, ''))
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

/** A text as a code block whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${linesOf(text.replace(/\s+$/, '')).join('\n')}\n${fence}`;
}

/** A text of one line as code. */
export function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A text of one line as plain words: nothing in it is a sign of Markdown or HTML. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>#|~!&]/g, '\\$&');

const MOST_LINES = 40;
const MOST_CHARACTERS = 4_000;

/** The beginning of a long text, and a note on how much is left out; undefined where nothing is. */
export function beginning(text: string): { readonly shown: string; readonly note: string | undefined } {
  const lines = linesOf(text.replace(/\s+$/, ''));
  let shown = lines.slice(0, MOST_LINES).join('\n');
  if (shown.length > MOST_CHARACTERS) shown = shown.slice(0, MOST_CHARACTERS);
  const rest = lines.length - linesOf(shown).length;
  if (rest > 0)
    return { shown, note: `${rest.toLocaleString('en-US')} more ${rest === 1 ? 'line is' : 'lines are'} left out.` };
  const letters = lines.join('\n').length - shown.length;
  if (letters <= 0) return { shown, note: undefined };
  return { shown, note: `${letters.toLocaleString('en-US')} more characters are left out.` };
}
