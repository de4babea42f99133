import type { Box, Op } from '../../src-shared/chart/display-list.ts';
import { FONTS } from '../../src-shared/chart/fonts.ts';
import { ICONS, type IconName, pathData } from '../../src-shared/chart/icons.ts';
import { SLANT } from '../../src-shared/chart/layout/bar-end.ts';
import { FAINT } from '../../src-shared/chart/layout/drawing.ts';
import type { Scene } from '../../src-shared/chart/layout.ts';
import { type Palette, withAlpha } from '../../src-shared/chart/palette.ts';
import type { Textures } from './textures.ts';

/** What a picture is painted with. */
export type Paints = {
  readonly palette: Palette;
  readonly textures: Textures;
  readonly iconPath: (icon: IconName) => Path2D;
  readonly matrix: (dx: number, dy: number, scale: number) => DOMMatrix2DInit;
};

const paths = new Map<IconName, Path2D>();

/** Path data as `Path2D`, made once per icon. */
export function iconPath(icon: IconName): Path2D {
  let path = paths.get(icon);
  if (path === undefined) {
    path = new Path2D();
    for (const data of pathData(ICONS[icon])) path.addPath(new Path2D(data));
    paths.set(icon, path);
  }
  return path;
}

type Context = CanvasRenderingContext2D;

/** Middle of the capitals of Inter and JetBrains Mono above the base line, in em. */
const CAP_MIDDLE = 0.364;
const TOOTH = 4;

/** Paints a whole picture: ground, scrolled rows below the fixed part, the fixed part, and what lies over all. */
export function paint(
  ctx: Context,
  scene: Scene,
  size: { readonly width: number; readonly height: number },
  paints: Paints,
): void {
  ctx.clearRect(0, 0, size.width, size.height);
  paintOps(ctx, scene.ground, paints);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.fixedHeight, size.width, size.height - scene.fixedHeight);
  ctx.clip();
  paintOps(ctx, scene.rows, paints);
  ctx.restore();
  paintOps(ctx, scene.fixed, paints);
  paintOps(ctx, scene.overlay, paints);
  ctx.globalAlpha = 1;
}

/** Over the picture of a whole session: what comes after `x` at half its strength, and left of it what was known then. */
export function paintPast(
  ctx: Context,
  scene: Scene,
  place: { readonly top: number; readonly x: number; readonly width: number; readonly height: number },
  paints: Paints,
): void {
  const { top, width, height } = place;
  const x = Math.max(0, Math.min(place.x, width));
  ctx.globalAlpha = 1 - FAINT;
  ctx.fillStyle = paints.palette['surface.base'];
  ctx.fillRect(x, top, width - x, height - top);
  ctx.globalAlpha = 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, top, x, height - top);
  ctx.clip();
  paintOps(ctx, scene.ground, paints);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.fixedHeight, x, height - scene.fixedHeight);
  ctx.clip();
  paintOps(ctx, scene.rows, paints);
  ctx.restore();
  paintOps(ctx, scene.fixed, paints);
  ctx.restore();
  ctx.globalAlpha = 1;
}

/** A loop over strokes that have all been decided. */
export function paintOps(ctx: Context, ops: readonly Op[], paints: Paints): void {
  for (const op of ops) {
    ctx.globalAlpha = op.alpha;
    switch (op.op) {
      case 'fill':
        ctx.fillStyle = paints.palette[op.ink];
        fillBox(ctx, op.box);
        break;
      case 'texture':
        paintTexture(ctx, op, paints);
        break;
      case 'stroke':
        strokeBox(ctx, op, paints.palette);
        break;
      case 'line':
        paintLine(ctx, op, paints.palette);
        break;
      case 'polygon':
        paintPolygon(ctx, op, paints.palette);
        break;
      case 'circle':
        paintCircle(ctx, op, paints.palette);
        break;
      case 'text':
        ctx.font = FONTS[op.font].css;
        ctx.textAlign = op.align;
        ctx.fillStyle = paints.palette[op.ink];
        ctx.fillText(op.text, op.x, op.y + FONTS[op.font].size * CAP_MIDDLE);
        break;
      case 'icon':
        paintIcon(ctx, op, paints);
        break;
      case 'glow':
        paintGlow(ctx, op, paints.palette);
        break;
      case 'blocks':
        ctx.fillStyle = paints.palette[op.ink];
        for (let i = 0; i < op.rects.length; i += 4) {
          ctx.fillRect(
            op.rects[i] as number,
            op.rects[i + 1] as number,
            op.rects[i + 2] as number,
            op.rects[i + 3] as number,
          );
        }
        break;
    }
  }
}

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;

function fillBox(ctx: Context, box: Box): void {
  if (box.rl === 0 && box.rr === 0 && box.end === 'plain') {
    ctx.fillRect(box.x, box.y, box.w, box.h);
    return;
  }
  tracePath(ctx, box, 0);
  ctx.fill();
}

/** The outline lies inside the box, so that its px are whole ones. */
function strokeBox(ctx: Context, { box, ink, width, dash }: OpOf<'stroke'>, palette: Palette): void {
  ctx.strokeStyle = palette[ink];
  ctx.lineWidth = width;
  ctx.setLineDash(dash as number[]);
  tracePath(ctx, box, width / 2);
  ctx.stroke();
  if (dash.length > 0) ctx.setLineDash([]);
}

/** The path of a box, `inset` px inside of it. */
function tracePath(ctx: Context, box: Box, inset: number): void {
  const x0 = box.x + inset;
  const y0 = box.y + inset;
  const x1 = box.x + box.w - inset;
  const y1 = box.y + box.h - inset;
  const most = Math.max(0, Math.min((x1 - x0) / 2, (y1 - y0) / 2));
  const rl = Math.min(Math.max(0, box.rl - inset), most);
  const rr = box.end === 'plain' ? Math.min(Math.max(0, box.rr - inset), most) : 0;
  ctx.beginPath();
  ctx.moveTo(x0 + rl, y0);
  if (box.end === 'cut') {
    ctx.lineTo(x1, y0);
    ctx.lineTo(x1 - Math.min(SLANT, box.w), y1);
  } else if (box.end === 'torn') traceTear(ctx, x1, y0, y1);
  else {
    ctx.lineTo(x1 - rr, y0);
    if (rr > 0) ctx.arcTo(x1, y0, x1, y0 + rr, rr);
    ctx.lineTo(x1, y1 - rr);
    if (rr > 0) ctx.arcTo(x1, y1, x1 - rr, y1, rr);
  }
  ctx.lineTo(x0 + rl, y1);
  if (rl > 0) ctx.arcTo(x0, y1, x0, y1 - rl, rl);
  ctx.lineTo(x0, y0 + rl);
  if (rl > 0) ctx.arcTo(x0, y0, x0 + rl, y0, rl);
  ctx.closePath();
}

function traceTear(ctx: Context, x: number, y0: number, y1: number): void {
  const teeth = Math.max(2, Math.round((y1 - y0) / TOOTH));
  const step = (y1 - y0) / teeth;
  for (let i = 0; i <= teeth; i++) ctx.lineTo(i % 2 === 0 ? x : x - TOOTH, y0 + i * step);
}

function paintTexture(ctx: Context, { box, texture, anchor }: OpOf<'texture'>, { textures, matrix }: Paints): void {
  const { pattern, tileWidth, scale } = textures[texture];
  // Only the anchor's place within a tile matters; far left it would cost precision.
  pattern.setTransform(matrix(anchor % tileWidth, box.y, scale));
  ctx.fillStyle = pattern;
  fillBox(ctx, box);
}

function paintLine(ctx: Context, { points, radius, ink, width, dash }: OpOf<'line'>, palette: Palette): void {
  ctx.strokeStyle = palette[ink];
  ctx.lineWidth = width;
  if (dash.length > 0) ctx.setLineDash(dash as number[]);
  ctx.beginPath();
  ctx.moveTo(points[0] as number, points[1] as number);
  for (let i = 2; i < points.length; i += 2) {
    const x = points[i] as number;
    const y = points[i + 1] as number;
    if (radius > 0 && i + 2 < points.length) ctx.arcTo(x, y, points[i + 2] as number, points[i + 3] as number, radius);
    else ctx.lineTo(x, y);
  }
  ctx.stroke();
  if (dash.length > 0) ctx.setLineDash([]);
}

function paintPolygon(ctx: Context, { points, fill, stroke, width }: OpOf<'polygon'>, palette: Palette): void {
  ctx.beginPath();
  ctx.moveTo(points[0] as number, points[1] as number);
  for (let i = 2; i < points.length; i += 2) ctx.lineTo(points[i] as number, points[i + 1] as number);
  ctx.closePath();
  fillAndStroke(
    ctx,
    fill === undefined ? undefined : palette[fill],
    stroke === undefined ? undefined : palette[stroke],
    width,
  );
}

function paintCircle(ctx: Context, { x, y, r, fill, stroke, width }: OpOf<'circle'>, palette: Palette): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  fillAndStroke(
    ctx,
    fill === undefined ? undefined : palette[fill],
    stroke === undefined ? undefined : palette[stroke],
    width,
  );
}

function fillAndStroke(ctx: Context, fill: string | undefined, stroke: string | undefined, width: number): void {
  if (fill !== undefined) {
    ctx.fillStyle = fill;
    ctx.fill();
  }
  if (stroke !== undefined) {
    ctx.strokeStyle = stroke;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}

function paintIcon(ctx: Context, op: OpOf<'icon'>, { palette, iconPath: pathOf }: Paints): void {
  const scale = op.size / 24;
  ctx.save();
  ctx.translate(op.x - op.size / 2, op.y - op.size / 2);
  ctx.scale(scale, scale);
  ctx.lineWidth = op.weight / scale;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = palette[op.ink];
  ctx.stroke(pathOf(op.icon));
  ctx.restore();
}

function paintGlow(ctx: Context, { x, y, w, h, ink }: OpOf<'glow'>, palette: Palette): void {
  const gradient = ctx.createLinearGradient(x, 0, x + w, 0);
  gradient.addColorStop(0, withAlpha(palette[ink], 0));
  gradient.addColorStop(1, withAlpha(palette[ink], 0.6));
  ctx.fillStyle = gradient;
  ctx.fillRect(x, y, w, h);
}
