import { tokens } from '../../theme/tokens.ts';
import type { AgentTrack } from '../../timeline/tracks.ts';
import { plainBox } from '../display-list.ts';
import { DETAIL, GAP } from '../metrics.ts';
import { findRow, type Row } from '../rows.ts';
import type { Drawing } from './drawing.ts';

const LABEL_INSET = 10;
/** Second line of an exclusive frame, inside. */
const INNER = 3;
/** A frame narrower than this on screen says nothing a bar does not. */
const LEAST_FRAME = 10;
const TINT = 0.05;
/** An open frame goes on a little beyond the live edge. */
const OPEN_REACH = 6;

/**
 * The dashed frame of its attempt stands for a batch of which nothing was used. Where it starts tells: its end is told of
 * a moment after that of its calls.
 */
const isThrownAway = (agent: AgentTrack, from: number): boolean =>
  agent.attempts.some((attempt) => attempt.from <= from && from <= attempt.until);

type FramePlace = {
  readonly strip: Row;
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
  readonly isOpen: boolean;
};

/** The frames of an agent's batches: what ran side by side, and what had the lock for itself. */
export function drawFrames(d: Drawing, agent: AgentTrack): void {
  const strip = findRow(d.input.rows, 'strip', agent.agentId);
  if (strip === undefined) return;
  const { frames } = agent;
  const { model, now } = d.input;
  // First, so that the label of what was thrown away is the one that stays.
  drawAttempts(d, agent, strip);
  const visible = frames.firstStartingAt(d.until);
  const first = frames.firstEndingAfter(d.from);
  // Far more frames than pixels: none of them would be wide enough.
  if (visible - first > d.width / 2) return;
  for (let i = first; i < visible; i++) {
    const { firstLane, lastLane, count } = model.frameOf(frames.items[i] as number);
    const isExclusive = frames.kinds[i] === 1;
    if (!isExclusive && count < 2) continue;
    if (isThrownAway(agent, frames.starts[i] as number)) continue;
    const isOpen = frames.ends[i] === Number.POSITIVE_INFINITY;
    const x0 = d.x(frames.starts[i] as number) - GAP.frame;
    const x1 = d.x(isOpen ? now : (frames.ends[i] as number)) + (isOpen ? OPEN_REACH : GAP.frame);
    if (x1 - x0 < LEAST_FRAME || lastLane < firstLane) continue;
    const lane = findRow(d.input.rows, 'lane', agent.agentId, lastLane);
    if (lane === undefined) continue;
    const place: FramePlace = {
      strip,
      x0: Math.max(x0, -30),
      x1: Math.min(x1, d.width + 30),
      top: Math.round(d.y(strip) + strip.height / 2) + 0.5,
      bottom: Math.round(d.y(lane) + lane.height + 1.5) - 0.5,
      isOpen,
    };
    if (isExclusive) drawExclusive(d, place);
    else drawSafe(d, place, `safe ×${count}`);
  }
}

function drawSafe(d: Drawing, place: FramePlace, label: string): void {
  const { x0, x1, top, bottom, isOpen } = place;
  const radius = tokens.radius.frame;
  const alpha = d.alphaOfRest;
  const box = { ...plainBox(x0, top, x1 - x0, bottom - top, radius), rr: isOpen ? 0 : radius };
  d.fill('frames', box, 'text.primary', TINT * alpha);
  if (isOpen) {
    // No right side yet: more calls may join.
    d.line('frames', [x1, top, x0, top, x0, bottom, x1, bottom], 'lane.frame.safe', 1, alpha, undefined, radius);
  } else
    d.stroke(
      'frames',
      { ...box, x: x0 - 0.5, w: x1 - x0 + 1, y: top - 0.5, h: bottom - top + 1 },
      'lane.frame.safe',
      1,
      alpha,
    );
  drawFrameLabel(d, label, place, false);
}

function drawExclusive(d: Drawing, place: FramePlace): void {
  const { x0, x1, top, bottom, isOpen } = place;
  const alpha = d.alphaOfRest;
  const ink = 'lane.frame.exclusive';
  d.fill('frames', plainBox(x0, top, x1 - x0, bottom - top), 'text.primary', TINT * alpha);
  const width = tokens.border.frameExclusive;
  const points = isOpen
    ? [x1, top, x0, top, x0, bottom, x1, bottom]
    : [x1, top, x0, top, x0, bottom, x1, bottom, x1, top - width / 2];
  d.line('frames', points, ink, width, alpha);
  d.line('frames', [x0 + INNER, top, x0 + INNER, bottom], ink, 1, alpha);
  if (!isOpen) d.line('frames', [x1 - INNER, top, x1 - INNER, bottom], ink, 1, alpha);
  drawFrameLabel(d, 'exclusive', place, true);
}

/** The label on the frame's top edge; too narrow, the lock alone or nothing. It stays in view with its frame. */
function drawFrameLabel(d: Drawing, label: string, { strip, x0, x1, top }: FramePlace, isExclusive: boolean): void {
  const alpha = d.alphaOfRest;
  const icon = isExclusive ? 14 : 0;
  const left = Math.max(x0, 0) + LABEL_INSET;
  const right = left + icon + d.measure(label, 'micro');
  if (right + 4 <= Math.min(x1, d.width) - 6 && d.limitOf(strip, left - 3, right + 3) >= right + 3) {
    d.block(strip, left - 3, right + 3);
    d.rect('labels', left - 3, top - 6, right - left + 6, 12, 'surface.base', alpha);
    if (isExclusive) d.icon('labels', 'lock', left + 5, top - 0.5, 10, 'text.secondary', alpha);
    d.text('labels', label, left + icon, top, 'micro', isExclusive ? 'text.secondary' : 'text.muted', alpha);
    return;
  }
  if (!isExclusive || x1 - x0 < DETAIL.shape + 2 || x0 < -4 || x1 > d.width + 4) return;
  const middle = (x0 + x1) / 2;
  d.rect('labels', middle - 6, top - 6, 12, 12, 'surface.base', alpha);
  d.icon('labels', 'lock', middle, top - 0.5, 10, 'text.secondary', alpha);
}

/** A thrown away attempt keeps a dashed frame around what it had run. */
function drawAttempts(d: Drawing, agent: AgentTrack, strip: Row): void {
  for (const { from, until, lastLane } of agent.attempts) {
    if (until < d.from || from > d.until) continue;
    const lane = findRow(d.input.rows, 'lane', agent.agentId, lastLane);
    if (lane === undefined) continue;
    const x0 = Math.max(d.x(from) - GAP.frame - 2, -30);
    const x1 = Math.min(d.x(until) + GAP.frame + 2, d.width + 30);
    const top = Math.round(d.y(strip) + strip.height / 2) + 0.5;
    const bottom = Math.round(d.y(lane) + lane.height + 1.5) - 0.5;
    const box = plainBox(x0 - 0.5, top - 0.5, x1 - x0 + 1, bottom - top + 1, tokens.radius.frame);
    d.stroke('frames', box, 'outcome.unknown.edge', 1, d.alphaOfRest, [4, 3]);
    drawFrameLabel(d, 'discarded attempt', { strip, x0, x1, top, bottom, isOpen: false }, false);
  }
}
