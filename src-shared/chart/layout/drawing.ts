import type { PathColumns } from '../../critical-path/columns.ts';
import type { CallSet } from '../../filter/matching.ts';
import type { ColorName } from '../../theme/tokens.ts';
import { positionOf, type TimeAxis } from '../../timeline/axis.ts';
import type { BarColumns } from '../../timeline/bars.ts';
import type { CascadeMark, TimelineModel } from '../../timeline/tracks.ts';
import { type Box, type Layer, NO_DASH, type Op, plainBox, Sheet } from '../display-list.ts';
import { type FontName, fitText, type Measure } from '../fonts.ts';
import type { IconName } from '../icons.ts';
import type { Row, RowLayout } from '../rows.ts';
import { type Stretch, timeOf, type View } from '../viewport.ts';

/** Everything a picture of the chart depends on. */
export type LayoutInput = {
  readonly model: TimelineModel;
  readonly rows: RowLayout;
  readonly view: View;
  readonly axis: TimeAxis;
  readonly now: number;
  /** Whether the line of `now` is drawn: in sessions that may go on. */
  readonly showNow: boolean;
  readonly dpr: number;
  readonly measure: Measure;
  /** Indices of calls, or undefined. */
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** The chart has the keyboard: the selection carries the focus ring as well. */
  readonly hasFocus: boolean;
  /** The cascade whose pill is selected; all but its calls are dimmed. */
  readonly focused: CascadeMark | undefined;
  readonly measured: Stretch | undefined;
  /** Indices of calls drawn at half strength: what another picture shows as well. */
  readonly faint?: ReadonlySet<number> | undefined;
  /** Calls that fit the filter, where there is one; the others are dimmed. */
  readonly matching?: CallSet | undefined;
  /** Calls that hold what is searched for. */
  readonly found?: CallSet | undefined;
  readonly clock: 'from-start' | 'wall';
  /** Where the playhead stands, if anywhere. */
  readonly playhead?: number | undefined;
  /** The critical paths of the turns, where they are shown. */
  readonly path?: PathColumns | undefined;
};

/** Opacity of what a selected cascade leaves out. */
export const DIMMED = 0.28;

/** Opacity of what another picture shows as well, or what is still to come (design 12). */
export const FAINT = 0.5;

/** Stretches of a row, in px, that no label may cover. */
type Obstacle = { readonly from: number; readonly until: number };

/** One picture being made: the input, the sheet it is drawn on, and the few things strokes have to agree on. */
export class Drawing {
  readonly input: LayoutInput;
  readonly sheet = new Sheet();
  /** The time at the left and right edges. */
  readonly from: number;
  readonly until: number;
  /** y of the first scrolled row on the canvas. */
  readonly top: number;
  private readonly obstacles = new Map<string, Obstacle[]>();
  private readonly lit: ReadonlySet<number> | undefined;

  constructor(input: LayoutInput, top: number) {
    this.input = input;
    this.top = top;
    // A little more than the canvas, for what hangs over a bar's edge.
    this.from = timeOf(input.axis, input.view, -24);
    this.until = timeOf(input.axis, input.view, input.view.width + 24);
    const { focused } = input;
    this.lit = focused === undefined ? undefined : new Set([focused.culprit, ...focused.victims]);
  }

  get width(): number {
    return this.input.view.width;
  }

  get height(): number {
    return this.input.view.height;
  }

  /** x of a time, on whole device pixels. Open ends are `now`. */
  x(t: number): number {
    const { axis, view, dpr, now } = this.input;
    const position = positionOf(axis, view.scale, t === Number.POSITIVE_INFINITY ? now : t);
    return Math.round((position - view.offset) * dpr) / dpr;
  }

  /** The time at an x of the canvas. */
  timeOf(x: number): number {
    return timeOf(this.input.axis, this.input.view, x);
  }

  /** y of a scrolled row on the canvas. */
  y(row: Row): number {
    return this.top + row.y - this.input.view.scrollY;
  }

  isVisible(row: Row): boolean {
    const y = this.y(row);
    return y + row.height > this.top - 8 && y < this.height + 8;
  }

  /** Opacity of a call's strokes. */
  alphaOf(call: number): number {
    if (this.lit !== undefined && !this.lit.has(call)) return DIMMED;
    if (this.input.matching?.has(call) === false) return DIMMED;
    return this.input.faint?.has(call) === true ? FAINT : 1;
  }

  /** Opacity of one block that stands for the bars `from` … `until - 1`: one of them that fits is enough. */
  alphaOfSeveral(columns: BarColumns, from: number, until: number): number {
    const { matching } = this.input;
    return matching === undefined || isAnyIn(matching, columns, from, until) ? this.alphaOfRest : DIMMED;
  }

  /** A line over bars of which one holds what is searched for: they are too small for a ring. */
  markFound(columns: BarColumns, from: number, until: number, x: number, y: number, w: number): void {
    const { found } = this.input;
    if (found === undefined || found.size === 0 || !isAnyIn(found, columns, from, until)) return;
    this.rect('top', x, y - 4, Math.max(2, w), 2, 'focus.ring');
  }

  /** The ring around a bar that holds what is searched for. */
  ringFound(call: number, x0: number, x1: number, y: number, h: number): void {
    if (this.input.found?.has(call) !== true) return;
    const left = Math.max(x0, -20) - 1.5;
    const right = Math.min(x1, this.width + 20) + 1.5;
    this.stroke('top', plainBox(left, y - 1.5, right - left, h + 3, 4), 'focus.ring', 1.5);
  }

  /** Opacity of what belongs to no call. */
  get alphaOfRest(): number {
    return this.lit === undefined ? 1 : DIMMED;
  }

  block(row: Row, from: number, until: number): void {
    const list = this.obstacles.get(row.key);
    if (list === undefined) this.obstacles.set(row.key, [{ from, until }]);
    else list.push({ from, until });
  }

  /** How far a label that begins at `x` may reach in a row; `x` itself where it would begin on an obstacle. */
  limitOf(row: Row, x: number, wanted: number): number {
    let limit = wanted;
    for (const { from, until } of this.obstacles.get(row.key) ?? []) {
      if (until > x && from < limit) limit = from;
    }
    return limit;
  }

  add(layer: Layer, op: Op): void {
    this.sheet.add(layer, op);
  }

  fill(layer: Layer, box: Box, ink: ColorName, alpha = 1): void {
    if (box.w > 0 && box.h > 0) this.add(layer, { op: 'fill', box, ink, alpha });
  }

  rect(layer: Layer, x: number, y: number, w: number, h: number, ink: ColorName, alpha = 1): void {
    this.fill(layer, plainBox(x, y, w, h), ink, alpha);
  }

  stroke(layer: Layer, box: Box, ink: ColorName, width = 1, alpha = 1, dash: readonly number[] = NO_DASH): void {
    if (box.w > 0 && box.h > 0) this.add(layer, { op: 'stroke', box, ink, width, dash, alpha });
  }

  line(
    layer: Layer,
    points: readonly number[],
    ink: ColorName,
    width = 1,
    alpha = 1,
    dash: readonly number[] = NO_DASH,
    radius = 0,
  ): void {
    this.add(layer, { op: 'line', points, ink, width, dash, radius, alpha });
  }

  icon(
    layer: Layer,
    icon: IconName,
    x: number,
    y: number,
    size: number,
    ink: ColorName,
    alpha = 1,
    weight = 1.35,
  ): void {
    this.add(layer, { op: 'icon', icon, x, y, size, ink, weight, alpha });
  }

  text(
    layer: Layer,
    text: string,
    x: number,
    y: number,
    font: FontName,
    ink: ColorName,
    alpha = 1,
    align: 'left' | 'center' | 'right' = 'left',
  ): void {
    this.add(layer, { op: 'text', x, y, text, font, ink, align, alpha });
  }

  measure(text: string, font: FontName): number {
    return this.input.measure(text, font);
  }

  fit(text: string, font: FontName, room: number): string | undefined {
    return fitText(text, font, room, this.input.measure);
  }

  /** Draws a text cut to the room at its right. Returns its width, or 0 when nothing was drawn. */
  fittedText(
    layer: Layer,
    text: string,
    x: number,
    y: number,
    room: number,
    font: FontName,
    ink: ColorName,
    alpha = 1,
  ): number {
    const shown = this.fit(text, font, room);
    if (shown === undefined) return 0;
    this.text(layer, shown, x, y, font, ink, alpha);
    return this.measure(shown, font);
  }
}

function isAnyIn(set: CallSet, columns: BarColumns, from: number, until: number): boolean {
  for (let i = from; i < until; i++) if (set.has(columns.items[i] as number)) return true;
  return false;
}
