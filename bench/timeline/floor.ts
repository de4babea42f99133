import type { Stretch } from '../../src-shared/chart/viewport.ts';
import type { LaneColumns } from './calls.ts';
import { type Contender, contextOf, HEIGHT, WIDTH } from './contender.ts';

const ROW = 25;
const BAR = 18;
/** Bars under this many px share the pixels of one row. */
const WIDE = 4;
const COLORS = ['#3B6FD4', '#8A93A6', '#C9922E', '#8B5CF6', '#D06A5C', '#E5484D'] as const;

type Lane = LaneColumns & {
  /** `counts[k][i]`: bars of kind k before bar i. */
  readonly counts: readonly Uint32Array[];
  readonly row: HTMLCanvasElement;
  readonly rowCtx: CanvasRenderingContext2D;
};

/**
 * The least a chart of lanes has to do (spec 7.4): culls by binary search over columns sorted by start, paints bars
 * under 4 px into one pixel row per lane, the worst outcome found by prefix counts, blits that row with one scaled
 * draw, and draws wider bars as rectangles with labels.
 */
export function floor(): Contender {
  let ctx: CanvasRenderingContext2D | undefined;
  let lanes: readonly Lane[] = [];
  const image = new ImageData(WIDTH, 1);
  const pixels = new Uint32Array(image.data.buffer);
  const inks = COLORS.map(pixelOf);

  const show = (stretch: Stretch): void => {
    if (ctx === undefined) return;
    ctx.fillStyle = '#0E1014';
    ctx.fillRect(0, 0, WIDTH, HEIGHT);
    ctx.imageSmoothingEnabled = false;
    for (const [index, lane] of lanes.entries()) drawLane(ctx, lane, index * ROW, stretch);
  };

  const drawLane = (to: CanvasRenderingContext2D, lane: Lane, y: number, { from, until }: Stretch): void => {
    const { starts, ends, kinds, counts, names } = lane;
    const scale = WIDTH / (until - from);
    pixels.fill(0);
    const wide: number[] = [];
    const last = firstAtOrAfter(starts, until, 0);
    let i = Math.max(0, firstAtOrAfter(ends, from, 0));
    let painted = false;
    while (i < last) {
      const x = ((starts[i] as number) - from) * scale;
      const w = ((ends[i] as number) - (starts[i] as number)) * scale;
      if (w >= WIDE) {
        wide.push(i++);
        continue;
      }
      const px = Math.max(0, Math.floor(x));
      let j = i + 1;
      if (j < last && ((starts[j] as number) - from) * scale < px + 1)
        j = firstAtOrAfter(starts, from + (px + 1) / scale, j);
      let worst = COLORS.length - 1;
      while (worst > 0 && counts[worst]?.[j] === counts[worst]?.[i]) worst--;
      const right = Math.min(WIDTH, Math.max(px + 1, Math.ceil(((ends[j - 1] as number) - from) * scale)));
      for (let at = px; at < right; at++) pixels[at] = inks[worst] as number;
      painted = true;
      i = j;
    }
    if (painted) {
      lane.rowCtx.putImageData(image, 0, 0);
      to.drawImage(lane.row, 0, 0, WIDTH, 1, 0, y, WIDTH, BAR);
    }
    for (const bar of wide) {
      const x = ((starts[bar] as number) - from) * scale;
      const w = ((ends[bar] as number) - (starts[bar] as number)) * scale;
      to.fillStyle = COLORS[kinds[bar] as number] ?? COLORS[0];
      to.fillRect(x, y, w, BAR);
      const letters = Math.floor((w - 8) / 7);
      if (letters < 3) continue;
      to.fillStyle = '#FFFFFF';
      to.fillText((names[bar] ?? '').slice(0, letters), Math.max(x, 0) + 4, y + 13);
    }
  };

  return {
    open: (calls, canvas) => {
      ctx = contextOf(canvas);
      ctx.font = '11px sans-serif';
      lanes = calls.lanes.map(prepare);
      show({ from: 0, until: calls.until });
    },
    isWhole: () => true,
    show,
  };
}

function prepare(lane: LaneColumns): Lane {
  const counts = COLORS.map(() => new Uint32Array(lane.starts.length + 1));
  for (const [kind, table] of counts.entries()) {
    for (let i = 0; i < lane.kinds.length; i++) table[i + 1] = (table[i] as number) + (lane.kinds[i] === kind ? 1 : 0);
  }
  const row = document.createElement('canvas');
  row.width = WIDTH;
  row.height = 1;
  const rowCtx = row.getContext('2d');
  if (rowCtx === null) throw new Error('This window cannot draw on a canvas.');
  return { ...lane, counts, row, rowCtx };
}

/** Index of the first number that is `least` or more, from `from` on. */
function firstAtOrAfter(sorted: Float64Array, least: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A colour as a pixel of image data, which is stored as red, green, blue, opacity. */
function pixelOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return ((255 << 24) | ((blue ?? 0) << 16) | ((green ?? 0) << 8) | (red ?? 0)) >>> 0;
}
