import type { Chart } from '../chart.ts';
import { type Gesture, IDLE, type Pointer, step, type Zone } from './gesture.ts';

export type PointerElements = {
  readonly stage: HTMLElement;
  readonly gutter: HTMLElement;
  readonly minimap: HTMLElement;
  readonly scroller: HTMLElement;
};

/** A wheel that counts in lines or pages, in px. */
const WHEEL_UNIT: Readonly<Record<number, number>> = { 0: 1, 1: 16, 2: 400 };

/** Turns the pointer's events into gestures, and what they ask for into deeds of the chart. */
export function listenToPointer(chart: Chart, { stage, gutter, minimap, scroller }: PointerElements): () => void {
  let gesture: Gesture = IDLE;
  const take = (pointer: Pointer): void => {
    const [next, ...wishes] = step(gesture, pointer);
    gesture = next;
    for (const wish of wishes) chart.grant(wish);
    stage.dataset.cursor = cursorOf(gesture, chart);
  };
  const at = (event: MouseEvent, element: HTMLElement) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const zoneOf = (event: Event, base: Zone): Zone =>
    ((event.target as HTMLElement).dataset.zone as Zone | undefined) ?? base;
  const controller = new AbortController();
  const { signal } = controller;
  const watch = (element: HTMLElement, base: Zone): void => {
    element.addEventListener(
      'pointerdown',
      (event) => {
        if (scroller.contains(event.target as Node)) return;
        element.setPointerCapture(event.pointerId);
        const { button, shiftKey: shift } = event;
        take({
          type: 'down',
          zone: base === 'chart' && chart.isRuler(at(event, element).y) ? 'ruler' : zoneOf(event, base),
          ...at(event, element),
          button,
          shift,
          measuring: chart.store.getState().isMeasuring,
        });
      },
      { signal },
    );
    element.addEventListener('pointermove', (event) => take({ type: 'move', zone: base, ...at(event, element) }), {
      signal,
    });
    element.addEventListener('pointerup', (event) => take({ type: 'up', zone: base, ...at(event, element) }), {
      signal,
    });
    element.addEventListener('pointercancel', () => take({ type: 'cancel' }), { signal });
    element.addEventListener('pointerleave', () => take({ type: 'leave' }), { signal });
  };
  const onWheel = (element: HTMLElement, zone: Zone) => (event: WheelEvent) => {
    if (scroller.contains(event.target as Node)) return;
    event.preventDefault();
    const unit = WHEEL_UNIT[event.deltaMode] ?? 1;
    const { shiftKey: shift, altKey: alt } = event;
    take({
      type: 'wheel',
      zone,
      x: at(event, element).x,
      dx: event.deltaX * unit,
      dy: event.deltaY * unit,
      shift,
      alt,
      pinch: event.ctrlKey,
    });
  };
  watch(stage, 'chart');
  watch(minimap, 'minimap');
  stage.addEventListener('wheel', onWheel(stage, 'chart'), { signal, passive: false });
  gutter.addEventListener('wheel', onWheel(gutter, 'gutter'), { signal, passive: false });
  scroller.addEventListener('scroll', () => chart.scrollTo(scroller.scrollTop), { signal });
  return () => controller.abort();
}

function cursorOf(gesture: Gesture, chart: Chart): string {
  if (gesture.mode === 'panning') return 'grabbing';
  if (gesture.mode === 'brushing' || chart.store.getState().isMeasuring) return 'measure';
  return chart.store.getState().hover === undefined ? 'default' : 'pointer';
}
