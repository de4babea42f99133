import { Heap } from './heap.ts';

/**
 * Numbered slots of the concurrency pool; the lowest free one is taken. Slots are made as they are needed, so a huge cap
 * costs nothing, and lane numbers stay as small as the real concurrency.
 */
export class Lanes<T> {
  private readonly slots: (T | undefined)[] = [];
  /** Slots below `used` that are free. */
  private readonly freed = new Heap<number>((a, b) => a < b);
  /** Slots from here on have not been taken since the pool was last empty. */
  private used = 0;
  private taken = 0;

  get size(): number {
    return this.taken;
  }

  take(occupant: T): number {
    const lane = this.freed.size > 0 ? (this.freed.pop() as number) : this.used;
    if (lane === this.used) this.used += 1;
    this.slots[lane] = occupant;
    this.taken += 1;
    return lane;
  }

  release(lane: number): void {
    this.slots[lane] = undefined;
    this.taken -= 1;
    if (this.taken > 0) {
      this.freed.push(lane);
      return;
    }
    // An empty pool starts afresh: looking through the occupants never costs more than one burst had lanes.
    this.used = 0;
    if (this.freed.size > 0) this.freed.clear();
  }

  /** Those in the lanes now, by lane; at most `limit` of them. */
  occupants(limit = Number.POSITIVE_INFINITY): T[] {
    const found: T[] = [];
    for (let lane = 0; lane < this.used && found.length < limit; lane += 1) {
      const occupant = this.slots[lane];
      if (occupant !== undefined) found.push(occupant);
    }
    return found;
  }
}
