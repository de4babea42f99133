import { KIND } from '../../timeline/parts.ts';
import { callAt } from '../../timeline/tracks.ts';
import { callLabel, formatCount } from '../../timeline/words.ts';
import type { Process } from '../../tool-call/state.ts';
import { plainBox } from '../display-list.ts';
import { GAP, OUTSIDE_MAX } from '../metrics.ts';
import { MAX_PROCESSES, type Row } from '../rows.ts';
import { Blocks } from './blocks.ts';
import type { Drawing } from './drawing.ts';
import { eachBar, tinyWidth } from './lane.ts';
import { HOOKS, HUMAN, type Look } from './looks.ts';

const RADIUS = 2.5;
const OVERHANG = 40;
/** Ticks of decisions closer than this are drawn as one. */
const LEAST_TICK_GAP = 2;

type Group = {
  readonly x0: number;
  readonly x1: number;
  readonly from: number;
  readonly items: number[];
  /** How many of them wait still. */
  open: number;
};

/** Questions as bars, overlapping ones as one; decisions nobody was asked for as ticks. */
export function drawPermission(d: Drawing, row: Row): void {
  const h = d.input.rows.metrics.trackBar;
  const y = Math.round(d.y(row) + (row.height - h) / 2);
  drawDecisions(d, y + h / 2);
  const { asks } = d.input.model;
  const groups: { x0: number; x1: number; from: number; items: number[]; open: number }[] = [];
  const last = asks.firstStartingAt(d.until);
  for (let i = asks.firstEndingAfter(d.from); i < last; i++) {
    const x0 = d.x(asks.starts[i] as number);
    const x1 = d.x(asks.ends[i] as number);
    const isOpen = asks.ends[i] === Number.POSITIVE_INFINITY && !d.input.model.isOver;
    const group = groups.at(-1);
    if (group !== undefined && x0 <= group.x1 + 1) {
      group.x1 = Math.max(group.x1, x1);
      group.items.push(asks.items[i] as number);
      group.open += isOpen ? 1 : 0;
    } else
      groups.push({ x0, x1, from: asks.starts[i] as number, items: [asks.items[i] as number], open: isOpen ? 1 : 0 });
  }
  for (const group of groups) drawQuestion(d, group, y, h);
}

/** `3 waiting`, `3 asked`, `3 asked, 1 waiting`. */
const countWords = (all: number, open: number): string =>
  open === all
    ? `${formatCount(all)} waiting`
    : `${formatCount(all)} asked${open === 0 ? '' : `, ${formatCount(open)} waiting`}`;

function drawQuestion(d: Drawing, { x0, x1, items, open }: Group, y: number, h: number): void {
  const isOpen = open > 0;
  const alpha = items.some((item) => d.alphaOf(item) === 1) ? 1 : d.alphaOfRest;
  const w = x1 - x0;
  if (w < 5) {
    d.rect('bars', x0, y, tinyWidth(w), h, HUMAN.edge, alpha);
    return;
  }
  drawTrackBar(d, x0, x1, y, h, HUMAN, alpha, isOpen);
  const left = Math.max(x0, 0) + 4;
  const right = Math.min(x1 - (isOpen ? 3 : 0), d.width) - 4;
  const [first] = items;
  if (first === undefined || right - left < 26) return;
  const call = callAt(d.input.model, first);
  const { tool, argument } = callLabel(call);
  const one = argument === '' ? tool : `${tool} ${argument}`;
  const verdict =
    isOpen || call.permission === undefined ? '' : call.permission.verdict === 'allow' ? ' · allowed' : ' · denied';
  const text = items.length === 1 ? one + verdict : countWords(items.length, open);
  const shown = d.fit(text, 'queue', right - left - 13);
  if (shown === undefined) return;
  const width = d.measure(shown, 'queue');
  d.rect('labels', left - 2, y + 1, Math.min(width + 18, x1 - left + 1), h - 2, HUMAN.fill ?? 'surface.base', alpha);
  d.icon('labels', 'hand', left + 5, y + h / 2, 10, HUMAN.text, alpha, 1.15);
  d.text('labels', shown, left + 13, y + h / 2, 'queue', HUMAN.text, alpha);
}

/** A bar of a track. An open one has no end yet, but an edge that moves. */
export function drawTrackBar(
  d: Drawing,
  x0: number,
  x1: number,
  y: number,
  h: number,
  look: Look,
  alpha: number,
  isOpen: boolean,
): void {
  const left = Math.max(x0, -OVERHANG);
  const box = { ...plainBox(left, y, Math.min(x1, d.width + OVERHANG) - left, h, RADIUS), rr: isOpen ? 0 : RADIUS };
  if (look.fill !== undefined) d.fill('bars', box, look.fill, alpha);
  if (look.texture !== undefined) d.add('bars', { op: 'texture', box, texture: look.texture, anchor: x0, alpha });
  d.stroke('bars', box, look.edge, 1, alpha);
  if (isOpen) d.rect('bars', x1 - 2, y - 1, 2, h + 2, look.edge, alpha);
}

function drawDecisions(d: Drawing, middle: number): void {
  const { decisions } = d.input.model;
  const rects: number[] = [];
  const denied: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const end = decisions.firstStartingAt(d.until);
  for (let i = decisions.firstStartingAt(d.from); i < end; ) {
    const x = Math.round(d.x(decisions.starts[i] as number));
    const isDenial = decisions.kinds[i] === KIND.error;
    if (isDenial || x - last >= LEAST_TICK_GAP) {
      (isDenial ? denied : rects).push(x, middle - (isDenial ? 4.5 : 3), isDenial ? 2 : 1.5, isDenial ? 9 : 6);
      last = x;
    }
    // Thousands of decisions in a view: go on at the next px.
    i = end - i > d.width * 4 && !isDenial ? decisions.firstStartingAt(d.timeOf(x + LEAST_TICK_GAP), i + 1) : i + 1;
  }
  d.add('bars', { op: 'blocks', rects, ink: 'text.muted', alpha: d.alphaOfRest * 0.8 });
  d.add('errors', { op: 'blocks', rects: denied, ink: 'outcome.error.edge', alpha: d.alphaOfRest });
}

const baseName = (command: string): string => {
  const program = command.trim().split(/\s+/, 1)[0] ?? command;
  return program.slice(program.lastIndexOf('/') + 1) || command;
};

/** Hook programs, named by their file where there is room at their right. */
export function drawHooks(d: Drawing, row: Row): void {
  const h = d.input.rows.metrics.trackBar;
  const y = Math.round(d.y(row) + (row.height - h) / 2);
  const { hooks, state } = d.input.model;
  const blocks = new Blocks();
  const right = d.input.showNow ? d.x(d.input.now) - GAP.label : d.width;
  eachBar(d, hooks, {
    single: (i, x0, x1, next) => {
      drawTrackBar(
        d,
        x0,
        x1,
        y,
        h,
        HOOKS,
        d.alphaOfRest,
        hooks.ends[i] === Number.POSITIVE_INFINITY && !d.input.model.isOver,
      );
      const run = state.hookRuns[hooks.items[i] as number];
      if (run === undefined) return;
      const limit = Math.min(next - GAP.label, x1 + 6 + OUTSIDE_MAX, d.width, x1 < right ? right : d.width);
      d.fittedText(
        'labels',
        baseName(run.command),
        x1 + 5,
        y + h / 2,
        limit - x1 - 5,
        'queue',
        'text.secondary',
        d.alphaOfRest,
      );
    },
    tiny: (_, x0, x1) => blocks.add(HOOKS.edge, x0, y, tinyWidth(x1 - x0), h),
    merged: (_from, _until, x, w, share) => {
      const height = Math.max(1, Math.round(h * share));
      blocks.add(HOOKS.edge, x, y + h - height, w, height);
    },
  });
  blocks.draw(d, d.alphaOfRest);
}

/** One process of the selected call a row. */
export function drawProcess(d: Drawing, row: Row): void {
  const track = d.input.model.processes;
  const process = track?.call.processes[row.index];
  if (track === undefined || process === undefined) return;
  const h = d.input.rows.metrics.trackBar;
  const y = Math.round(d.y(row) + (row.height - h) / 2);
  const rest = track.call.processes.length - MAX_PROCESSES;
  if (row.index === MAX_PROCESSES - 1 && rest > 0) {
    d.text(
      'labels',
      `+${formatCount(rest + 1)} more processes`,
      6,
      y + h / 2,
      'queue',
      'text.secondary',
      d.alphaOfRest,
    );
    return;
  }
  drawOneProcess(d, process, y, h);
}

function drawOneProcess(d: Drawing, process: Process, y: number, h: number): void {
  const isOpen = process.until === undefined && !d.input.model.isOver;
  const x0 = d.x(process.from);
  const x1 = Math.max(x0 + 3, d.x(process.until ?? d.input.now));
  if (x1 < -OVERHANG || x0 > d.width + OVERHANG) return;
  const left = Math.max(x0, -OVERHANG);
  const box = { ...plainBox(left, y, Math.min(x1, d.width + OVERHANG) - left, h, RADIUS), rr: isOpen ? 0 : RADIUS };
  d.fill('bars', box, 'surface.raised');
  const failed = (process.code ?? 0) !== 0 || process.signal !== undefined;
  d.stroke('bars', box, failed ? 'outcome.error.edge' : 'border.control');
  if (isOpen) d.rect('bars', x1 - 2, y - 1, 2, h + 2, 'text.secondary');
  const textLeft = Math.max(x0, 0) + 5;
  d.fittedText(
    'labels',
    process.command,
    textLeft,
    y + h / 2,
    Math.min(x1, d.width) - 5 - textLeft,
    'mono',
    'text.secondary',
  );
}
