import type { Op } from '../../src-shared/chart/display-list.ts';
import type { Measure } from '../../src-shared/chart/fonts.ts';
import {
  AT_REST,
  type LanesOnly,
  lanesHeight,
  layoutLanesOnly,
  partingLine,
} from '../../src-shared/chart/lanes-only.ts';
import { Drawing } from '../../src-shared/chart/layout/drawing.ts';
import { drawSelection } from '../../src-shared/chart/layout/overlay.ts';
import type { LayoutInput } from '../../src-shared/chart/layout.ts';
import type { SideFacts } from '../../src-shared/compare/compare.ts';
import { STRAIGHT } from '../../src-shared/timeline/axis.ts';

/** Free on both sides of the longer run, in px. */
const MARGIN = 12;

export type LaneInput = {
  readonly facts: SideFacts;
  /** The longer of both wall times: one scale for both pictures. */
  readonly longestMs: number;
  /** When they part, in ms from this side's start. */
  readonly partsAt: number | undefined;
  readonly width: number;
  readonly dpr: number;
  readonly measure: Measure;
  /** Index of the call of the chosen difference. */
  readonly selected: number | undefined;
};

/** All strokes of one side. Its start stands at the left edge, as that of the other does. */
export function layoutLanes(made: LanesOnly, input: LaneInput): readonly Op[] {
  const { facts, longestMs, partsAt, width, dpr, measure, selected } = input;
  const height = lanesHeight(made);
  const scale = Math.max(1, width - 2 * MARGIN) / Math.max(1, longestMs);
  const drawn: LayoutInput = {
    ...AT_REST,
    ...made,
    view: { width, height, scale, offset: facts.from * scale - MARGIN, scrollY: 0 },
    axis: STRAIGHT,
    now: made.model.state.now,
    dpr,
    measure,
    selected,
  };
  const ring = new Drawing(drawn, 0);
  drawSelection(ring);
  const parting = partsAt === undefined ? [] : [partingLine(Math.round(MARGIN + partsAt * scale) + 0.5, 0, height)];
  return [...layoutLanesOnly(drawn), ...ring.sheet.ops(), ...parting];
}
