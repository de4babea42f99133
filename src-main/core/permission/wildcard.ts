/** Stands in a text for a part that only bash can work out: it may be anything, or nothing. */
export const UNKNOWN = '\u0000';

/**
 * Can the text be one that the pattern means? `*` is any run of characters, blanks included, and the whole text has to
 * match. Costs one step for each pair of characters, whatever the stars.
 */
export function mayMatch(pattern: string, text: string): boolean {
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

/** The forms of a rule's specifier: `x:*` and `x *` mean `x` alone, or `x` and more words; blanks are one blank. */
export function wordPatterns(specifier: string): readonly string[] {
  const pattern = specifier
    .trim()
    .replace(/[ \t]+/g, ' ')
    .replace(/:\*$/, ' *');
  return pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern];
}
