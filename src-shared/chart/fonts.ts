import { tokens } from '../theme/tokens.ts';

/** The kinds of text on the chart. */
export type FontName = 'bar' | 'strong' | 'queue' | 'micro' | 'ruler' | 'mono' | 'pill';

export type Font = { readonly css: string; readonly size: number };

const { family } = tokens.type;
const ui = (weight: number, size: number): Font => ({ css: `${weight} ${size}px ${family.ui}`, size });

export const FONTS: Readonly<Record<FontName, Font>> = {
  bar: ui(500, 11),
  strong: ui(650, 11),
  // 10 px only here: the text is drawn again in the list and on hover.
  queue: ui(500, 10),
  micro: ui(550, 10.5),
  ruler: ui(450, 11),
  mono: { css: `450 10px ${family.mono}`, size: 10 },
  pill: ui(600, 11),
};

/** Width of a text in CSS px. */
export type Measure = (text: string, font: FontName) => number;

/**
 * Measures by adding up the widths of single characters, each asked for once. Live bars change their room with every
 * frame; this keeps fitting their texts to a few additions. Kerning makes real text a hair narrower, never wider.
 */
export function measureWith(widthOf: (text: string, css: string) => number): Measure {
  const known = new Map<FontName, Map<string, number>>();
  return (text, font) => {
    let widths = known.get(font);
    if (widths === undefined) {
      widths = new Map();
      known.set(font, widths);
    }
    let sum = 0;
    for (const character of text) {
      let width = widths.get(character);
      if (width === undefined) {
        width = widthOf(character, FONTS[font].css);
        widths.set(character, width);
      }
      sum += width;
    }
    return sum;
  };
}

/** At least this many letters stay before `…`; fewer say nothing. */
const LEAST_LETTERS = 2;

/** The text, or as much of it as fits followed by `…`; undefined where less than two letters would be left. */
export function fitText(text: string, font: FontName, room: number, measure: Measure): string | undefined {
  if (text === '' || room <= 0) return undefined;
  // No glyph of these fonts is wider than 1.3 em or narrower than a fifth of one.
  if (text.length * FONTS[font].size * 1.3 <= room || measure(text, font) <= room) return text;
  const rest = room - measure('…', font);
  let width = 0;
  let kept = 0;
  for (const character of text) {
    width += measure(character, font);
    if (width > rest) break;
    kept += character.length;
  }
  const cut = text.slice(0, kept).trimEnd();
  return [...cut].length >= LEAST_LETTERS ? `${cut}…` : undefined;
}
