import { DETAIL } from '../metrics.ts';
import type { BarBody } from './bar.ts';
import type { Drawing } from './drawing.ts';

/** The live edge: how far its light reaches into the bar, and how wide the edge itself is. */
const GLOW = 28;
const EDGE = 2;
/** How far the lower corner of a slanted end lies behind the upper one. */
export const SLANT = 5.5;

const widthOf = ({ place }: BarBody): number => place.x1 - place.x0;

/** Width of the box with the cross at the end of a failed bar. */
const crossWidth = (body: BarBody): number => Math.min(body.place.h, widthOf(body) * 0.45);

/** px at the right end of a bar that its end shape needs for itself. */
export function endRoom(body: BarBody): number {
  switch (body.detail.end) {
    case 'cross':
      return crossWidth(body);
    case 'barred':
      return 17;
    case 'cut':
      return SLANT;
    case 'torn':
      return 4;
    case 'open':
      return EDGE + 1;
    case 'struck':
    case 'round':
      return 0;
  }
}

/** The sign at the right end of a bar of at least 12 px (design 1, channel 4). */
export function drawEnd(d: Drawing, body: BarBody): void {
  const { place, detail, look, alpha, layer, pieces } = body;
  const { x1, y, h } = place;
  if (x1 < -GLOW || x1 > d.width + GLOW) return;
  const w = widthOf(body);
  const middle = y + h / 2;
  switch (detail.end) {
    case 'cross': {
      if (w < DETAIL.icon) {
        d.icon(layer, 'cross', place.x0 + w / 2, middle, Math.min(9, w - 4), 'outcome.error.text', alpha, 1.6);
        return;
      }
      const room = crossWidth(body);
      d.fill(layer, { x: x1 - room, y, w: room, h, rl: 0, rr: 3, end: 'plain' }, look.edge, alpha);
      d.icon(layer, 'cross', x1 - room / 2, middle, 10, 'surface.base', alpha, 1.7);
      return;
    }
    case 'barred': {
      const x = w < DETAIL.icon ? place.x0 + w / 2 : x1 - 10;
      d.icon(layer, 'ban', x, middle, Math.min(11, w - 3), look.edge, alpha);
      return;
    }
    case 'cut': {
      const ink = look.edge === 'outcome.human.edge' ? look.edge : 'outcome.error.edge';
      const slant = Math.min(SLANT, w);
      const over = (slant / h) * 1.5;
      d.line(layer, [x1 + over, y - 1.5, x1 - slant - over, y + h + 1.5], ink, 2, alpha);
      return;
    }
    case 'open': {
      const ink = pieces.at(-1)?.look.edge ?? look.edge;
      const reach = Math.min(GLOW, w / 2);
      d.add(layer, { op: 'glow', x: x1 - reach, y: y + 1, w: reach, h: h - 2, ink, alpha });
      d.rect(layer, x1 - EDGE, y - 1, EDGE, h + 2, ink, alpha);
      return;
    }
    case 'round':
    case 'struck':
    case 'torn':
      return;
  }
}
