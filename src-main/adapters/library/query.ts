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

/** The surroundings of the first part in a text, in one line, and where parts stand in it. Undefined: one is missing. */
export function snippetOf(text: string, parts: Parts): { snippet: string; marks: [number, number][] } | undefined {
  const firsts = parts.map((part) => find(text, part, 0));
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
  const marks: [number, number][] = [];
  for (const part of parts) {
    const wanted = part.replace(/\s/g, ' ');
    for (let at = find(snippet, wanted, 0); at >= 0; at = find(snippet, wanted, at + wanted.length)) {
      marks.push([at, at + wanted.length]);
    }
  }
  return { snippet, marks: marks.sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
}

/** Like `indexOf`, but for both cases. Lower case may be longer than the text (`İ`): then it has to be as written. */
function find(text: string, part: string, from: number): number {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower.indexOf(part.toLowerCase(), from) : text.indexOf(part, from);
}
