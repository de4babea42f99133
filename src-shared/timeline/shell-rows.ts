import type { Shell } from '../shell/state.ts';
import { GrowingBars } from './bars.ts';
import { KIND, type KindNumber } from './parts.ts';

/** More shells at once than this share the last row. */
const MOST_ROWS = 4;

/** How the bar of a background shell looks: by its end, and whose doing that was. */
export function shellKind({ end }: Shell): KindNumber {
  switch (end?.how.kind) {
    case undefined:
      return KIND.ok;
    case 'exited':
      return end?.how.kind === 'exited' && end.how.code !== 0 ? KIND.error : KIND.ok;
    case 'signalled':
    case 'output-limit':
    case 'host-lost':
      return KIND.error;
    case 'killed':
    case 'session-closed':
      return KIND.cancelled;
    case 'unknown':
      return KIND.unknown;
  }
}

/** The bars of background shells, from launch to end; those that run at the same time lie in rows of their own. */
export class ShellRows {
  readonly rows: GrowingBars[] = [];
  /** End of the last shell of each row. */
  private readonly freeFrom: number[] = [];
  private readonly rowOf = new Map<number, number>();

  /** Takes over what is now known of a shell. They come in the order of their starts. */
  take(shell: Shell, item: number): void {
    const end = shell.end?.at ?? Number.POSITIVE_INFINITY;
    let row = this.rowOf.get(item);
    if (row === undefined) {
      const free = this.freeFrom.findIndex((from) => from <= shell.from);
      row = free >= 0 ? free : Math.min(this.rows.length, MOST_ROWS - 1);
      this.rowOf.set(item, row);
    }
    while (this.rows.length <= row) this.rows.push(new GrowingBars());
    this.freeFrom[row] = Math.max(end, this.lastEnd(row, item));
    this.rows[row]?.put(item, shell.from, end, shellKind(shell));
  }

  private lastEnd(row: number, except: number): number {
    const bars = this.rows[row];
    let last = 0;
    for (let i = 0; i < (bars?.length ?? 0); i++) {
      if (bars?.items[i] !== except) last = Math.max(last, bars?.ends[i] ?? 0);
    }
    return last;
  }

  finish(): void {
    for (const row of this.rows) row.finish();
  }
}
