import type { Box, Op } from '../../../src-shared/chart/display-list.ts';
import { tableMeasure } from '../../../src-shared/chart/font-widths.ts';
import { FONTS } from '../../../src-shared/chart/fonts.ts';
import { SLANT } from '../../../src-shared/chart/layout/bar-end.ts';
import type { Palette } from '../../../src-shared/chart/palette.ts';

/** A number with at most two decimals: half a device pixel is not seen. */
export const n = (value: number): string => String(Math.round(value * 100) / 100);

const NOT_IN_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as XML: nothing in it is markup, and nothing that XML cannot hold is left. */
export const xml = (text: string): string =>
  text
    .replaceAll(NOT_IN_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const TOOTH = 4;
/** Middle of the capitals above the base line, in em. */
const CAP_MIDDLE = 0.364;

/** The outline of a box, `inset` px inside of it: the same path the canvas draws. */
export function boxPath(box: Box, inset = 0): string {
  const x0 = box.x + inset;
  const y0 = box.y + inset;
  const x1 = box.x + box.w - inset;
  const y1 = box.y + box.h - inset;
  const most = Math.max(0, Math.min((x1 - x0) / 2, (y1 - y0) / 2));
  const rl = Math.min(Math.max(0, box.rl - inset), most);
  const rr = box.end === 'plain' ? Math.min(Math.max(0, box.rr - inset), most) : 0;
  const left =
    rl > 0
      ? `A${n(rl)} ${n(rl)} 0 0 1 ${n(x0)} ${n(y1 - rl)}V${n(y0 + rl)}A${n(rl)} ${n(rl)} 0 0 1 ${n(x0 + rl)} ${n(y0)}`
      : '';
  return `M${n(x0 + rl)} ${n(y0)}${rightSide(box, x1, y0, y1, rr)}L${n(x0 + rl)} ${n(y1)}${left}Z`;
}

function rightSide(box: Box, x1: number, y0: number, y1: number, rr: number): string {
  if (box.end === 'cut') return `H${n(x1)}L${n(x1 - Math.min(SLANT, box.w))} ${n(y1)}`;
  if (box.end === 'torn') {
    const teeth = Math.max(2, Math.round((y1 - y0) / TOOTH));
    const points = Array.from(
      { length: teeth + 1 },
      (_, i) => `L${n(i % 2 === 0 ? x1 : x1 - TOOTH)} ${n(y0 + (i * (y1 - y0)) / teeth)}`,
    );
    return points.join('');
  }
  if (rr <= 0) return `H${n(x1)}V${n(y1)}`;
  const corner = `A${n(rr)} ${n(rr)} 0 0 1 `;
  return `H${n(x1 - rr)}${corner}${n(x1)} ${n(y0 + rr)}V${n(y1 - rr)}${corner}${n(x1 - rr)} ${n(y1)}`;
}

const isRect = (box: Box): boolean => box.rl === 0 && box.rr === 0 && box.end === 'plain';
const alphaOf = (alpha: number): string => (alpha === 1 ? '' : ` opacity="${n(alpha)}"`);
const dashOf = (dash: readonly number[]): string =>
  dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(n).join(' ')}"`;

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;

/** One stroke as an SVG element. Icons and textures are referred to by id, `icon-…` and `texture-…`. */
export function element(op: Op, palette: Palette): string {
  switch (op.op) {
    case 'fill':
      return isRect(op.box)
        ? `<rect x="${n(op.box.x)}" y="${n(op.box.y)}" width="${n(op.box.w)}" height="${n(op.box.h)}" fill="${palette[op.ink]}"${alphaOf(op.alpha)}/>`
        : `<path d="${boxPath(op.box)}" fill="${palette[op.ink]}"${alphaOf(op.alpha)}/>`;
    case 'texture': {
      // The pattern begins where the bar does.
      const box = { ...op.box, x: op.box.x - op.anchor, y: 0 };
      return `<path transform="translate(${n(op.anchor)} ${n(op.box.y)})" d="${boxPath(box)}" fill="url(#texture-${op.texture})"${alphaOf(op.alpha)}/>`;
    }
    case 'stroke':
      return `<path d="${boxPath(op.box, op.width / 2)}" fill="none" stroke="${palette[op.ink]}" stroke-width="${n(op.width)}"${dashOf(op.dash)}${alphaOf(op.alpha)}/>`;
    case 'line':
      return `<path d="${linePath(op)}" fill="none" stroke="${palette[op.ink]}" stroke-width="${n(op.width)}"${dashOf(op.dash)}${alphaOf(op.alpha)}/>`;
    case 'polygon':
      return `<polygon points="${op.points.map(n).join(' ')}"${painted(op, palette)}/>`;
    case 'circle':
      return `<circle cx="${n(op.x)}" cy="${n(op.y)}" r="${n(op.r)}"${painted(op, palette)}/>`;
    case 'text':
      return textElement(op, palette);
    case 'icon': {
      const scale = op.size / 24;
      return `<use href="#icon-${op.icon}" transform="translate(${n(op.x - op.size / 2)} ${n(op.y - op.size / 2)}) scale(${Math.round(scale * 1e4) / 1e4})" stroke="${palette[op.ink]}" stroke-width="${n(op.weight / scale)}"${alphaOf(op.alpha)}/>`;
    }
    case 'glow':
      return `<rect x="${n(op.x)}" y="${n(op.y)}" width="${n(op.w)}" height="${n(op.h)}" fill="${palette[op.ink]}" opacity="${n(op.alpha * 0.3)}"/>`;
    case 'blocks':
      return `<path d="${blocksPath(op.rects)}" fill="${palette[op.ink]}"${alphaOf(op.alpha)}/>`;
  }
}

function painted(op: OpOf<'polygon' | 'circle'>, palette: Palette): string {
  const fill = op.fill === undefined ? 'none' : palette[op.fill];
  const stroke = op.stroke === undefined ? '' : ` stroke="${palette[op.stroke]}" stroke-width="${n(op.width)}"`;
  return ` fill="${fill}"${stroke}${alphaOf(op.alpha)}`;
}

function textElement(op: OpOf<'text'>, palette: Palette): string {
  const anchor = op.align === 'left' ? '' : ` text-anchor="${op.align === 'right' ? 'end' : 'middle'}"`;
  const y = n(op.y + FONTS[op.font].size * CAP_MIDDLE);
  // Where the font is another one its letters are drawn together or apart: a text never leaves the room it was given.
  const length = n(tableMeasure(op.text, op.font));
  return `<text class="${op.font}" x="${n(op.x)}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${palette[op.ink]}"${anchor}${alphaOf(op.alpha)}>${xml(op.text)}</text>`;
}

function linePath({ points, radius }: OpOf<'line'>): string {
  const at = (i: number): readonly [number, number] => [points[2 * i] as number, points[2 * i + 1] as number];
  const count = points.length / 2;
  let path = `M${n(at(0)[0])} ${n(at(0)[1])}`;
  for (let i = 1; i < count; i++) {
    const [x, y] = at(i);
    if (radius <= 0 || i === count - 1) {
      path += `L${n(x)} ${n(y)}`;
      continue;
    }
    const [ax, ay] = toward([x, y], at(i - 1), radius);
    const [bx, by] = toward([x, y], at(i + 1), radius);
    path += `L${n(ax)} ${n(ay)}Q${n(x)} ${n(y)} ${n(bx)} ${n(by)}`;
  }
  return path;
}

/** The point `distance` px from one point on the way to another, at most half-way. */
function toward([x, y]: readonly [number, number], [tx, ty]: readonly [number, number], distance: number) {
  const length = Math.hypot(tx - x, ty - y) || 1;
  const share = Math.min(distance / length, 0.5);
  return [x + (tx - x) * share, y + (ty - y) * share] as const;
}

function blocksPath(rects: readonly number[]): string {
  let path = '';
  for (let i = 0; i < rects.length; i += 4) {
    const [x = 0, y = 0, w = 0, h = 0] = rects.slice(i, i + 4);
    path += `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`;
  }
  return path;
}
