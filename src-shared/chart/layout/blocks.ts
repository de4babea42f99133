import type { ColorName } from '../../theme/tokens.ts';
import type { Layer } from '../display-list.ts';
import { DIMMED, type Drawing } from './drawing.ts';

/** Rectangles of one row, gathered by colour so that each colour is one stroke. Touching equals become one. */
export class Blocks {
  private readonly rects = new Map<ColorName, number[]>();

  add(ink: ColorName, x: number, y: number, w: number, h: number): void {
    let list = this.rects.get(ink);
    if (list === undefined) {
      list = [];
      this.rects.set(ink, list);
    }
    const n = list.length;
    if (n > 0 && list[n - 3] === y && list[n - 1] === h) {
      const left = list[n - 4] as number;
      if (x - (left + (list[n - 2] as number)) < 0.01) {
        list[n - 2] = x + w - left;
        return;
      }
    }
    list.push(x, y, w, h);
  }

  /** Hands out the rectangles, errors last. */
  drawTo(take: (ink: ColorName, rects: readonly number[]) => void): void {
    for (const [ink, rects] of this.rects) if (!isError(ink)) take(ink, rects);
    for (const [ink, rects] of this.rects) if (isError(ink)) take(ink, rects);
  }

  draw(d: Drawing, alpha: number): void {
    this.drawTo((ink, rects) => d.add(layerOf(ink), { op: 'blocks', rects, ink, alpha }));
  }
}

const isError = (ink: ColorName): boolean => ink === 'outcome.error.edge' || ink === 'outcome.error.fill';
const layerOf = (ink: ColorName): Layer => (isError(ink) ? 'errors' : 'bars');

/** The small bars of one row: edges first, then what they hold, then their ends. What a cascade leaves out is dimmed. */
export class RowBlocks {
  readonly edges: Pair = { lit: new Blocks(), dimmed: new Blocks() };
  readonly fills: Pair = { lit: new Blocks(), dimmed: new Blocks() };
  readonly ends: Pair = { lit: new Blocks(), dimmed: new Blocks() };

  draw(d: Drawing): void {
    for (const { lit, dimmed } of [this.edges, this.fills, this.ends]) {
      dimmed.draw(d, DIMMED);
      lit.draw(d, 1);
    }
  }
}

type Pair = { readonly lit: Blocks; readonly dimmed: Blocks };

/** Which of a pair takes a stroke of this opacity. */
export const ofAlpha = (pair: Pair, alpha: number): Blocks => (alpha < 1 ? pair.dimmed : pair.lit);
