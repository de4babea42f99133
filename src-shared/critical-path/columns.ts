import type { AgentId, CallId } from '../ids.ts';
import type { CriticalPath, PathPlace } from './path.ts';

/** Paths as the chart reads them: one segment after the other in time order, found by binary search. */
export type PathColumns = {
  readonly length: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly places: readonly PathPlace[];
  readonly agents: readonly AgentId[];
  readonly calls: readonly (CallId | undefined)[];
};

/** @param paths oldest first; where turns overlap, the later one goes on where the earlier ended. */
export function pathColumns(paths: readonly CriticalPath[]): PathColumns {
  const most = paths.reduce((sum, { segments }) => sum + segments.length, 0);
  const starts = new Float64Array(most);
  const ends = new Float64Array(most);
  const places: PathPlace[] = [];
  const agents: AgentId[] = [];
  const calls: (CallId | undefined)[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { segments } of paths) {
    for (const segment of segments) {
      if (segment.until <= end) continue;
      const at = places.length;
      starts[at] = Math.max(end, segment.from);
      ends[at] = end = segment.until;
      places.push(segment.place);
      agents.push(segment.agentId);
      calls.push(segment.callId);
    }
  }
  return { length: places.length, starts, ends, places, agents, calls };
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
