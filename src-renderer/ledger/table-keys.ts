import type { KeyboardEvent } from 'react';

/** Where a key leads from a row of a table: arrows, a page, the ends. Undefined for other keys. */
export function rowAfter(event: Pick<KeyboardEvent, 'key'>, at: number, count: number): number | undefined {
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  }[event.key];
  return next === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, next));
}
