/**
 * How well an entry of the palette fits what was typed: 0 when a word is missing, else the better the earlier in the
 * title the words stand. Plain containment: fuzzy matching finds `Interrupt` for `fit`, which nobody meant.
 */
export function paletteScore(title: string, words: readonly string[], typed: string): number {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const name = title.toLowerCase();
  const rest = words.join('\n').toLowerCase();
  let score = 1;
  for (const word of wanted) {
    const at = name.search(new RegExp(`(^|[^\\p{L}\\p{N}])${literally(word)}`, 'u'));
    if (at >= 0) score *= at === 0 ? 1 : 0.9;
    else if (name.includes(word)) score *= 0.6;
    else if (rest.includes(word)) score *= 0.3;
    else return 0;
  }
  return score;
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
