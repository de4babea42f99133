/** Stands in a text for a part that only bash can work out: it may be anything, or nothing. */
export const UNKNOWN = '\u0000';

/**
 * Can the text be one that the pattern means? `*` is any run of characters, blanks included, and the whole text has to
 * match. Where nothing is unknown this takes one look at the text, otherwise one step for each pair of characters.
 */
export function mayMatch(pattern: string, text: string): boolean {
  const unknown = text.indexOf(UNKNOWN);
  const [head = ''] = pattern.split('*', 1);
  // Most rules differ from most texts in their first word.
  const known = unknown === -1 ? head.length : Math.min(head.length, unknown);
  if (text.slice(0, known) !== head.slice(0, known)) return false;
  return unknown === -1 ? matches(pattern, text) : mayMatchUnknown(pattern, text);
}

/** Each part between two stars is taken at its first place: if the text matches in any way, then also in this one. */
function matches(pattern: string, text: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
}

function mayMatchUnknown(pattern: string, text: string): boolean {
  // reachable[j]: the pattern read so far can end before the text's character j.
  let reachable = new Uint8Array(text.length + 1);
  reachable[0] = 1;
  spread(reachable, text, false);
  for (const sign of pattern.split('')) {
    const next = new Uint8Array(text.length + 1);
    for (let at = 0; at <= text.length; at++) {
      if (!reachable[at]) continue;
      // What is unknown may hold the sign itself and more of the pattern behind it.
      if (sign === '*' || text[at] === UNKNOWN) next[at] = 1;
      else if (text[at] === sign) next[at + 1] = 1;
    }
    spread(next, text, sign === '*');
    reachable = next;
  }
  return reachable[text.length] === 1;
}

/** After a star every later place is reachable; otherwise only those behind something unknown. */
function spread(reachable: Uint8Array, text: string, star: boolean): void {
  for (let at = 0; at < text.length; at++) {
    if (reachable[at] && (star || text[at] === UNKNOWN)) reachable[at + 1] = 1;
  }
}

/**
 * The forms of a rule's specifier: `x:*` and `x *` mean `x` alone, or `x` and more words; blanks are one blank. When there
 * is another star an allow rule needs something at its end, and a restriction still does not.
 */
export function wordPatterns(specifier: string, list: 'allow' | 'restrict' = 'restrict'): readonly string[] {
  const pattern = specifier
    .trim()
    .replace(/[ \t]+/g, ' ')
    .replace(/:\*$/, ' *');
  const bare = pattern.endsWith(' *') ? pattern.slice(0, -2) : undefined;
  return bare === undefined || (list === 'allow' && bare.includes('*')) ? [pattern] : [pattern, bare];
}
