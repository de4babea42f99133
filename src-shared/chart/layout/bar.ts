import { tokens } from '../../theme/tokens.ts';
import { KIND } from '../../timeline/parts.ts';
import type { ToolCall } from '../../tool-call/state.ts';
import type { Box, BoxEnd, Layer } from '../display-list.ts';
import { DETAIL } from '../metrics.ts';
import type { Row } from '../rows.ts';
import { drawEnd, endRoom } from './bar-end.ts';
import { drawInside, drawOutside } from './bar-label.ts';
import { ofAlpha, type RowBlocks } from './blocks.ts';
import { type Detail, detailOf } from './detail.ts';
import type { Drawing } from './drawing.ts';
import { inferredTexture, isFaded, isPlainWork, type Look, lookOf, partLook } from './looks.ts';
import { chipsWidth, drawMarks } from './marks.ts';

const RADIUS = tokens.radius.bar;
/** Parts narrower than this are left to their neighbour. */
const LEAST_PART = 2;
/** Patterns in less room than this look like dirt. */
const LEAST_TEXTURE = 4;
/** What is guessed stays visible however short it is. */
const LEAST_HATCH = 8;
/** Bars reach at most this far beyond the canvas. */
const OVERHANG = 40;

/** Where a bar lies, in px. */
export type BarPlace = {
  readonly row: Row;
  readonly item: number;
  readonly kind: number;
  readonly call: ToolCall;
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly h: number;
  /** An outside label ends before this. */
  readonly limit: number;
};

/** A stretch of a bar with one look. `hatched`: its time is guessed. */
export type Piece = { readonly x0: number; readonly x1: number; readonly look: Look; readonly hatched: boolean };

/** A bar's colours and pieces, and where it is drawn. */
export type BarBody = {
  readonly place: BarPlace;
  readonly detail: Detail;
  readonly look: Look;
  readonly pieces: readonly Piece[];
  readonly alpha: number;
  readonly layer: Layer;
};

export const barLayer = (kind: number): Layer => (kind === KIND.error ? 'errors' : 'bars');

/** Draws a bar that is at least 5 px wide, as far as its width allows (design 4). */
export function drawBar(d: Drawing, place: BarPlace, blocks: RowBlocks): void {
  const { isOver } = d.input.model;
  const detail = detailOf(place.call, isOver);
  const look = lookOf(place.call, isOver);
  const alpha = d.alphaOf(place.item);
  const layer = barLayer(place.kind);
  const w = place.x1 - place.x0;
  const pieces =
    w >= DETAIL.icon ? cutPieces(d, place, detail, look) : [longestPiece(place, detail, look, d.input.now)];
  const body: BarBody = { place, detail, look, pieces, alpha, layer };
  if (w < DETAIL.shape) drawSmall(body, blocks);
  else drawWhole(d, body);
  drawHeld(d, body);
  const right = place.x1 + (w >= DETAIL.shape ? drawMarks(d, body) : 0);
  const afterNumber = drawNumber(d, body, right);
  if (w < DETAIL.argument) drawOutside(d, body, afterNumber);
  else drawInside(d, body, endRoom(body) + chipsWidth(d, place));
}

/** 5 … 11 px: hue, edge, and a stroke at the end of what failed or was stopped. Rectangles only: there may be thousands. */
function drawSmall({ place, pieces, look, detail, alpha }: BarBody, blocks: RowBlocks): void {
  const { x0, x1, y, h } = place;
  const inner = pieces[0]?.look ?? look;
  const edge = isPlainWork(look) ? inner.edge : look.edge;
  ofAlpha(blocks.edges, alpha).add(edge, x0, y, x1 - x0, h);
  ofAlpha(blocks.fills, alpha).add(inner.fill ?? 'surface.base', x0 + 1, y + 1, x1 - x0 - 2, h - 2);
  if (detail.end === 'cross' || detail.end === 'cut') ofAlpha(blocks.ends, alpha).add(look.edge, x1 - 2, y, 2, h);
  if (detail.end === 'open') ofAlpha(blocks.ends, alpha).add(inner.edge, x1 - 2, y - 1, 2, h + 2);
}

function drawWhole(d: Drawing, body: BarBody): void {
  const { place, detail, pieces } = body;
  const { y, h } = place;
  const x0 = Math.max(place.x0, -OVERHANG);
  const x1 = Math.min(place.x1, d.width + OVERHANG);
  const end: BoxEnd = detail.end === 'cut' || detail.end === 'torn' ? detail.end : 'plain';
  for (const [i, piece] of pieces.entries()) {
    const left = Math.max(piece.x0, x0);
    const right = Math.min(piece.x1, x1);
    if (right <= left) continue;
    const isLast = i === pieces.length - 1;
    const box: Box = {
      x: left,
      y,
      w: right - left,
      h,
      rl: i === 0 ? RADIUS : 0,
      rr: isLast && detail.end !== 'open' ? RADIUS : 0,
      end: isLast ? end : 'plain',
    };
    fillPiece(d, body, piece, box);
  }
  drawEdges(d, body, boxOf(x0, x1, y, h, end, detail.end === 'open'));
  drawEnd(d, body);
}

function fillPiece(d: Drawing, { place, alpha, layer }: BarBody, piece: Piece, box: Box): void {
  const { fill, fillAlpha, texture } = piece.look;
  if (piece.hatched) {
    d.fill(layer, box, 'surface.base', alpha);
    if (fill !== undefined) d.fill(layer, box, fill, alpha * INFERRED_FILL);
    d.add(layer, { op: 'texture', box, texture: inferredTexture(piece.look), anchor: place.x0, alpha });
    return;
  }
  if (fill !== undefined) d.fill(layer, box, fill, alpha * fillAlpha);
  const least = place.x1 - place.x0 < DETAIL.icon ? LEAST_HATCH : LEAST_TEXTURE;
  if (texture !== undefined && piece.x1 - piece.x0 >= least) {
    d.add(layer, { op: 'texture', box, texture, anchor: place.x0, alpha });
  }
}

const INFERRED_FILL = tokens.texture.inferred.fillAlpha;
const DASHED: readonly number[] = [3, 2];

/** The outline, the lines between parts, and the parts' own edges along top and bottom. */
function drawEdges(d: Drawing, { place, look, pieces, alpha, layer }: BarBody, outline: Box): void {
  const { y, h } = place;
  const allHatched = pieces.every((piece) => piece.hatched);
  const bothHatched = pieces.length > 0 && (pieces[0]?.hatched ?? false) && (pieces.at(-1)?.hatched ?? false);
  const dashed = isFaded(look) || allHatched || bothHatched;
  const only = pieces.length === 1 && isPlainWork(look) ? (pieces[0]?.look.edge ?? look.edge) : look.edge;
  d.stroke(layer, outline, only, 1, alpha, dashed ? DASHED : undefined);
  const ownEdges = isPlainWork(look) && pieces.length > 1;
  for (const [i, piece] of pieces.entries()) {
    const left = Math.max(piece.x0, outline.x);
    const right = Math.min(piece.x1, outline.x + outline.w);
    if (right <= left) continue;
    const edge = isPlainWork(look) ? piece.look.edge : look.edge;
    if (ownEdges && edge !== look.edge) {
      const inset = (i === 0 ? RADIUS : 0) + 0.5;
      const outset = i === pieces.length - 1 ? RADIUS : 0;
      d.line(layer, [left + inset, y + 0.5, right - outset, y + 0.5], edge, 1, alpha);
      d.line(layer, [left + inset, y + h - 0.5, right - outset, y + h - 0.5], edge, 1, alpha);
    }
    if (i > 0 && piece.x0 > outline.x) d.rect(layer, piece.x0 - 0.5, y + 0.5, 1, h - 1, edge, alpha);
  }
}

const boxOf = (x0: number, x1: number, y: number, h: number, end: BoxEnd, isOpen = false): Box => ({
  x: x0,
  y,
  w: x1 - x0,
  h,
  rl: RADIUS,
  rr: isOpen ? 0 : RADIUS,
  end,
});

/** The parts of a bar in px, those under 2 px given to their neighbour, guessed stretches cut out. */
function cutPieces(d: Drawing, place: BarPlace, detail: Detail, look: Look): readonly Piece[] {
  const pieces: { x0: number; x1: number; look: Look; hatched: boolean }[] = [];
  for (const part of detail.parts) {
    const x0 = pieces.at(-1)?.x1 ?? place.x0;
    const x1 = Math.min(place.x1, d.x(part.until ?? d.input.now));
    const own = partLook(part.kind, look);
    const last = pieces.at(-1);
    if (last !== undefined && (x1 - x0 < LEAST_PART || last.look === own)) {
      last.x1 = Math.max(last.x1, x1);
      continue;
    }
    pieces.push({ x0, x1, look: own, hatched: false });
  }
  const first = pieces[0];
  const second = pieces[1];
  if (first !== undefined && second !== undefined && first.x1 - first.x0 < LEAST_PART) {
    second.x0 = first.x0;
    pieces.shift();
  }
  const last = pieces.at(-1);
  if (last === undefined) return [{ x0: place.x0, x1: place.x1, look, hatched: false }];
  last.x1 = place.x1;
  return hatch(d, place, detail, pieces);
}

function hatch(d: Drawing, place: BarPlace, { inferred }: Detail, pieces: readonly Piece[]): readonly Piece[] {
  const { startUntil, endFrom } = inferred;
  if (startUntil === undefined && endFrom === undefined) return pieces;
  const w = place.x1 - place.x0;
  const until =
    startUntil === undefined ? place.x0 : Math.min(place.x1, Math.max(d.x(startUntil), place.x0 + LEAST_HATCH));
  const from = endFrom === undefined ? place.x1 : Math.max(place.x0, Math.min(d.x(endFrom), place.x1 - LEAST_HATCH));
  // Little room between two guesses would look like something measured.
  const whole = from - until < LEAST_HATCH || until - place.x0 > w - LEAST_HATCH;
  const cuts = whole ? [place.x1] : [until, from];
  const found: Piece[] = [];
  for (const piece of pieces) {
    const edges = [piece.x0, ...cuts.filter((x) => x > piece.x0 && x < piece.x1), piece.x1];
    for (let i = 0; i + 1 < edges.length; i++) {
      const x0 = edges[i] as number;
      const x1 = edges[i + 1] as number;
      found.push({ x0, x1, look: piece.look, hatched: whole || x1 <= until || x0 >= from });
    }
  }
  return found.filter((piece) => piece.x1 > piece.x0);
}

/** The one hue of a bar too narrow for parts: that of its longest part. */
function longestPiece(place: BarPlace, detail: Detail, look: Look, now: number): Piece {
  let longest = detail.parts[0];
  let most = -1;
  for (const part of detail.parts) {
    const length = (part.until ?? now) - part.from;
    if (length > most) {
      most = length;
      longest = part;
    }
  }
  const own = longest === undefined || longest.kind === 'saving' ? look : partLook(longest.kind, look);
  const hatched = detail.inferred.startUntil !== undefined;
  return { x0: place.x0, x1: place.x1, look: own, hatched: hatched && place.x1 - place.x0 >= DETAIL.shape };
}

const HELD = tokens.texture['wait.held'];

/** The dotted line under the lane, with a tick where the result was handed on. */
function drawHeld(d: Drawing, { place, detail, alpha }: BarBody): void {
  if (detail.held === undefined) return;
  const from = place.x1;
  const until = d.x(detail.held.until ?? d.input.now);
  if (until - from < 4) return;
  const y = place.y + place.h + 2.5;
  const left = Math.max(from + 1, -OVERHANG);
  const right = Math.min(until, d.width + OVERHANG);
  if (right > left) d.line('bars', [left, y, right, y], 'wait.held', HELD.stroke, alpha, HELD.dash);
  if (detail.held.until !== undefined)
    d.rect('bars', until - 1, y + 0.75 - HELD.endTick, 1.5, HELD.endTick, 'wait.held', alpha);
}

const NUMBER_RADIUS = 8.5;

/** The number of an open question, the same as on its card. Returns where a label may begin. */
function drawNumber(d: Drawing, { place, alpha }: BarBody, right: number): number {
  const number = d.input.model.askNumbers.get(place.call.callId);
  if (number === undefined) return right;
  const x = place.x1 + 5 + NUMBER_RADIUS;
  const y = place.y + place.h / 2;
  d.add('labels', {
    op: 'circle',
    x,
    y,
    r: NUMBER_RADIUS,
    fill: 'wait.human.fill',
    stroke: 'wait.human.edge',
    width: 1.25,
    alpha,
  });
  d.text('labels', String(number), x, y, 'micro', 'wait.human.text', alpha, 'center');
  return Math.max(right, x + NUMBER_RADIUS);
}

/** px from a bar's right end to the right end of its number. */
export const NUMBER_REACH = 5 + 2 * NUMBER_RADIUS;
