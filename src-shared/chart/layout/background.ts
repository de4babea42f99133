import { OUTSIDE_MAX } from '../metrics.ts';
import type { Row } from '../rows.ts';
import { Blocks } from './blocks.ts';
import type { Drawing } from './drawing.ts';
import { eachBar, tinyWidth } from './lane.ts';
import { inkOfKind, shellLook } from './looks.ts';
import { drawTrackBar } from './tracks.ts';

const INSIDE = 5;
/** Less room than this holds no part of a command worth reading. */
const LEAST_LABEL = 40;

/** Commands in the background: their second bar, from launch to end. The first one is the call, in its lane. */
export function drawBackground(d: Drawing, row: Row): void {
  const bars = d.input.model.shells[row.index];
  if (bars === undefined) return;
  const h = d.input.rows.metrics.trackBar;
  const y = Math.round(d.y(row) + (row.height - h) / 2);
  const blocks = new Blocks();
  eachBar(d, bars, {
    single: (i, x0, x1, next) => {
      const isOpen = bars.ends[i] === Number.POSITIVE_INFINITY && !d.input.model.isOver;
      const look = shellLook(bars.kinds[i] as number);
      drawTrackBar(d, x0, x1, y, h, look, d.alphaOfRest, isOpen);
      const shell = d.input.model.state.shells[bars.items[i] as number];
      if (shell === undefined) return;
      const text = shell.command.split('\n', 1)[0] ?? '';
      const left = Math.max(x0, 0) + INSIDE;
      const room = Math.min(x1 - (isOpen ? 3 : 0), d.width) - INSIDE - left;
      const shown = room >= LEAST_LABEL ? d.fit(text, 'queue', room) : undefined;
      if (shown !== undefined) {
        // Words on hatching need a ground of their own.
        const width = Math.min(d.measure(shown, 'queue') + 4, x1 - left);
        if (look.texture !== undefined && look.fill !== undefined)
          d.rect('labels', left - 2, y + 1, width, h - 2, look.fill, d.alphaOfRest);
        d.text('labels', shown, left, y + h / 2, 'queue', look.text, d.alphaOfRest);
      } else if (!isOpen) {
        const outside = Math.min(next - INSIDE, x1 + OUTSIDE_MAX, d.width) - x1 - INSIDE;
        d.fittedText('labels', text, x1 + INSIDE, y + h / 2, outside, 'queue', 'text.secondary', d.alphaOfRest);
      }
    },
    tiny: (i, x0, x1) => blocks.add(inkOfKind(bars.kinds[i] as number), x0, y, tinyWidth(x1 - x0), h),
    merged: (from, until, x, w, share) => {
      const height = Math.max(1, Math.round(h * share));
      blocks.add(inkOfKind(bars.worstKind(from, until)), x, y + h - height, w, height);
    },
  });
  blocks.draw(d, d.alphaOfRest);
}
