import { type Op, plainBox } from './display-list.ts';
import { drawCascades, type PillBox } from './layout/arrows.ts';
import { drawBackground } from './layout/background.ts';
import { drawPath, drawPathInModel } from './layout/critical-path.ts';
import { Drawing, type LayoutInput } from './layout/drawing.ts';
import { drawFrames } from './layout/frames.ts';
import { drawLane } from './layout/lane.ts';
import { drawFolds, drawHairlines, drawHover, drawMeasured, drawSelection, type FoldBox } from './layout/overlay.ts';
import { drawDepth, drawOverflow, drawQueueLine } from './layout/queue.ts';
import { drawRequests } from './layout/requests.ts';
import { drawBefore, drawFuture, drawGrid, drawNow, drawPlayhead, drawRuler } from './layout/ruler.ts';
import { drawHooks, drawPermission, drawProcess } from './layout/tracks.ts';
import type { Row } from './rows.ts';

export type { LayoutInput } from './layout/drawing.ts';

/** One picture of the chart. `rows` are clipped below the fixed part, which is painted after them. */
export type Scene = {
  readonly ground: readonly Op[];
  readonly rows: readonly Op[];
  readonly fixed: readonly Op[];
  readonly overlay: readonly Op[];
  /** Height of ruler and model row, which do not scroll. */
  readonly fixedHeight: number;
  readonly pills: readonly PillBox[];
  readonly folds: readonly FoldBox[];
};

/** Height of what stays on top while rows scroll. */
export const fixedHeightOf = ({ rows }: Pick<LayoutInput, 'rows'>): number =>
  rows.metrics.ruler + rows.metrics.modelRow;

/**
 * Everything that is on the chart, as strokes in px. The same input always gives the same picture; all decisions about
 * level of detail, labels and arrows are made here.
 */
export function layout(input: LayoutInput): Scene {
  const { ruler, modelRow, modelBar } = input.rows.metrics;
  const fixedHeight = fixedHeightOf(input);
  const bottom = input.view.height;
  const ground = new Drawing(input, fixedHeight);
  const scrolled = new Drawing(input, fixedHeight);
  const fixed = new Drawing(input, fixedHeight);
  const overlay = new Drawing(input, fixedHeight);

  drawGround(ground, fixedHeight);
  drawRuler(fixed, ruler);
  drawGrid(ground, ruler, bottom);

  const pills = drawRows(scrolled);
  const path = drawPath(scrolled);
  drawSelection(scrolled);
  drawHover(scrolled);

  const main = input.model.agents[0];
  fixed.rect('ground', 0, ruler, fixed.width, modelRow, 'surface.base');
  if (input.showNow) drawFuture(fixed, ruler, fixedHeight);
  if (main !== undefined) drawRequests(fixed, main.requests, ruler, modelRow, modelBar);
  drawPathInModel(fixed, path, fixedHeight);
  fixed.rect('top', 0, ruler - 0.5, fixed.width, 1, 'border.subtle');
  fixed.rect('top', 0, fixedHeight - 0.5, fixed.width, 1, 'border.subtle');

  const folds = drawFolds(overlay, ruler, bottom);
  drawHairlines(overlay, ruler);
  drawMeasured(overlay, ruler, bottom);
  if (input.playhead !== undefined) drawPlayhead(overlay, ruler, bottom);
  else if (input.showNow) drawNow(overlay, ruler, bottom);
  return {
    ground: ground.sheet.ops(),
    rows: scrolled.sheet.ops(),
    fixed: fixed.sheet.ops(),
    overlay: overlay.sheet.ops(),
    fixedHeight,
    pills,
    folds,
  };
}

/** Queue, frames, lanes and folds alone, from the top of the canvas: samples of the legend. */
export function layoutSample(input: LayoutInput): readonly Op[] {
  const d = new Drawing(input, 0);
  drawRows(d);
  const folds = new Drawing(input, 0);
  drawFolds(folds, 0, input.view.height);
  return [...d.sheet.ops(), ...folds.sheet.ops()];
}

/** Everything that scrolls. Arrows come first: labels keep away from them. */
function drawRows(d: Drawing): readonly PillBox[] {
  const pills = drawCascades(d);
  for (const row of d.input.rows.rows) if (d.isVisible(row)) drawRow(d, row);
  for (const { agent, kind } of d.input.rows.rows) if (kind === 'strip' && agent !== undefined) drawFrames(d, agent);
  return pills;
}

/** Stripes of lanes, bands of headers, lines between sections. */
function drawGround(d: Drawing, fixedHeight: number): void {
  const { rows, showNow } = d.input;
  d.rect('ground', 0, fixedHeight, d.width, d.height - fixedHeight, 'surface.base');
  for (const row of rows.rows) {
    if (!d.isVisible(row)) continue;
    const y = d.y(row);
    if (row.kind === 'header' || row.kind === 'group') d.rect('ground', 0, y, d.width, row.height, 'surface.panel');
    if (row.kind === 'lane' && row.index % 2 === 0 && row.agent?.isMain === true) {
      d.rect('ground', 0, y, d.width, row.height, 'lane.stripe');
    }
  }
  if (showNow) drawFuture(d, fixedHeight, d.height);
  drawBefore(d, fixedHeight, d.height);
  for (const divider of rows.dividers) {
    const y = Math.round(d.top + divider - d.input.view.scrollY);
    if (y > fixedHeight) d.fill('drops', plainBox(0, y - 0.5, d.width, 1), 'border.subtle');
  }
}

function drawRow(d: Drawing, row: Row): void {
  const { agent } = row;
  const { metrics } = d.input.rows;
  switch (row.kind) {
    case 'lane': {
      const lane = agent?.lanes[row.index];
      if (agent !== undefined && lane !== undefined)
        drawLane(d, row, agent, lane, agent.isMain ? metrics.bar : metrics.subBar);
      return;
    }
    case 'single':
      if (agent?.single !== undefined) drawLane(d, row, agent, agent.single, metrics.subBar);
      return;
    case 'queue':
      if (agent !== undefined) drawQueueLine(d, row, agent);
      return;
    case 'more':
      if (agent !== undefined) drawOverflow(d, row, agent.queue.overflow);
      return;
    case 'depth':
      if (agent !== undefined) drawDepth(d, row, agent);
      return;
    case 'agent-model':
      if (agent !== undefined) drawRequests(d, agent.requests, d.y(row), row.height, metrics.subBar - 1);
      return;
    case 'permission':
      drawPermission(d, row);
      return;
    case 'hooks':
      drawHooks(d, row);
      return;
    case 'background':
      drawBackground(d, row);
      return;
    case 'process':
      drawProcess(d, row);
      return;
    case 'header':
    case 'group':
    case 'strip':
      return;
  }
}
