import { SPEEDS } from '../../src-shared/replay/advance.ts';
import type { StopKind } from '../../src-shared/replay/stops.ts';
import { formatMoment } from '../../src-shared/timeline/words.ts';
import { announce } from '../state/view-store.ts';
import { jumpTo, playheadStore, setSpeed, whereItStands } from './playhead-store.ts';

const NAMES: Readonly<Record<StopKind, string>> = {
  wait: 'wait',
  cascade: 'cascade',
  error: 'error',
  permission: 'permission question',
  saved: 'saved output',
};

/** Jumps and says where to, or that there is nothing more of the kind. */
export function goToStop(kind: StopKind, to: 'next' | 'previous'): void {
  if (!jumpTo(kind, to)) announce(`There is no ${to} ${NAMES[kind]}.`);
  else announce(`${NAMES[kind]} at ${formatMoment(whereItStands().t)}`);
}

/** The next faster or slower of the usual speeds. */
export function changeSpeed(by: 1 | -1): void {
  const { speed } = playheadStore.getState();
  const next = by > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
  if (next === undefined) return;
  setSpeed(next);
  announce(`Speed ${next}×`);
}
