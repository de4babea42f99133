import { positionOf, timeAt } from '../../timeline/axis.ts';
import { formatMoment } from '../../timeline/words.ts';
import { plainBox } from '../display-list.ts';
import { NOW_CLEARANCE } from '../metrics.ts';
import type { Drawing } from './drawing.ts';
import { measuredPill } from './overlay.ts';

/** Steps a ruler may take, in milliseconds. */
const STEPS: readonly number[] = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];
/** Labels stand at least this far apart. */
const LEAST_LABEL_GAP = 62;
const LEAST_MINOR_GAP = 9;
const MINOR_PARTS = [5, 4, 2] as const;

/** The step of the labelled ticks at a scale of so many px a millisecond. */
export const rulerStep = (scale: number): number =>
  STEPS.find((step) => step * scale >= LEAST_LABEL_GAP) ?? (STEPS.at(-1) as number);

/** Parts of a step between two labels; 1 where there is no room for smaller ticks. */
const minorParts = (step: number, scale: number): number =>
  MINOR_PARTS.find((parts) => (step / parts) * scale >= LEAST_MINOR_GAP && Number.isInteger((step * 10) / parts)) ?? 1;

const two = (n: number): string => String(n).padStart(2, '0');

/** A time on the ruler, as exact as the step asks: `0.2 s`, `14 s`, `3:48`, `120 ms`. */
export function relativeLabel(t: number, step: number): string {
  if (t === 0) return '0 s';
  if (step < 100 && t < 1000) return `${step < 1 ? t.toFixed(1) : Math.round(t)} ms`;
  const decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : step >= 1 ? 3 : 4;
  if (t < 60_000) return `${(t / 1000).toFixed(decimals)} s`;
  const seconds = t / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = (seconds % 60).toFixed(decimals).padStart(decimals === 0 ? 2 : 3 + decimals, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The same in wall time. */
export function wallLabel(at: number, step: number): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (step >= 60_000) return time;
  const decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
  const seconds = date.getSeconds() + (at - Math.floor(at / 1000) * 1000) / 1000;
  return `${time}:${seconds.toFixed(decimals).padStart(decimals === 0 ? 2 : 3 + decimals, '0')}`;
}

/** Ticks and their labels. */
export function drawRuler(d: Drawing, height: number): void {
  const { model, view } = d.input;
  d.rect('ground', 0, 0, d.width, height, 'surface.panel');
  if (model.clock === 'order-only') {
    d.text('labels', 'order of events, no times', 8, height / 2, 'ruler', 'text.muted');
    return;
  }
  const step = rulerStep(view.scale);
  const parts = minorParts(step, view.scale);
  const { playhead, showNow } = d.input;
  // One of them at a time: with a playhead there is no label `now`.
  const now = playhead !== undefined ? d.x(playhead) : showNow ? d.x(d.input.now) : Number.POSITIVE_INFINITY;
  const pill = measuredPill(d);
  let free = Number.NEGATIVE_INFINITY;
  for (const { t, isMajor } of ticks(d, step, parts)) {
    const x = Math.round(d.x(t)) + 0.5;
    d.line('ground', [x, height - (isMajor ? 7 : 4), x, height], isMajor ? 'border.control' : 'border.default');
    if (!isMajor) continue;
    const text = d.input.clock === 'wall' ? wallLabel(model.state.startedAt + t, step) : relativeLabel(t, step);
    const left = x + 6;
    const right = left + d.measure(text, 'ruler');
    if (left < Math.max(free, 2) || right > d.width) continue;
    if (right > now - NOW_CLEARANCE && left < now + NOW_CLEARANCE) continue;
    if (pill !== undefined && right > pill.x - 6 && left < pill.x + pill.w + 6) continue;
    d.text('labels', text, left, height / 2 - 1, 'ruler', 'text.muted');
    free = right + 10;
  }
}

/** The labelled ticks go on as lines through all rows. */
export function drawGrid(d: Drawing, top: number, bottom: number): void {
  if (d.input.model.clock === 'order-only') return;
  for (const { t } of ticks(d, rulerStep(d.input.view.scale), 1)) {
    const x = Math.round(d.x(t)) + 0.5;
    d.line('frames', [x, top, x, bottom], 'lane.grid');
  }
}

/** Ticks in view, in the stretches between folds. Wall time counts its round numbers from the local midnight. */
function* ticks(d: Drawing, step: number, parts: number): Iterable<{ readonly t: number; readonly isMajor: boolean }> {
  const { axis, view, model, clock } = d.input;
  const small = step / parts;
  const zone = clock === 'wall' ? wallOffset(model.state.startedAt) % step : 0;
  const from = Math.max(timeAt(axis, view.scale, view.offset - 80), 0);
  const until = timeAt(axis, view.scale, view.offset + d.width);
  let t = Math.ceil((from + zone) / small) * small - zone;
  for (let guard = 0; t <= until && guard < 4000; guard++) {
    const fold = axis.folds.find((one) => one.from <= t && t < one.until);
    if (fold !== undefined) {
      t = Math.ceil((fold.until + zone) / small) * small - zone;
      continue;
    }
    const steps = (t + zone) / step;
    if (t >= 0) yield { t, isMajor: Math.abs(steps - Math.round(steps)) < 1e-6 };
    t = Math.round((t + zone) / small + 1) * small - zone;
  }
}

/** Milliseconds of the day, in the reader's zone, at which the session began. */
const wallOffset = (startedAt: number): number => startedAt - new Date(startedAt).getTimezoneOffset() * 60_000;

const NOW_TEXT = 'now';

/** The line at the live edge, its label in the ruler, and the ground where nothing has happened yet. */
export function drawNow(d: Drawing, rulerHeight: number, bottom: number): void {
  const x = Math.round(d.x(d.input.now)) + 0.5;
  if (x > d.width + 40 || x < -40) return;
  d.line('top', [x, rulerHeight, x, bottom], 'now', 1, 0.75);
  const w = d.measure(NOW_TEXT, 'pill') + 14;
  const h = 15;
  d.fill('top', plainBox(x - w / 2, (rulerHeight - h) / 2, w, h, h / 2), 'now');
  d.text('top', NOW_TEXT, x, rulerHeight / 2, 'pill', 'surface.base', 1, 'center');
}

/** The unknown right of the live edge. */
export function drawFuture(d: Drawing, top: number, bottom: number): void {
  const x = d.x(d.input.now);
  if (x < d.width) d.rect('ground', Math.max(0, x), top, d.width - Math.max(0, x), bottom - top, 'surface.panel', 0.75);
}

/** Where a session begins, when the view shows more to its left. */
export function drawBefore(d: Drawing, top: number, bottom: number): void {
  const start = positionOf(d.input.axis, d.input.view.scale, 0) - d.input.view.offset;
  if (start > 0) d.rect('ground', 0, top, start, bottom - top, 'surface.panel', 0.75);
}

/** The line at the playhead, with its time in the ruler. */
export function drawPlayhead(d: Drawing, rulerHeight: number, bottom: number): void {
  const { playhead, model, clock } = d.input;
  if (playhead === undefined) return;
  const x = Math.round(d.x(playhead)) + 0.5;
  if (x > d.width + 40 || x < -40) return;
  const text = playheadLabel(playhead, model.clock === 'order-only', clock, model.state.startedAt);
  const w = d.measure(text, 'pill') + 14;
  const h = 17;
  const left = Math.max(2, Math.min(x - w / 2, d.width - w - 2));
  d.line('top', [x, rulerHeight - 3, x, bottom], 'focus.ring', 2);
  d.add('top', {
    op: 'polygon',
    points: [x - 5, rulerHeight - 4, x + 5, rulerHeight - 4, x, rulerHeight + 2],
    fill: 'focus.ring',
    stroke: undefined,
    width: 0,
    alpha: 1,
  });
  d.fill('top', plainBox(left, (rulerHeight - h) / 2 - 0.5, w, h, 4), 'focus.ring');
  d.text('top', text, left + w / 2, rulerHeight / 2 - 0.5, 'pill', 'surface.base', 1, 'center');
}

function playheadLabel(t: number, isOrder: boolean, clock: 'from-start' | 'wall', startedAt: number): string {
  if (isOrder) return 'here';
  return clock === 'wall' ? wallLabel(startedAt + t, 10) : formatMoment(t);
}
