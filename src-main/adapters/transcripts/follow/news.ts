import type { SessionEvent } from '../../../../src-shared/session/event.ts';

/** How a session differs from what was told of it before: the first `keep` events stand, the others are `events`. */
export type EventNews = {
  readonly keep: number;
  readonly events: readonly SessionEvent[];
  /** Among those that stand: what is known better now, with the same number, time and call. */
  readonly amended: readonly SessionEvent[];
};

/**
 * Compares two tellings of a session. Only what hindsight says of a start (its bounds, its source) or of the title is
 * amended in place; where anything else differs, the session is another one from there on.
 */
export function newsBetween(before: readonly SessionEvent[], now: readonly SessionEvent[]): EventNews {
  const amended: SessionEvent[] = [];
  const both = Math.min(before.length, now.length);
  let keep = 0;
  for (; keep < both; keep++) {
    const [a, b] = [before[keep] as SessionEvent, now[keep] as SessionEvent];
    if (isEqual(a, b)) continue;
    if (!isAmendment(a, b)) break;
    amended.push(b);
  }
  return { keep, events: now.slice(keep), amended };
}

/** The fields in which an event may be amended. */
const AMENDABLE: { readonly [K in SessionEvent['type']]?: string } = {
  'call-started': 'timing',
  'session-started': 'title',
};

function isAmendment(before: SessionEvent, now: SessionEvent): boolean {
  const field = AMENDABLE[before.type];
  if (field === undefined || before.type !== now.type) return false;
  const fields = before as unknown as Readonly<Record<string, unknown>>;
  return Object.keys(now).every(
    (key) => key === field || isEqual(fields[key], (now as unknown as Readonly<Record<string, unknown>>)[key]),
  );
}

/** Equal as plain data. Large parts are mostly the same objects, which costs nothing. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => isEqual(one, b[at]));
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => key in right && isEqual(left[key], right[key]))
  );
}
