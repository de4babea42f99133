import { isEnded } from '../../timeline/parts.ts';
import { type CascadeMark, callAt } from '../../timeline/tracks.ts';
import { formatCount, formatMillis } from '../../timeline/words.ts';
import { plainBox } from '../display-list.ts';
import { findRow, type Row } from '../rows.ts';
import type { Drawing } from './drawing.ts';
import { DIAMOND } from './queue.ts';

/** How far the trunk stands right of the culprit, and how far trunks keep from each other. */
const REACH = 12;
const TRUNK_GAP = 10;
const TRUNK_STEP = 8;
/** Victims that end further right than this are met where the trunk stands, not at their end. */
const FAR = 160;
const HEAD = 6;
/** The culprit must be this wide for its arrows; below, colour alone tells. */
const LEAST_CULPRIT = 4;
const PILL_HEIGHT = 17;
const PILL_PAD = 9;
const PILL_GAP = 6;
/** A pill is moved at most this far from its trunk. */
const PILL_SHIFT = 90;
/** Beyond this many victims only those on visible rows get a head. */
const MANY = 8;

/** A place a person can click: the pill of a cascade. */
export type PillBox = {
  readonly culprit: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

type End = {
  readonly item: number;
  readonly row: Row;
  readonly x: number;
  readonly y: number;
  readonly isDiamond: boolean;
};

/** The right end of a call's bar, or of its wait when it never started; undefined when it is not on the chart. */
function endOf(d: Drawing, item: number): End | undefined {
  const { model, rows } = d.input;
  const call = callAt(model, item);
  const run = call.phase === 'queued' ? undefined : call.run;
  const end = isEnded(call) ? call.end.at : d.input.now;
  if (run !== undefined) {
    const row = findRow(rows, 'lane', call.agentId, run.lane);
    return row === undefined ? undefined : { item, row, x: d.x(end), y: d.y(row) + row.height / 2, isDiamond: false };
  }
  const agent = model.agents.find((one) => one.agentId === call.agentId);
  const line = agent?.queue.lines.findIndex((columns) => {
    const i = columns.firstStartingAt(call.queuedAt);
    for (let at = i; at < columns.length && columns.starts[at] === call.queuedAt; at++)
      if (columns.items[at] === item) return true;
    return false;
  });
  if (line === undefined || line < 0) return undefined;
  const row = findRow(rows, 'queue', call.agentId, line);
  return row === undefined ? undefined : { item, row, x: d.x(end), y: d.y(row) + row.height / 2, isDiamond: true };
}

/**
 * Draws every visible cascade: out of the culprit's end, one trunk, one branch to each victim, and the pill with count
 * and loss in the agent's header. Trunks keep apart, pills move sideways, heads keep labels away.
 */
export function drawCascades(d: Drawing): readonly PillBox[] {
  const trunks: number[] = [];
  const pills: PillBox[] = [];
  const hasHeaders = d.input.rows.rows.some((row) => row.kind === 'header');
  const { cascades } = d.input.model;
  const visible = cascades.filter(
    ({ at }) => at >= d.from - FAR / d.input.view.scale && at <= d.until + FAR / d.input.view.scale,
  );
  for (const mark of visible) {
    const culprit = endOf(d, mark.culprit);
    if (culprit === undefined || culprit.isDiamond) continue;
    const trunk = placeTrunk(d, mark, culprit, trunks);
    const pill = placePill(d, mark, trunk, pills);
    const isFocused = d.input.focused === mark;
    // No room for its pill: too crowded for its arrows as well. A legend has no headers and no pills.
    if (pill === undefined && !isFocused && hasHeaders) continue;
    const call = callAt(d.input.model, mark.culprit);
    const start = call.phase === 'queued' || call.run === undefined ? 0 : d.x(call.run.at);
    if (culprit.x - start < LEAST_CULPRIT && !isFocused) {
      if (pill !== undefined) drawPill(d, mark, pill, pills);
      continue;
    }
    drawTree(d, mark, culprit, trunk, pill);
    if (pill !== undefined) drawPill(d, mark, pill, pills);
  }
  return pills;
}

function placeTrunk(d: Drawing, mark: CascadeMark, culprit: End, trunks: number[]): number {
  let x = culprit.x;
  for (const item of mark.victims) {
    const end = endOf(d, item);
    if (end !== undefined && end.x > x && end.x - culprit.x <= FAR) x = end.x;
  }
  let trunk = Math.round(x + REACH) + 0.5;
  while (trunks.some((other) => Math.abs(other - trunk) < TRUNK_GAP)) trunk += TRUNK_STEP;
  trunks.push(trunk);
  return trunk;
}

function drawTree(d: Drawing, mark: CascadeMark, culprit: End, trunk: number, pill: Pill | undefined): void {
  const alpha = d.input.focused === undefined || d.input.focused === mark ? 1 : d.alphaOfRest;
  const ink = 'outcome.error.edge';
  const ends = mark.victims.map((item) => endOf(d, item)).filter((end): end is End => end !== undefined);
  const shown = ends.length > MANY ? ends.filter((end) => d.isVisible(end.row)) : ends;
  const line = (points: readonly number[]): void => d.line('arrows', points, ink, 1.5, alpha, undefined, 4);
  line([culprit.x + 1, culprit.y, trunk, culprit.y]);
  d.add('arrows', { op: 'circle', x: trunk, y: culprit.y, r: 3, fill: ink, stroke: undefined, width: 0, alpha });
  const top = Math.min(culprit.y, pill === undefined ? culprit.y : pill.y + PILL_HEIGHT, ...shown.map((end) => end.y));
  for (const end of shown) {
    const tip = tipOf(end, trunk);
    if (tip === undefined) {
      // It ended long after it was told to stop: the trunk only touches it.
      d.add('arrows', { op: 'circle', x: trunk, y: end.y, r: 2.5, fill: ink, stroke: undefined, width: 0, alpha });
      line([trunk, culprit.y, trunk, end.y]);
      continue;
    }
    const isLowest = end.y > culprit.y && !shown.some((other) => other.y > end.y);
    const isHighest = pill === undefined && end.y < culprit.y && end.y === top;
    const branchEnd = Math.min(tip + HEAD - 1, trunk - 1);
    if (isLowest || isHighest) line([trunk, culprit.y, trunk, end.y, branchEnd, end.y]);
    else line([trunk, end.y, branchEnd, end.y]);
    drawHead(d, tip, end.y, alpha);
    d.block(end.row, tip - 2, trunk + 4);
  }
  if (pill !== undefined) line([trunk, culprit.y, trunk, pill.y + PILL_HEIGHT]);
  blockTrunk(d, trunk, culprit, shown, pill);
}

/** Where the arrow's point stands; undefined when the victim ends right of the trunk. */
function tipOf(end: End, trunk: number): number | undefined {
  const tip = end.x + (end.isDiamond ? DIAMOND + 1.5 : 3.5);
  // The head may stand on the trunk, but not beyond it.
  return tip + HEAD > trunk + 4 ? undefined : tip;
}

function drawHead(d: Drawing, tip: number, y: number, alpha: number): void {
  const half = 3.75;
  d.add('arrows', {
    op: 'polygon',
    points: [tip, y, tip + HEAD + 0.5, y - half, tip + HEAD + 0.5, y + half],
    fill: 'outcome.error.edge',
    stroke: undefined,
    width: 0,
    alpha,
  });
}

/** Labels end before the trunk in every row it crosses. */
function blockTrunk(d: Drawing, trunk: number, culprit: End, ends: readonly End[], pill: Pill | undefined): void {
  const low = Math.max(culprit.y, ...ends.map((end) => end.y));
  const high = pill === undefined ? Math.min(culprit.y, ...ends.map((end) => end.y)) : pill.y;
  for (const row of d.input.rows.rows) {
    const y = d.y(row);
    if (y < low && y + row.height > high) d.block(row, trunk - 6, trunk + 4);
  }
}

type Pill = { readonly x: number; readonly y: number; readonly w: number; readonly text: string };

const pillText = ({ victims, lostMs }: CascadeMark): string => {
  const count = `${formatCount(victims.length)} cancelled`;
  return lostMs < 0.5 ? count : `${count} · ${formatMillis(lostMs)} lost`;
};

/** The pill on its trunk, moved sideways until it is free of others; shorter, then not at all, when there is no room. */
function placePill(d: Drawing, mark: CascadeMark, trunk: number, pills: readonly PillBox[]): Pill | undefined {
  const header = findRow(d.input.rows, 'header', mark.agentId);
  if (header === undefined || trunk < -PILL_SHIFT || trunk > d.width + PILL_SHIFT) return undefined;
  const y = Math.round(d.y(header) + (header.height - PILL_HEIGHT) / 2) + 0.5;
  // What lies ahead is seen right of the playhead only, so the pill of a cascade that is still to come stands there.
  const playheadX = d.input.playhead === undefined ? Number.NEGATIVE_INFINITY : d.x(d.input.playhead);
  const leastX = trunk > playheadX ? Math.max(4, playheadX + PILL_GAP) : 4;
  for (const text of [pillText(mark), formatCount(mark.victims.length)]) {
    const w = Math.ceil(d.measure(text, 'pill') + 2 * PILL_PAD + 15);
    const wanted = Math.min(Math.max(trunk - w / 2, leastX), d.width - w - 4);
    const x = freePlace(wanted, { w, y, mostX: d.width - w - 4 }, pills);
    // The trunk must end under its own pill.
    if (x !== undefined && trunk >= x + 6 && trunk <= x + w - 6) return { x, y, w, text };
  }
  return undefined;
}

type PillPlace = { readonly w: number; readonly y: number; readonly mostX: number };

/** Nearest to where it is wanted, free of the others and inside the chart. */
function freePlace(wanted: number, { w, y, mostX }: PillPlace, pills: readonly PillBox[]): number | undefined {
  const others = pills.filter((pill) => pill.y === y);
  const isFree = (x: number): boolean =>
    others.every((pill) => x + w + PILL_GAP <= pill.x || x >= pill.x + pill.w + PILL_GAP);
  if (isFree(wanted)) return wanted;
  const places = others.flatMap((pill) => [pill.x + pill.w + PILL_GAP, pill.x - w - PILL_GAP]);
  return places
    .filter((x) => x >= 4 && x <= mostX && isFree(x) && Math.abs(x - wanted) <= PILL_SHIFT)
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
}

function drawPill(d: Drawing, mark: CascadeMark, { x, y, w, text }: Pill, pills: PillBox[]): void {
  const isFocused = d.input.focused === mark;
  const alpha = d.input.focused === undefined || isFocused ? 1 : d.alphaOfRest;
  const box = plainBox(x, y, w, PILL_HEIGHT, PILL_HEIGHT / 2);
  d.fill('labels', box, 'surface.base', alpha);
  d.fill('labels', box, 'outcome.error.fill', (isFocused ? 0.4 : 0.2) * alpha);
  d.stroke('labels', box, 'outcome.error.edge', isFocused ? 1.75 : 1.25, alpha);
  const middle = y + PILL_HEIGHT / 2;
  d.icon('labels', 'zap', x + PILL_PAD + 5, middle, 11, 'outcome.error.ink', alpha, 1.4);
  d.text('labels', text, x + PILL_PAD + 15, middle, 'pill', 'outcome.error.ink', alpha);
  pills.push({ culprit: mark.culprit, x, y, w, h: PILL_HEIGHT });
}
