import type { ModelRequest } from '../../session/state.ts';
import type { ColorName } from '../../theme/tokens.ts';
import type { BarColumns } from '../../timeline/bars.ts';
import { KIND } from '../../timeline/parts.ts';
import { formatCount, formatMillis } from '../../timeline/words.ts';
import { type Box, plainBox } from '../display-list.ts';
import { GAP } from '../metrics.ts';
import { Blocks } from './blocks.ts';
import type { Drawing } from './drawing.ts';
import { eachBar, tinyWidth } from './lane.ts';

const RADIUS = 3;
const OVERHANG = 40;
const TICK = 3;
/** A wait shorter than its words and so much of its line has the line alone. */
const LEAST_DASHES = 12;
/** Block ticks closer than this would be a smear. */
const LEAST_TICK_GAP = 3;

/** Requests to the model: empty until the first block arrived, filled while it streams, a tick per block. */
export function drawRequests(
  d: Drawing,
  columns: BarColumns,
  rowTop: number,
  rowHeight: number,
  barHeight: number,
): void {
  const y = Math.round(rowTop + (rowHeight - barHeight) / 2);
  const blocks = new Blocks();
  const inkOf = (kind: number): ColorName => (kind === KIND.error ? 'outcome.error.edge' : 'model.edge');
  eachBar(d, columns, {
    single: (i, x0, x1, next) => {
      const index = columns.items[i] as number;
      const request = d.input.model.state.requests[index];
      if (request !== undefined) drawRequest(d, request, index, { x0, x1, y, h: barHeight, next });
    },
    tiny: (i, x0, x1) => blocks.add(inkOf(columns.kinds[i] as number), x0, y, tinyWidth(x1 - x0), barHeight),
    merged: (from, until, x, w, share) => {
      const height = Math.max(1, Math.round(barHeight * share));
      blocks.add(inkOf(columns.worstKind(from, until)), x, y + barHeight - height, w, height);
    },
  });
  blocks.draw(d, d.alphaOfRest);
}

type RequestPlace = {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly h: number;
  readonly next: number;
};

function drawRequest(d: Drawing, request: ModelRequest, index: number, place: RequestPlace): void {
  const { y, h } = place;
  const alpha = d.alphaOfRest;
  const x0 = Math.max(place.x0, -OVERHANG);
  const x1 = Math.min(place.x1, d.width + OVERHANG);
  const isFailed = request.end?.kind === 'failed';
  const edge: ColorName = isFailed ? 'outcome.error.edge' : 'model.edge';
  const isOpen = request.end === undefined && !d.input.model.isOver;
  const first = request.firstBlockAt === undefined ? place.x1 : Math.min(place.x1, d.x(request.firstBlockAt));
  const box: Box = {
    x: x0,
    y,
    w: x1 - x0,
    h,
    rl: RADIUS,
    rr: isOpen ? 0 : RADIUS,
    end: request.end === undefined && !isOpen ? 'torn' : 'plain',
  };
  const streamed = Math.max(first, x0);
  if (x1 > streamed)
    d.fill(
      'bars',
      { ...box, x: streamed, w: x1 - streamed, rl: first <= place.x0 + 1 ? RADIUS : 0 },
      'model.fill',
      alpha,
    );
  d.stroke('bars', box, edge, 1, alpha);
  if (first > x0 + 1 && first < x1 - 1) d.rect('bars', first - 0.5, y + 0.5, 1, h - 1, edge, alpha);
  drawTicks(d, request, y + h, place, alpha);
  if (isOpen) d.rect('bars', x1 - 2, y - 1, 2, h + 2, 'model.edge', alpha);
  const room = isFailed ? drawCross(d, x1, y, h, alpha) : isOpen ? 3 : 0;
  drawRequestLabel(d, request, index, place, { streamed: first, room }, alpha);
  drawRetry(d, request, place, alpha);
}

function drawTicks(d: Drawing, request: ModelRequest, bottom: number, { x0, x1 }: RequestPlace, alpha: number): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const t of request.blockTimes) {
    if (t < d.from || t > d.until) continue;
    const x = d.x(t);
    if (x - last < LEAST_TICK_GAP || x < x0 + 1 || x > x1 - 1) continue;
    last = x;
    d.rect('bars', Math.round(x), bottom - 1 - TICK, 1, TICK, 'model.text', alpha);
  }
}

function drawCross(d: Drawing, x1: number, y: number, h: number, alpha: number): number {
  d.fill('bars', { ...plainBox(x1 - h, y, h, h), rr: RADIUS }, 'outcome.error.edge', alpha);
  d.icon('bars', 'cross', x1 - h / 2, y + h / 2, 9, 'surface.base', alpha, 1.7);
  return h;
}

/** `request 4`, `request 4 · try 2`, in the streaming part, else in the waiting part, never across the line between. */
function drawRequestLabel(
  d: Drawing,
  request: ModelRequest,
  index: number,
  { x0, x1, y, h }: RequestPlace,
  { streamed, room }: { streamed: number; room: number },
  alpha: number,
): void {
  const number = formatCount(d.input.model.requestNumbers[index] ?? index + 1);
  const name = request.purpose === 'compact' ? 'compact' : `request ${number}`;
  const texts = request.attempt > 1 ? [`${name} · try ${request.attempt}`, `try ${request.attempt}`] : [name];
  const grounds = [
    { left: streamed, right: x1 - room },
    { left: x0, right: Math.min(streamed, x1 - room) },
  ];
  for (const text of texts) {
    const width = d.measure(text, 'bar');
    for (const ground of grounds) {
      const left = Math.max(ground.left, 0) + GAP.inside;
      if (left + width > Math.min(ground.right, d.width) - 5) continue;
      d.text('labels', text, left, y + h / 2 - 1, 'bar', 'model.text', alpha);
      return;
    }
  }
}

/** The wait before the next try, as a dashed line with its length. Who stopped the turn has ended the wait too. */
function drawRetry(d: Drawing, request: ModelRequest, { x1, y, h, next }: RequestPlace, alpha: number): void {
  if (request.end?.kind !== 'failed' || request.end.retryInMs === undefined) return;
  const turnEnd = d.input.model.state.turns.findLast(({ turnId }) => turnId === request.turnId)?.end?.at;
  const planned = request.end.at + request.end.retryInMs;
  const waited = Math.min(planned, turnEnd ?? planned);
  const until = Math.min(next, d.x(waited), d.width + OVERHANG);
  const middle = y + h / 2;
  if (until - x1 < 4) return;
  const text = `retry in ${formatMillis(request.end.retryInMs)}`;
  const width = d.measure(text, 'micro');
  const left = Math.max(x1, 0) + GAP.inside;
  const hasRoom = left + width + GAP.inside + LEAST_DASHES <= Math.min(until, d.width);
  const from = hasRoom ? left + width + GAP.inside : x1 + 2;
  d.line('bars', [from, middle, until - 1, middle], 'model.edge', 1, alpha, [3, 3]);
  if (hasRoom) d.text('labels', text, left, middle, 'micro', 'text.muted', alpha);
}
