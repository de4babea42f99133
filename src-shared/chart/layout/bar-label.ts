import type { Layer } from '../display-list.ts';
import { DETAIL, GAP, OUTSIDE_MAX } from '../metrics.ts';
import type { BarBody, Piece } from './bar.ts';
import type { Drawing } from './drawing.ts';
import { isFaded, textInk } from './looks.ts';

const ICON = 11;
const ICON_GAP = 5;
/** A plate reaches this far beyond the words on it. */
const PLATE = 4;
const LAYER: Layer = 'labels';

/** The widest visible piece: the label lies in it. */
function labelPiece(d: Drawing, pieces: readonly Piece[]): Piece | undefined {
  let best: Piece | undefined;
  let most = 0;
  for (const piece of pieces) {
    const width = Math.min(piece.x1, d.width) - Math.max(piece.x0, 0);
    // What was measured is better ground for words than what was guessed.
    const weight = piece.hatched ? width * 0.6 : width;
    if (weight > most) {
      most = weight;
      best = piece;
    }
  }
  return best;
}

/** Icon, tool and argument inside the bar, cut to what fits. `endRoom`: px at the right end that are taken. */
export function drawInside(d: Drawing, body: BarBody, endRoom: number): void {
  const { place, detail, pieces, alpha } = body;
  const piece = labelPiece(d, pieces);
  if (piece === undefined) return;
  const left = Math.max(piece.x0, 0) + GAP.inside;
  const isLast = piece.x1 >= place.x1;
  const right = Math.min(Math.min(piece.x1, place.x1 - (isLast ? endRoom : 0)) - GAP.inside, d.width);
  if (right - left < ICON) {
    drawIconAlone(d, body, endRoom);
    return;
  }
  const y = place.y + place.h / 2;
  const ink = textInk(piece.look, piece.hatched);
  const textLeft = left + ICON + ICON_GAP;
  const words = chooseWords(d, body, right - textLeft);
  const end = textLeft + words.reduce((sum, word) => sum + word.width, 0);
  const plateEnd = words.length === 0 ? left + ICON : end;
  drawPlate(d, body, piece, left, plateEnd);
  d.icon(LAYER, detail.icon, left + ICON / 2, y, ICON, ink, alpha);
  let x = textLeft;
  for (const word of words) {
    d.text(LAYER, word.text, x, y, word.font, ink, alpha);
    x += word.width;
  }
  if (detail.end === 'struck') drawStrike(d, body, plateEnd + 5);
}

type Word = { readonly text: string; readonly font: 'bar' | 'strong'; readonly width: number };

/** **tool** argument from 120 px on, the argument alone below; what does not fit is cut, or left out. */
function chooseWords(d: Drawing, { place, detail }: BarBody, room: number): readonly Word[] {
  const { tool, argument } = detail.label;
  const word = (text: string | undefined, font: 'bar' | 'strong'): Word[] =>
    text === undefined ? [] : [{ text, font, width: d.measure(text, font) }];
  if (argument === '') return word(d.fit(tool, 'strong', room), 'strong');
  if (place.x1 - place.x0 >= DETAIL.full) {
    const toolWidth = d.measure(`${tool} `, 'strong');
    const rest = d.fit(argument, 'bar', room - toolWidth);
    // `git l…` alone says more than `Bash gi…`.
    if (rest !== undefined && (rest === argument || rest.length >= 5)) {
      return [{ text: `${tool} `, font: 'strong', width: toolWidth }, ...word(rest, 'bar')];
    }
  }
  return word(d.fit(argument, 'bar', room), 'bar');
}

/** Words on a pattern stand on the part's own fill. */
function drawPlate(d: Drawing, { place, alpha }: BarBody, piece: Piece, from: number, until: number): void {
  if (piece.look.texture === undefined && !piece.hatched) return;
  const x = Math.max(piece.x0 + 1, from - PLATE);
  const w = Math.min(piece.x1 - 1, until + PLATE) - x;
  const y = place.y + 2;
  const h = place.h - 4;
  if (piece.hatched) d.rect(LAYER, x, y, w, h, 'surface.base', alpha);
  if (piece.look.fill !== undefined) d.rect(LAYER, x, y, w, h, piece.look.fill, alpha * (piece.hatched ? 0.4 : 1));
}

function drawStrike(d: Drawing, { place, alpha }: BarBody, from: number): void {
  const y = place.y + place.h / 2;
  const until = Math.min(place.x1 - GAP.inside, d.width);
  if (until - from >= 6) d.line('bars', [from, y, until, y], 'outcome.unknown.edge', 1, alpha);
}

/** 26 … 43 px, or a piece too short for words: the icon says the tool. */
function drawIconAlone(d: Drawing, body: BarBody, endRoom: number): void {
  const { place, detail, pieces, alpha } = body;
  const piece = labelPiece(d, pieces);
  if (piece === undefined) return;
  const isLast = piece.x1 >= place.x1;
  const left = Math.max(piece.x0, 0);
  const right = Math.min(piece.x1 - (isLast ? endRoom : 0), d.width);
  if (right - left < ICON + 6) return;
  const x = Math.min(left + GAP.inside + 2, right - ICON - 3) + ICON / 2;
  drawPlate(d, body, piece, x - ICON / 2, x + ICON / 2);
  d.icon(LAYER, detail.icon, x, place.y + place.h / 2, ICON, textInk(piece.look, piece.hatched), alpha);
}

/** The name at the right of a bar too narrow for it, where it disturbs nothing. `from`: the right end of bar and marks. */
export function drawOutside(d: Drawing, body: BarBody, from: number): void {
  const { place, detail, alpha, look } = body;
  const w = place.x1 - place.x0;
  if (w >= DETAIL.icon) drawIconAlone(d, body, detail.end === 'cross' ? w * 0.45 : detail.end === 'open' ? 3 : 0);
  const x = from + (detail.end === 'cut' ? 7 : 6);
  if (x > d.width || place.x1 < 0) return;
  const limit = d.limitOf(place.row, x, Math.min(place.limit, x + OUTSIDE_MAX));
  const { tool, argument } = detail.label;
  const text = argument === '' ? tool : `${tool} ${argument}`;
  d.fittedText(
    LAYER,
    text,
    x,
    place.y + place.h / 2,
    limit - x,
    'bar',
    isFaded(look) ? 'text.muted' : 'text.secondary',
    alpha,
  );
}
