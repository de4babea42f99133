import { type BarColumns, GrowingBars } from './bars.ts';
import type { Overflow } from './tracks.ts';

/** A place that packing can go on from is kept every so many waits. */
const STEP = 512;

/** How things stood before a wait was packed. */
type Place = {
  readonly lengths: readonly number[];
  readonly freeFrom: readonly number[];
  readonly overflows: number;
  readonly last: Overflow | undefined;
};

/**
 * Packs waits into at most `most` lines, first come first served; what finds no free line is overflow. Packing goes on
 * where it was changed: a session that grows does not pay for its past again.
 */
export class QueueLines {
  readonly overflow: { from: number; until: number; count: number }[] = [];
  private readonly most: number;
  private readonly made: GrowingBars[] = [];
  private freeFrom: number[] = [];
  private readonly places: Place[] = [];

  constructor(most: number) {
    this.most = most;
  }

  /** Those that hold something. */
  get lines(): readonly GrowingBars[] {
    return this.made.slice(0, this.freeFrom.length);
  }

  /** @param changedFrom the first wait that is not as it was at the last packing */
  pack(all: BarColumns, changedFrom: number): void {
    const place = Math.min(Math.floor(changedFrom / STEP), this.places.length - 1);
    this.goBack(place);
    for (let i = Math.max(0, place) * STEP; i < all.length; i++) {
      if (i % STEP === 0) this.places[i / STEP] = this.here();
      this.put(all, i);
    }
    for (const line of this.lines) line.finish();
  }

  private put(all: BarColumns, i: number): void {
    const start = all.starts[i] as number;
    const end = all.ends[i] as number;
    let line = this.freeFrom.findIndex((free) => free <= start);
    if (line === -1 && this.freeFrom.length < this.most) {
      line = this.freeFrom.length;
      this.made[line] ??= new GrowingBars();
    }
    if (line >= 0) {
      this.freeFrom[line] = end;
      (this.made[line] as GrowingBars).put(all.items[i] as number, start, end, all.kinds[i] as number);
      return;
    }
    const last = this.overflow.at(-1);
    if (last !== undefined && start < last.until) {
      last.until = Math.max(last.until, end);
      last.count++;
    } else this.overflow.push({ from: start, until: end, count: 1 });
  }

  private here(): Place {
    const last = this.overflow.at(-1);
    return {
      lengths: this.made.map(({ length }) => length),
      freeFrom: [...this.freeFrom],
      overflows: this.overflow.length,
      last: last === undefined ? undefined : { ...last },
    };
  }

  private goBack(index: number): void {
    const place = this.places[index];
    this.places.length = Math.max(0, index);
    for (const [i, line] of this.made.entries()) line.cutAt(place?.lengths[i] ?? 0);
    this.freeFrom = [...(place?.freeFrom ?? [])];
    this.overflow.length = place?.overflows ?? 0;
    if (place?.last !== undefined) this.overflow[this.overflow.length - 1] = { ...place.last };
  }
}
