import { bigSession } from '../../src-renderer/timeline/samples/big.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { barKind, isEnded } from '../../src-shared/timeline/parts.ts';

/** Finished calls as columns, in the order of their starts within each lane. */
export type LaneColumns = {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** How bad: 0 is well. */
  readonly kinds: Uint8Array;
  readonly names: readonly string[];
};

export type Calls = {
  readonly count: number;
  readonly until: number;
  readonly state: SessionState;
  readonly lanes: readonly LaneColumns[];
};

/** The same made-up calls for every contender; each takes of them what it needs. */
export function makeCalls(count: number): Calls {
  const state = bigSession(count);
  const lanes: { starts: number[]; ends: number[]; kinds: number[]; names: string[] }[] = [];
  for (const call of state.calls) {
    if (!isEnded(call) || call.run === undefined) continue;
    let lane = lanes[call.run.lane];
    if (lane === undefined) {
      lane = { starts: [], ends: [], kinds: [], names: [] };
      lanes[call.run.lane] = lane;
    }
    lane.starts.push(call.run.at);
    lane.ends.push(call.end.at);
    lane.kinds.push(barKind(call));
    lane.names.push(call.tool);
  }
  return {
    count,
    until: state.now,
    state,
    lanes: lanes.map(({ starts, ends, kinds, names }) => ({
      starts: Float64Array.from(starts),
      ends: Float64Array.from(ends),
      kinds: Uint8Array.from(kinds),
      names,
    })),
  };
}
