/** What a person searches for: every part has to stand in the same text, in any order, upper or lower case. */
export type Parts = readonly string[];

const MOST_PARTS = 12;

/**
 * The parts of a search: words between spaces, and whatever stands between double quotes as one. Every text is a valid
 * search; signs mean themselves, so that `toFixed(` and `a->b` are found as code has them.
 */
export function partsOf(text: string): Parts {
  const parts: string[] = [];
  for (const [, quoted, word] of text.replaceAll('\0', ' ').matchAll(/"([^"]+)"|(\S+)/g)) {
    const part = (quoted ?? word ?? '').trim();
    if (part !== '' && part !== '"' && !parts.includes(part)) parts.push(part);
  }
  return parts.slice(0, MOST_PARTS);
}

/** Shorter parts hold no trigram: the full-text index cannot know them. */
export const LEAST_LETTERS = 3;

/** The parts as an expression of FTS5, each as a phrase. Undefined where the index can help with none of them. */
export function expressionOf(parts: Parts): string | undefined {
  const long = parts.filter((part) => [...part].length >= LEAST_LETTERS);
  return long.length === 0 ? undefined : long.map((part) => `"${part.replaceAll('"', '""')}"`).join(' AND ');
}

/** Characters before and after the first part that a snippet shows. */
const BEFORE = 40;
const SNIPPET = 160;

/** How much of a text the parts are: often, and in few words, counts more. As BM25 has it, for texts of a usual length. */
export function scoreOf(text: string, parts: Parts): number {
  const { within, wanted: folded } = foldedCase(text);
  const length = 0.25 + (0.75 * text.length) / USUAL_LENGTH;
  let score = 0;
  for (const part of parts) {
    const wanted = folded(part);
    let times = 0;
    for (let at = within.indexOf(wanted); at >= 0 && times < MOST_COUNTED; times++) {
      at = within.indexOf(wanted, at + wanted.length);
    }
    score += (times * 2.2) / (times + 1.2 * length);
  }
  return score;
}

const USUAL_LENGTH = 2_000;
/** More of a part say nothing more. */
const MOST_COUNTED = 50;

/** The surroundings of the first part in a text, in one line, and where parts stand in it. Undefined: one is missing. */
export function snippetOf(text: string, parts: Parts): { snippet: string; marks: [number, number][] } | undefined {
  const { within, wanted } = foldedCase(text);
  const firsts = parts.map((part) => within.indexOf(wanted(part)));
  if (parts.length === 0 || firsts.some((at) => at < 0)) return undefined;
  const first = Math.min(...firsts);
  const lineStart = text.lastIndexOf('\n', first) + 1;
  const from = Math.max(lineStart, first - BEFORE);
  const lead = from > lineStart ? '…' : '';
  // One for one, so that places stay where they are.
  const body = text
    .slice(from, from + SNIPPET)
    .replace(/\s/g, ' ')
    .trimEnd();
  const snippet = `${lead}${body}${from + SNIPPET < text.length ? '…' : ''}`;
  const shown = foldedCase(snippet);
  const marks: [number, number][] = [];
  for (const part of parts) {
    const mark = shown.wanted(part.replace(/\s/g, ' '));
    for (let at = shown.within.indexOf(mark); at >= 0; at = shown.within.indexOf(mark, at + mark.length)) {
      marks.push([at, at + mark.length]);
    }
  }
  return { snippet, marks: marks.sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
}

/** What to look in and for, so that case does not matter. Lower case may be longer than the text (`İ`): then it does. */
function foldedCase(text: string): { readonly within: string; readonly wanted: (part: string) => string } {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return { within: text, wanted: (part) => part };
  return { within: lower, wanted: (part) => part.toLowerCase() };
}
