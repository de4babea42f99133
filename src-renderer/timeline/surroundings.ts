import type { Chart } from './chart.ts';

/** Tells the chart when its room, the theme, the pixel density, the fonts or the wish for less motion change. */
export function watchSurroundings(chart: Chart, root: HTMLElement): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const resized = new ResizeObserver(() => chart.resize(root.clientWidth, root.clientHeight));
  resized.observe(root);
  chart.resize(root.clientWidth, root.clientHeight);
  const themed = new MutationObserver(() => chart.repaintAll());
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  document.fonts.addEventListener('loadingdone', () => chart.repaintAll(), { signal });
  const motion = window.matchMedia('(prefers-reduced-motion: reduce)');
  const onMotion = (): void => chart.setReducedMotion(motion.matches);
  motion.addEventListener('change', onMotion, { signal });
  onMotion();
  watchDensity(chart, signal);
  return () => {
    controller.abort();
    resized.disconnect();
    themed.disconnect();
  };
}

/** A media query holds for one density only, so it is asked anew after every change. */
function watchDensity(chart: Chart, signal: AbortSignal): void {
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener(
    'change',
    () => {
      if (signal.aborted) return;
      chart.repaintAll();
      watchDensity(chart, signal);
    },
    { once: true, signal },
  );
}
