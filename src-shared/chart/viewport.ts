import { FOLD_WIDTH, foldsWithin, positionOf, shownLength, type TimeAxis, timeAt } from '../timeline/axis.ts';

/** What part of the session is on screen. Lengths in CSS px. */
export type View = {
  /** Of the canvas, without the gutter. */
  readonly width: number;
  readonly height: number;
  /** px per millisecond. */
  readonly scale: number;
  /** Position (px from session time 0, folds included) at the left edge. */
  readonly offset: number;
  /** How far the rows are scrolled up. */
  readonly scrollY: number;
};

/** A stretch of session time. */
export type Stretch = { readonly from: number; readonly until: number };

/** From 100 microseconds a pixel to three hours in a hundred. */
export const MIN_SCALE = 0.00001;
export const MAX_SCALE = 10;

/** Free room at the right of the live edge while following, as a share of the width and at least in px. */
const FOLLOW_MARGIN = { share: 0.04, least: 48 } as const;

export const clampScale = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

export const xOf = (axis: TimeAxis, view: View, t: number): number => positionOf(axis, view.scale, t) - view.offset;
export const timeOf = (axis: TimeAxis, view: View, x: number): number => timeAt(axis, view.scale, view.offset + x);

/** The visible stretch of time. */
export const shownStretch = (axis: TimeAxis, view: View): Stretch => ({
  from: timeOf(axis, view, 0),
  until: timeOf(axis, view, view.width),
});

/** Zooms by a factor; the time under `x` stays where it is. */
export function zoomAt(axis: TimeAxis, view: View, factor: number, x: number): View {
  const scale = clampScale(view.scale * factor);
  const t = timeOf(axis, view, x);
  return { ...view, scale, offset: positionOf(axis, scale, t) - x };
}

/** Moves the picture by `dx` px to the right and `dy` px down. */
export const pan = (view: View, dx: number, dy: number): View => ({
  ...view,
  offset: view.offset - dx,
  scrollY: view.scrollY - dy,
});

/** The view that shows a stretch from edge to edge, with `margin` px free on both sides. */
export function fitStretch(axis: TimeAxis, view: View, stretch: Stretch, margin = 24): View {
  const room = Math.max(20, view.width - 2 * margin - foldsWithin(axis, stretch.from, stretch.until) * FOLD_WIDTH);
  const scale = clampScale(room / Math.max(1, shownLength(axis, stretch.from, stretch.until)));
  return { ...view, scale, offset: positionOf(axis, scale, stretch.from) - margin };
}

/** Keeps a view near its session: at least a third of the width stays on something, and rows do not leave the top. */
export function keepInside(axis: TimeAxis, view: View, until: number, rowsHeight: number, roomForRows: number): View {
  const end = positionOf(axis, view.scale, until);
  const slack = view.width * (2 / 3);
  const offset = Math.max(-slack, Math.min(end - view.width + slack, view.offset));
  // A session shorter than the view may lie anywhere in it.
  const inside =
    end < view.width ? Math.max(Math.min(-slack, end - view.width), Math.min(slack / 2, view.offset)) : offset;
  const scrollY = Math.max(0, Math.min(rowsHeight - roomForRows, view.scrollY));
  return inside === view.offset && scrollY === view.scrollY ? view : { ...view, offset: inside, scrollY };
}

export const followMargin = (width: number): number => Math.max(FOLLOW_MARGIN.least, width * FOLLOW_MARGIN.share);

/** The offset at which `now` lies at the right edge, but for the margin. A young session begins at the left edge. */
export function followOffset(axis: TimeAxis, view: View, now: number): number {
  const edge = positionOf(axis, view.scale, now) - (view.width - followMargin(view.width));
  return Math.max(edge, -8);
}

/** With reduced motion following does not glide: it jumps by half a view when the edge would leave the view. */
export function followOffsetInJumps(axis: TimeAxis, view: View, now: number): number {
  const x = xOf(axis, view, now);
  if (x >= 0 && x <= view.width - followMargin(view.width)) return view.offset;
  return Math.max(-8, positionOf(axis, view.scale, now) - view.width / 2);
}

/** Lengths of time a followed view shows, so that a session of two seconds is not a speck and one of hours is not mush. */
const FOLLOW_SPAN = { least: 3_000, most: 30_000, step: 1.25 } as const;

/**
 * The scale for following a session of this length, until the person zooms: the least step that holds it, at most 30 s.
 * Steps are small, so that the live edge stays in the right third, and few, so that the picture is at rest in between.
 */
export function followScale(view: View, sessionLength: number): number {
  const { least, most, step } = FOLLOW_SPAN;
  const steps = Math.max(0, Math.ceil(Math.log(sessionLength / 0.9 / least) / Math.log(step)));
  const span = Math.min(most, least * step ** steps);
  return clampScale((view.width - followMargin(view.width)) / span);
}

/** Between two views: `share` 0 … 1. The scale moves by factors, so that zooming looks even. */
export function between(axis: TimeAxis, a: View, b: View, share: number): View {
  if (share >= 1) return b;
  const scale = a.scale * (b.scale / a.scale) ** share;
  const middle = (view: View): number => timeOf(axis, view, view.width / 2);
  // The centre moves evenly over the screen of the moment: by how far is measured in positions of the scale in between.
  const from = positionOf(axis, scale, middle(a));
  const until = positionOf(axis, scale, middle(b));
  return {
    ...b,
    scale,
    offset: from + (until - from) * share - b.width / 2,
    scrollY: a.scrollY + (b.scrollY - a.scrollY) * share,
  };
}

/** The design's ease-out, cubic-bezier(.2,.7,.2,1), close enough for 220 ms. */
export const easeOut = (share: number): number => 1 - (1 - share) ** 3.2;
