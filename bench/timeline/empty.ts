import { type Contender, contextOf, HEIGHT, WIDTH } from './contender.ts';

/** A canvas that is cleared and holds one moving rectangle: what a frame costs without a chart. */
export function empty(): Contender {
  let ctx: CanvasRenderingContext2D | undefined;
  let frame = 0;
  const draw = (): void => {
    if (ctx === undefined) return;
    ctx.fillStyle = '#0E1014';
    ctx.fillRect(0, 0, WIDTH, HEIGHT);
    ctx.fillStyle = '#4C8DFF';
    ctx.fillRect(frame++ % WIDTH, 0, 4, 4);
  };
  return {
    open: (_calls, canvas) => {
      ctx = contextOf(canvas);
      draw();
    },
    isWhole: () => true,
    show: draw,
  };
}
