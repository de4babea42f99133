import type { ColorName } from '../theme/tokens.ts';
import type { FontName } from './fonts.ts';
import type { IconName } from './icons.ts';

/** Names of the patterns in `textures.ts`. */
export type TextureName =
  | 'lock'
  | 'hooks'
  | 'permission'
  | 'saving'
  | 'saving-error'
  | 'cancelled'
  | 'inferred'
  | 'inferred-error'
  | 'inferred-cancelled'
  | 'inferred-human'
  | 'inferred-hook'
  | 'inferred-quiet';

/** The right side of a box: rounded by `rr`, slanted, or torn off. */
export type BoxEnd = 'plain' | 'cut' | 'torn';

/** A box with rounded corners: `rl` on the left, `rr` on the right. Coordinates are CSS px of the canvas. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly rl: number;
  readonly rr: number;
  readonly end: BoxEnd;
};

/** One stroke of the brush. Everything has been decided: painting is a loop over these. */
export type Op =
  | { readonly op: 'fill'; readonly box: Box; readonly ink: ColorName; readonly alpha: number }
  | {
      readonly op: 'texture';
      readonly box: Box;
      readonly texture: TextureName;
      /** Where the pattern begins: the bar's start, so that it moves with the bar. */
      readonly anchor: number;
      readonly alpha: number;
    }
  | {
      readonly op: 'stroke';
      readonly box: Box;
      readonly ink: ColorName;
      readonly width: number;
      readonly dash: readonly number[];
      readonly alpha: number;
    }
  | {
      readonly op: 'line';
      /** x, y pairs. Inner corners are rounded by `radius`. */
      readonly points: readonly number[];
      readonly radius: number;
      readonly ink: ColorName;
      readonly width: number;
      readonly dash: readonly number[];
      readonly alpha: number;
    }
  | {
      readonly op: 'polygon';
      readonly points: readonly number[];
      readonly fill: ColorName | undefined;
      readonly stroke: ColorName | undefined;
      readonly width: number;
      readonly alpha: number;
    }
  | {
      readonly op: 'circle';
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly fill: ColorName | undefined;
      readonly stroke: ColorName | undefined;
      readonly width: number;
      readonly alpha: number;
    }
  | {
      readonly op: 'text';
      readonly x: number;
      /** The middle of the capitals. */
      readonly y: number;
      readonly text: string;
      readonly font: FontName;
      readonly ink: ColorName;
      readonly align: 'left' | 'center' | 'right';
      readonly alpha: number;
    }
  | {
      readonly op: 'icon';
      readonly icon: IconName;
      /** Its middle. */
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly ink: ColorName;
      /** Width of its strokes in CSS px. */
      readonly weight: number;
      readonly alpha: number;
    }
  | {
      readonly op: 'glow';
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
      readonly ink: ColorName;
      readonly alpha: number;
    }
  /** Many plain rectangles of one colour: x, y, w, h each. */
  | { readonly op: 'blocks'; readonly rects: readonly number[]; readonly ink: ColorName; readonly alpha: number };

/**
 * What lies over what, lowest first. Drop lines run over the queue and behind the bars they pass; errors come after
 * all other bars; labels lie over arrows.
 */
export const LAYERS = ['ground', 'frames', 'waits', 'drops', 'bars', 'errors', 'arrows', 'labels', 'top'] as const;
export type Layer = (typeof LAYERS)[number];

/** Collects the strokes of one picture, layer by layer. */
export class Sheet {
  private readonly layers: Readonly<Record<Layer, Op[]>> = {
    ground: [],
    frames: [],
    waits: [],
    drops: [],
    bars: [],
    errors: [],
    arrows: [],
    labels: [],
    top: [],
  };

  add(layer: Layer, op: Op): void {
    this.layers[layer].push(op);
  }

  ops(): readonly Op[] {
    return LAYERS.flatMap((layer) => this.layers[layer]);
  }
}

export const plainBox = (x: number, y: number, w: number, h: number, radius = 0): Box => ({
  x,
  y,
  w,
  h,
  rl: radius,
  rr: radius,
  end: 'plain',
});

export const NO_DASH: readonly number[] = [];
