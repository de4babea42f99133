import type { ColorName } from '../../theme/tokens.ts';
import { isEnded, KIND } from '../../timeline/parts.ts';
import { type AgentTrack, callAt, type Overflow } from '../../timeline/tracks.ts';
import { callLabel, formatCount } from '../../timeline/words.ts';
import type { ToolCall } from '../../tool-call/state.ts';
import { type Box, plainBox } from '../display-list.ts';
import type { IconName } from '../icons.ts';
import { DETAIL, GAP } from '../metrics.ts';
import { findRow, type Row } from '../rows.ts';
import { Blocks, ofAlpha } from './blocks.ts';
import { detailOf } from './detail.ts';
import { DIMMED, type Drawing } from './drawing.ts';
import { eachBar, tinyWidth } from './lane.ts';
import { inkOfKind, type Look, QUEUED, queueLook } from './looks.ts';

const RADIUS = 2;
const OVERHANG = 40;
/** Half the height of the diamond of a call that never started. */
export const DIAMOND = 5.5;

/** One packed line of waiting calls. */
export function drawQueueLine(d: Drawing, row: Row, agent: AgentTrack): void {
  const columns = agent.queue.lines[row.index];
  if (columns === undefined) return;
  const h = d.input.rows.metrics.queueBar;
  const y = Math.round((d.y(row) + (row.height - h) / 2) * 2) / 2;
  const blocks = { lit: new Blocks(), dimmed: new Blocks() };
  eachBar(d, columns, {
    single: (i, x0, x1, next) => {
      drawWait(d, { row, item: columns.items[i] as number, x0, x1, y, h, next });
      drawDrop(d, agent, columns.items[i] as number, x1, y + h);
      ringWaiting(d, columns.items[i] as number, x0, x1, y, h);
    },
    tiny: (i, x0, x1) => {
      const item = columns.items[i] as number;
      ofAlpha(blocks, d.alphaOf(item)).add(inkOfKind(columns.kinds[i] as number), x0, y, tinyWidth(x1 - x0), h);
      if (callAt(d.input.model, item).phase !== 'queued' && (columns.kinds[i] as number) >= KIND.human)
        drawDiamond(d, item, x1, y + h / 2);
    },
    merged: (from, until, x, w, share) => {
      const height = Math.max(2, Math.round(h * share));
      const alpha = d.alphaOfSeveral(columns, from, until);
      ofAlpha(blocks, alpha).add(inkOfKind(columns.worstKind(from, until)), x, y + h - height, w, height);
    },
  });
  blocks.dimmed.draw(d, DIMMED);
  blocks.lit.draw(d, 1);
}

/** A wait is ringed only where the call has no bar in a lane: one ring a call. */
function ringWaiting(d: Drawing, item: number, x0: number, x1: number, y: number, h: number): void {
  const call = callAt(d.input.model, item);
  if (call.phase === 'queued' || call.run === undefined) d.ringFound(item, x0, x1, y, h);
}

type WaitPlace = {
  readonly row: Row;
  readonly item: number;
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly h: number;
  readonly next: number;
};

function drawWait(d: Drawing, place: WaitPlace): void {
  const { item, y, h } = place;
  const call = callAt(d.input.model, item);
  const detail = detailOf(call, d.input.model.isOver);
  const alpha = d.alphaOf(item);
  const left = Math.max(place.x0, -OVERHANG);
  const right = Math.min(place.x1, d.width + OVERHANG);
  let label: { x0: number; x1: number; look: Look } | undefined;
  let outline: Look = QUEUED;
  let at = place.x0;
  const parts = detail.queue;
  for (const [i, part] of parts.entries()) {
    const x0 = at;
    const x1 = i === parts.length - 1 ? place.x1 : Math.min(place.x1, d.x(part.until ?? d.input.now));
    if (x1 - x0 < 2 && i < parts.length - 1) continue;
    at = x1;
    const look = queueLook(part.kind);
    outline = look;
    const box: Box = {
      x: Math.max(x0, left),
      y,
      w: Math.min(x1, right) - Math.max(x0, left),
      h,
      rl: x0 === place.x0 ? RADIUS : 0,
      rr: x1 === place.x1 ? RADIUS : 0,
      end: 'plain',
    };
    if (box.w <= 0) continue;
    if (look.fill !== undefined) d.fill('waits', box, look.fill, alpha);
    if (look.texture !== undefined && box.w >= 4)
      d.add('waits', { op: 'texture', box, texture: look.texture, anchor: place.x0, alpha });
    d.stroke('waits', box, look.edge, 1, alpha);
    const visible = Math.min(x1, d.width) - Math.max(x0, 0);
    if (visible > 0 && (label === undefined || visible > label.x1 - label.x0)) {
      label = { x0: Math.max(x0, 0), x1: Math.min(x1, d.width), look };
    }
  }
  const room = drawWaitEnd(d, call, place, outline, alpha);
  if (label !== undefined) drawWaitLabel(d, call, place, label, room, alpha);
}

/** The right end of a wait: a diamond where the call never started, a bright edge while it still waits. */
function drawWaitEnd(d: Drawing, call: ToolCall, { item, x1, y, h }: WaitPlace, look: Look, alpha: number): number {
  if (isEnded(call) && call.run === undefined) {
    drawDiamond(d, item, x1, y + h / 2);
    return DIAMOND + 2;
  }
  if (call.phase !== 'queued') return 0;
  if (d.input.model.isOver) return 0;
  d.rect('waits', x1 - 2, y - 1, 2, h + 2, look.edge, alpha);
  return 3;
}

const DIAMOND_INK: Readonly<Record<number, ColorName>> = {
  [KIND.error]: 'outcome.error.edge',
  [KIND.cancelled]: 'outcome.error.edge',
  [KIND.human]: 'outcome.human.edge',
};

function drawDiamond(d: Drawing, item: number, x: number, y: number): void {
  const call = callAt(d.input.model, item);
  const outcome = isEnded(call) ? call.end.outcome : 'unknown';
  const kind =
    outcome === 'cancelled'
      ? KIND.cancelled
      : outcome === 'error' || outcome === 'denied'
        ? KIND.error
        : outcome === 'interrupted' || outcome === 'rejected'
          ? KIND.human
          : KIND.unknown;
  const ink = DIAMOND_INK[kind] ?? 'outcome.unknown.edge';
  d.add('bars', {
    op: 'polygon',
    points: [x - DIAMOND, y, x, y - DIAMOND, x + DIAMOND, y, x, y + DIAMOND],
    fill: 'surface.base',
    stroke: ink,
    width: 1.5,
    alpha: d.alphaOf(item),
  });
}

/** What waits, or why: the lock is the usual reason and gets its sign. */
function drawWaitLabel(
  d: Drawing,
  call: ToolCall,
  place: WaitPlace,
  label: { x0: number; x1: number; look: Look },
  room: number,
  alpha: number,
): void {
  const { y, h } = place;
  const right = (label.x1 >= place.x1 ? place.x1 - room : label.x1) - 4;
  const left = label.x0 + 5;
  if (place.x1 - place.x0 < DETAIL.argument || right - left < 24) return;
  const middle = y + h / 2;
  const icon: IconName | undefined =
    label.look.texture === 'lock' ? 'lock' : label.look === QUEUED ? undefined : 'pause';
  const textLeft = icon === undefined ? left : left + 11;
  const { tool, argument } = callLabel(call);
  const text = d.fit(argument === '' ? tool : `${tool} ${argument}`, 'queue', right - textLeft);
  if (text === undefined) return;
  const width = d.measure(text, 'queue');
  // Drop lines of the waits above pass through here; the plate keeps them off the words.
  const plate = Math.max(label.x0 + 1, left - 2);
  const plateEnd = Math.min(textLeft + width + 4, label.x1 - 1);
  d.rect('labels', plate, y + 1, plateEnd - plate, h - 2, label.look.fill ?? 'surface.base', alpha);
  if (icon !== undefined) d.icon('labels', icon, left + 4, middle, 8.5, label.look.text, alpha, 1.1);
  d.text('labels', text, textLeft, middle, 'queue', label.look.text, alpha);
}

/** The thin line from the end of the wait down to the bar it became. */
function drawDrop(d: Drawing, agent: AgentTrack, item: number, x: number, y: number): void {
  const call = callAt(d.input.model, item);
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run === undefined || x < -2 || x > d.width + 2) return;
  const lane = findRow(d.input.rows, 'lane', agent.agentId, run.lane);
  if (lane === undefined) return;
  const last = detailOf(call, d.input.model.isOver).queue.at(-1);
  const bar = agent.isMain ? d.input.rows.metrics.bar : d.input.rows.metrics.subBar;
  const bottom = d.y(lane) + (lane.height - bar) / 2 + 1;
  const edge = last === undefined ? QUEUED.edge : queueLook(last.kind).edge;
  const snapped = Math.round(x - 0.5) + 0.5;
  d.line('drops', [snapped, y, snapped, bottom], edge, 1, d.alphaOf(item));
}

/** `+7 more`, where the lines are full. */
export function drawOverflow(d: Drawing, row: Row, overflow: readonly Overflow[]): void {
  const y = d.y(row) + row.height / 2;
  let free = 0;
  for (const { from, until, count } of overflow) {
    if (from > d.until || until < d.from) continue;
    const x0 = Math.max(d.x(from), 0, free);
    const x1 = Math.min(d.x(until), d.width);
    const text = `+${formatCount(count)} more`;
    const width = d.measure(text, 'queue');
    if (x1 - x0 < 8) continue;
    d.line('bars', [Math.max(d.x(from), -8), y + 5, x1, y + 5], 'wait.queued', 1, d.alphaOfRest, [1.5, 3]);
    if (x0 + width + 4 > d.width) continue;
    d.rect('labels', x0, y - 6, width + 4, 10, 'surface.base', d.alphaOfRest);
    d.text('labels', text, x0 + 2, y - 1, 'queue', 'text.secondary', d.alphaOfRest);
    free = x0 + width + GAP.label;
  }
}

/** A folded queue: how many waited, as a stepped line. */
export function drawDepth(d: Drawing, row: Row, agent: AgentTrack): void {
  const { all } = agent.queue;
  const changes: { readonly t: number; readonly by: number }[] = [];
  for (let i = all.firstEndingAfter(d.from); i < all.length && (all.starts[i] as number) < d.until; i++) {
    changes.push({ t: all.starts[i] as number, by: 1 }, { t: Math.min(all.ends[i] as number, d.input.now), by: -1 });
  }
  changes.sort((a, b) => a.t - b.t || a.by - b.by);
  let depth = 0;
  let most = 1;
  for (const { by } of changes) {
    depth += by;
    most = Math.max(most, depth);
  }
  const bottom = d.y(row) + row.height - 2;
  const step = (row.height - 4) / most;
  const points: number[] = [];
  depth = 0;
  for (const { t, by } of changes) {
    const x = d.x(t);
    points.push(x, bottom - depth * step);
    depth += by;
    points.push(x, bottom - depth * step);
  }
  if (points.length > 0) d.line('bars', points, 'wait.lock.edge', 1.25, d.alphaOfRest);
  d.stroke('bars', plainBox(0, bottom, d.width, 0.5), 'border.subtle', 0.5, 1);
}
