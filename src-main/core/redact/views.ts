/** A stretch of a text, `until` not included. */
export type Range = { readonly from: number; readonly until: number };

/** A text as it reads once its escapes are taken off. `start(i)` is where character i begins in the text it was made from. */
export type View = { readonly text: string; readonly start: (index: number) => number };

/** Escapes in escapes: JSON in a string in JSON in a shell command. Deeper nesting is not seen in the wild. */
const DEEPEST = 4;

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};

const JSON_ESCAPE = /\\(?:u\{0*([0-9a-fA-F]{1,4})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbf"'/\\]|\r?\n))/g;
const PERCENT_ESCAPE = /%([2-7][0-9a-fA-F])/g;

const jsonCharacter = (match: RegExpMatchArray): string => {
  const code = match[1] ?? match[2] ?? match[3];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  // A line that goes on behind a backslash, as in shells.
  return SIMPLE[match[4] ?? ''] ?? '';
};
const percentCharacter = (match: RegExpMatchArray): string => String.fromCharCode(Number.parseInt(match[1] ?? '', 16));

/** Reads one kind of escape; undefined where there is none. */
function withoutEscapes(
  text: string,
  pattern: RegExp,
  character: (match: RegExpMatchArray) => string,
): View | undefined {
  /** Where pieces of the result begin: in the result, and in `text`. Between two of them both count alike. */
  const at: number[] = [0];
  const from: number[] = [0];
  let result = '';
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    result += text.slice(last, match.index);
    at.push(result.length);
    from.push(match.index);
    result += character(match);
    last = match.index + match[0].length;
    at.push(result.length);
    from.push(last);
  }
  if (at.length === 1) return undefined;
  result += text.slice(last);
  return { text: result, start: (index) => startOf(at, from, index) };
}

function startOf(at: readonly number[], from: readonly number[], index: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] as number) <= index) low = middle + 1;
    else high = middle;
  }
  const piece = low - 1;
  return (from[piece] as number) + index - (at[piece] as number);
}

/** The text itself, and as it reads with one to four layers of JSON or percent escapes taken off. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [{ text, start: (index) => index }];
  const add = (inner: View | undefined, outer: View): void => {
    if (inner !== undefined) views.push({ text: inner.text, start: (index) => outer.start(inner.start(index)) });
  };
  for (let depth = 0, first = 0; depth < DEEPEST; depth++) {
    const known = views.length;
    for (const view of views.slice(first)) {
      if (view.text.includes('\\')) add(withoutEscapes(view.text, JSON_ESCAPE, jsonCharacter), view);
      else if (view.text.includes('%')) add(withoutEscapes(view.text, PERCENT_ESCAPE, percentCharacter), view);
    }
    if (views.length === known) break;
    first = known;
  }
  return views;
}
