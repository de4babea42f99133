/** Blocks of 16 bars share one entry in the level above; three levels cover a million. */
const FAN = 4;
const FAN_SIZE = 1 << FAN;

/**
 * Bars of one row as columns of numbers, sorted by start. `ends` is Infinity for what still runs. `items` says what
 * the bar stands for (an index into calls, requests or hook runs). About 26 bytes a bar, and a tenth of room to grow.
 */
export interface BarColumns {
  readonly length: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly kinds: Uint8Array;
  readonly items: Uint32Array;
  /** No two bars overlap: then ends are sorted as well. */
  readonly disjoint: boolean;
  /** Index of the first bar whose end lies after `t`, or `length`. */
  firstEndingAfter(t: number): number;
  /** Index of the first bar that starts at or after `t`, or `length`. Looks only from `from` on. */
  firstStartingAt(t: number, from?: number): number;
  /** The worst kind among bars `from` … `until - 1`. */
  worstKind(from: number, until: number): number;
  /** Sum of the lengths of bars `from` … `until - 1`, in milliseconds. Open bars count as nothing. */
  busy(from: number, until: number): number;
}

/** `BarColumns` that grow. After a run of `put` call `finish` before anything is read. */
export class GrowingBars implements BarColumns {
  length = 0;
  disjoint = true;
  starts = new Float64Array(16);
  ends = new Float64Array(16);
  kinds = new Uint8Array(16);
  items = new Uint32Array(16);
  /** `sums[k]`: length of all bars before block k of 16. */
  private sums = new Float64Array(2);
  /** `maxEnds[i]`: latest end of bars 0 … i. Kept only where bars overlap. */
  private maxEnds: Float64Array | undefined;
  private levels: Uint8Array<ArrayBuffer>[] = [];
  private dirtyFrom = 0;

  /** Adds a bar, or changes the end and kind of the one with this start and item. Cheapest at the end of the row. */
  put(item: number, start: number, end: number, kind: number): void {
    const at = this.find(item, start);
    if (at >= 0) {
      if (this.ends[at] === end && this.kinds[at] === kind) return;
      this.ends[at] = end;
      this.kinds[at] = kind;
      this.dirtyFrom = Math.min(this.dirtyFrom, at);
      return;
    }
    this.ensureRoom();
    let to = this.length;
    while (to > 0 && (this.starts[to - 1] as number) > start) to--;
    if (to < this.length) {
      this.starts.copyWithin(to + 1, to, this.length);
      this.ends.copyWithin(to + 1, to, this.length);
      this.kinds.copyWithin(to + 1, to, this.length);
      this.items.copyWithin(to + 1, to, this.length);
    }
    this.starts[to] = start;
    this.ends[to] = end;
    this.kinds[to] = kind;
    this.items[to] = item;
    this.length++;
    this.dirtyFrom = Math.min(this.dirtyFrom, to);
  }

  /** Takes a bar out again, if it is there. */
  remove(item: number, start: number): void {
    const at = this.find(item, start);
    if (at < 0) return;
    this.starts.copyWithin(at, at + 1, this.length);
    this.ends.copyWithin(at, at + 1, this.length);
    this.kinds.copyWithin(at, at + 1, this.length);
    this.items.copyWithin(at, at + 1, this.length);
    this.length--;
    this.dirtyFrom = Math.min(this.dirtyFrom, at);
  }

  /** The first bar that was put, changed or moved since the last `finish`; `length` where none was. */
  get changedFrom(): number {
    return this.dirtyFrom;
  }

  /** Takes out all bars from this one on. */
  cutAt(length: number): void {
    this.length = Math.min(this.length, length);
    this.dirtyFrom = Math.min(this.dirtyFrom, this.length);
  }

  /** Index of the bar with this item and start, or -1. */
  find(item: number, start: number): number {
    for (let i = this.length - 1; i >= 0; i--) {
      const at = this.starts[i] as number;
      if (at < start) {
        return -1;
      }
      if (at === start && this.items[i] === item) return i;
      // Far behind the end: walking would be slow, and starts are sorted.
      if (this.length - i > 32) return this.search(item, start);
    }
    return -1;
  }

  private search(item: number, start: number): number {
    for (let i = this.firstStartingAt(start); i < this.length && this.starts[i] === start; i++) {
      if (this.items[i] === item) return i;
    }
    return -1;
  }

  /** Brings sums and levels up to date from the first changed bar on. */
  finish(): void {
    const from = this.dirtyFrom;
    this.dirtyFrom = this.length;
    if (from >= this.length) return;
    this.finishSums(from);
    for (let i = Math.max(1, from); i < this.length && this.disjoint; i++) {
      if ((this.ends[i - 1] as number) > (this.starts[i] as number)) this.disjoint = false;
    }
    if (!this.disjoint) this.finishMaxEnds(from);
    this.finishLevels(from);
  }

  private finishSums(from: number): void {
    const blocks = (this.length >> FAN) + 1;
    if (this.sums.length < blocks) {
      const sums = new Float64Array((this.starts.length >> FAN) + 1);
      sums.set(this.sums);
      this.sums = sums;
    }
    for (let block = (from >> FAN) + 1; block < blocks; block++) {
      this.sums[block] = (this.sums[block - 1] as number) + this.lengthOf((block - 1) << FAN, block << FAN);
    }
  }

  /** Looks at each bar. */
  private lengthOf(from: number, until: number): number {
    let sum = 0;
    for (let i = from; i < until; i++) {
      const length = (this.ends[i] as number) - (this.starts[i] as number);
      if (Number.isFinite(length)) sum += length;
    }
    return sum;
  }

  private finishMaxEnds(from: number): void {
    let first = from;
    if (this.maxEnds === undefined || this.maxEnds.length < this.starts.length) {
      this.maxEnds = new Float64Array(this.starts.length);
      first = 0;
    }
    let max = first === 0 ? Number.NEGATIVE_INFINITY : (this.maxEnds[first - 1] as number);
    for (let i = first; i < this.length; i++) {
      max = Math.max(max, this.ends[i] as number);
      this.maxEnds[i] = max;
    }
  }

  private finishLevels(from: number): void {
    let below: Uint8Array = this.kinds;
    let length = this.length;
    let first = from;
    for (let k = 0; length > FAN_SIZE; k++) {
      const size = Math.ceil(length / FAN_SIZE);
      let level = this.levels[k];
      if (level === undefined || level.length < size) {
        const grown = new Uint8Array(Math.max(16, size * 2));
        if (level !== undefined) grown.set(level);
        level = grown;
        this.levels[k] = level;
      }
      first >>= FAN;
      for (let block = first; block < size; block++) {
        let worst = 0;
        const end = Math.min(length, (block + 1) << FAN);
        for (let i = block << FAN; i < end; i++) worst = Math.max(worst, below[i] as number);
        level[block] = worst;
      }
      below = level;
      length = size;
    }
  }

  firstEndingAfter(t: number): number {
    const ends = this.disjoint ? this.ends : (this.maxEnds ?? this.ends);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  firstStartingAt(t: number, from = 0): number {
    let low = from;
    let high = this.length;
    // Neighbouring questions have near answers: gallop before halving.
    for (let step = 8; low + step < high; step <<= 1) {
      if ((this.starts[low + step] as number) >= t) {
        high = low + step;
        break;
      }
      low += step;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] as number) < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  worstKind(from: number, until: number): number {
    let worst = 0;
    let row: Uint8Array = this.kinds;
    let low = from;
    let high = until;
    for (let k = 0; ; k++) {
      const above = this.levels[k];
      if (above === undefined || high - low <= FAN_SIZE * 2) {
        for (let i = low; i < high; i++) worst = Math.max(worst, row[i] as number);
        return worst;
      }
      const firstWhole = (low + FAN_SIZE - 1) >> FAN;
      const lastWhole = high >> FAN;
      for (let i = low; i < firstWhole << FAN; i++) worst = Math.max(worst, row[i] as number);
      for (let i = lastWhole << FAN; i < high; i++) worst = Math.max(worst, row[i] as number);
      row = above;
      low = firstWhole;
      high = lastWhole;
    }
  }

  busy(from: number, until: number): number {
    return this.before(until) - this.before(from);
  }

  private before(index: number): number {
    const block = index >> FAN;
    return (this.sums[block] as number) + this.lengthOf(block << FAN, index);
  }

  private ensureRoom(): void {
    if (this.length < this.starts.length) return;
    // Long rows grow by a quarter: room for a million calls that never come would cost more than the copies.
    const { length } = this;
    const size = length < 4096 ? length * 2 : Math.ceil((length * 5) / 4 / FAN_SIZE) * FAN_SIZE;
    const grow = <T extends Float64Array | Uint8Array | Uint32Array>(old: T, grown: T): T => {
      grown.set(old as never);
      return grown;
    };
    this.starts = grow(this.starts, new Float64Array(size));
    this.ends = grow(this.ends, new Float64Array(size));
    this.kinds = grow(this.kinds, new Uint8Array(size));
    this.items = grow(this.items, new Uint32Array(size));
  }
}
