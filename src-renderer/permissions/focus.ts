/** No key for this long: then nobody is in the middle of typing or of steering the chart, in ms. */
const QUIET_MS = 1_000;

const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/** Is this a place where keys are text? */
export const isField = (element: Element | null): boolean => element?.matches(FIELDS) ?? false;

/**
 * May the board take the focus when it appears? Not from a field, where the next letter is meant to be text, and not from
 * somebody who steers the chart with keys: the next key would land on a question. `sinceKey` is the time since the last key, in ms.
 */
export function mayTakeFocus(active: Element | null, sinceKey: number): boolean {
  if (sinceKey < QUIET_MS) return false;
  if (isField(active)) return false;
  // A palette or a menu is in use as long as it is open.
  return active?.closest('[role="dialog"], [role="menu"]') == null;
}

let lastKeyAt = Number.NEGATIVE_INFINITY;

/** Remembers when a key was last pressed anywhere in the window. Returns the way to stop. */
export function watchKeys(): () => void {
  const onKey = (): void => {
    lastKeyAt = performance.now();
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

export const sinceLastKey = (): number => performance.now() - lastKeyAt;
