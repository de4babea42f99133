import type { AgentId, CallId } from '../ids.ts';
import type { CriticalPath, PathPlace } from './path.ts';

/**
 * Paths as the chart reads them: one segment after the other in time order, found by binary search. `breaks[i]` is 1
 * where the line begins anew: at the first segment of each turn.
 */
export type PathColumns = {
  readonly length: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly breaks: Uint8Array;
  readonly places: readonly PathPlace[];
  readonly agents: readonly AgentId[];
  readonly calls: readonly (CallId | undefined)[];
};

/** @param paths oldest first; where turns overlap, the later one goes on where the earlier ended. */
export function pathColumns(paths: readonly CriticalPath[]): PathColumns {
  const segments = paths.flatMap((path) => path.segments.map((segment, at) => ({ ...segment, isFirst: at === 0 })));
  let end = Number.NEGATIVE_INFINITY;
  const shown = segments.flatMap((segment) => {
    if (segment.until <= end) return [];
    const from = Math.max(end, segment.from);
    end = segment.until;
    return [{ ...segment, from }];
  });
  return {
    length: shown.length,
    starts: Float64Array.from(shown, ({ from }) => from),
    ends: Float64Array.from(shown, ({ until }) => until),
    breaks: Uint8Array.from(shown, ({ isFirst }) => (isFirst ? 1 : 0)),
    places: shown.map(({ place }) => place),
    agents: shown.map(({ agentId }) => agentId),
    calls: shown.map(({ callId }) => callId),
  };
}

/** Index of the first segment that ends after `t`; `length` where none does. */
export function segmentAt({ length, ends }: PathColumns, t: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) > t) high = middle;
    else low = middle + 1;
  }
  return low;
}
