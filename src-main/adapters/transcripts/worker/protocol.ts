import type { Failure } from '../../../../src-shared/failure.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import type { KeptTextPlaces } from '../lazy/kept-texts.ts';

/** More would hold up whoever takes them for more than some ms. */
export const EVENTS_AT_ONCE = 1_000;
/** So many lists may be on the way before main has taken one. */
export const MOST_ON_THE_WAY = 4;

/** What main tells the thread. */
export type ToWorker = { readonly kind: 'open'; readonly path: string } | { readonly kind: 'taken' };

/**
 * What the thread tells main. A telling of the session is `news`, its `events` in lists, and `so-far` or `done`: of the
 * telling before, the first `keep` events stand, but for those that are amended. After `done` or `failed` nothing comes.
 */
export type FromWorker =
  | {
      readonly kind: 'news';
      readonly path: string;
      readonly keep: number;
      readonly amended: readonly SessionEvent[];
      readonly texts: KeptTextPlaces;
    }
  | { readonly kind: 'events'; readonly events: readonly SessionEvent[] }
  | { readonly kind: 'so-far' }
  | { readonly kind: 'progress'; readonly bytes: number; readonly totalBytes: number }
  | { readonly kind: 'done'; readonly findings: readonly Finding[] }
  /** `failure`: an expected one, in words for a person; else a bug, with its stack. */
  | { readonly kind: 'failed'; readonly failure: Failure | undefined; readonly stack: string };
