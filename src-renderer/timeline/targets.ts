import type { LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import { type Stretch, timeOf } from '../../src-shared/chart/viewport.ts';
import { isEnded } from '../../src-shared/timeline/parts.ts';
import { callAt } from '../../src-shared/timeline/tracks.ts';

/** A stretch from the earlier to the later of two times. */
export const stretchOf = (a: number, b: number): Stretch => ({ from: Math.min(a, b), until: Math.max(a, b) });

/** What "the selection" means in time: the measured stretch, else the chosen cascade, else the selected call. */
export function selectedStretch({ measured, focused, selected, model, now }: LayoutInput): Stretch | undefined {
  if (measured !== undefined) return measured;
  const items =
    focused !== undefined ? [focused.culprit, ...focused.victims] : selected !== undefined ? [selected] : [];
  if (items.length === 0) return undefined;
  let from = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const call = callAt(model, item);
    from = Math.min(from, call.queuedAt);
    until = Math.max(until, isEnded(call) ? call.end.at : now);
  }
  return { from, until };
}

/** The main agent's turn that holds the selected call, else the one in the middle of the view. */
export function turnInView({ model, selected, now, view, axis }: LayoutInput): Stretch | undefined {
  const t = selected === undefined ? timeOf(axis, view, view.width / 2) : callAt(model, selected).queuedAt;
  const turns = model.state.turns.filter((turn) => turn.agentId === model.agents[0]?.agentId);
  const turn = turns.findLast((one) => one.from <= t) ?? turns[0];
  return turn === undefined ? undefined : { from: turn.from, until: turn.end?.at ?? now };
}
