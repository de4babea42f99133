import type { Chart } from '../chart.ts';
import { keyWish } from './keys.ts';

/**
 * Takes the chart's own keys while it (or its list) has the focus. What it deals with it marks as dealt with, so that
 * the window's shortcuts leave it alone.
 */
export function listenToKeys(chart: Chart, root: HTMLElement): () => void {
  const section = root.closest<HTMLElement>('[data-chart]') ?? root;
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.defaultPrevented || event.isComposing || !(target instanceof HTMLElement)) return;
    const isList = target.closest('[role=list]') !== null;
    const isChart = target.closest('[role=application]') !== null;
    // Buttons of the gutter keep Enter and the arrows for themselves.
    const wish = keyWish(event, chart.isMeasuring);
    if (wish === undefined || (!isList && !isChart && (wish.wish === 'inspect' || wish.wish === 'go'))) return;
    event.preventDefault();
    chart.obey(wish);
  };
  const onFocus = (): void => {
    const focused = document.activeElement;
    chart.setFocus(focused instanceof HTMLElement && section.contains(focused) && focused.matches(':focus-visible'));
  };
  section.addEventListener('keydown', onKeyDown);
  section.addEventListener('focusin', onFocus);
  section.addEventListener('focusout', onFocus);
  return () => {
    section.removeEventListener('keydown', onKeyDown);
    section.removeEventListener('focusin', onFocus);
    section.removeEventListener('focusout', onFocus);
  };
}
