import type { Stretch } from '../../src-shared/chart/viewport.ts';
import type { Calls } from './calls.ts';

export const WIDTH = 1280;
export const HEIGHT = 600;

/** A chart that is measured. */
export type Contender = {
  /** Puts the calls on screen, or begins to. */
  readonly open: (calls: Calls, canvas: HTMLCanvasElement) => void;
  /** Are all calls on screen? */
  readonly isWhole: () => boolean;
  /** Shows a stretch, now or in the next frame. */
  readonly show: (stretch: Stretch) => void;
  /** Is the last call under the pointer where the last calls are shown? Not asked of what has no pointer. */
  readonly hitsLast?: () => boolean;
};

export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ctx = canvas.getContext('2d');
  if (ctx === null) throw new Error('This window cannot draw on a canvas.');
  return ctx;
}
