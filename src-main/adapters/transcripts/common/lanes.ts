import { isBefore, type Moment } from './story.ts';

/** A stretch in which a call held a lane. */
export type Held = { readonly id: string; readonly from: Moment; readonly until: Moment };

/**
 * Lanes for the running calls of one agent: the lowest that is free, so that no two calls at one time share one. An
 * exclusive call runs alone and so gets lane 0. Lanes are few; each call looks at them once.
 */
export function assignLanes(held: readonly Held[]): ReadonlyMap<string, number> {
  const lanes: Moment[] = [];
  const assigned = new Map<string, number>();
  const inOrder = [...held].sort((a, b) => a.from.at - b.from.at || a.from.ord - b.from.ord);
  for (const { id, from, until } of inOrder) {
    const free = lanes.findIndex((taken) => !isBefore(from, taken));
    const lane = free === -1 ? lanes.length : free;
    lanes[lane] = until;
    assigned.set(id, lane);
  }
  return assigned;
}
