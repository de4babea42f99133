import type { CallId } from '../ids.ts';
import type { SessionState } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import type { CascadeMark } from './tracks.ts';

/** Collects who pulled down whom. Victims that join a cascade later than its event count too (spec 1.8). */
export class CascadeBook {
  private readonly victims = new Map<CallId, Set<number>>();
  private built: readonly CascadeMark[] = [];
  private builtFor = -1;
  private changed = true;

  take(call: ToolCall, index: number): void {
    const culprit = call.cancellation?.reason === 'sibling_error' ? call.cancellation.culprit : undefined;
    if (culprit === undefined) return;
    const known = this.victims.get(culprit);
    if (known === undefined) this.victims.set(culprit, new Set([index]));
    else known.add(index);
    this.changed = true;
  }

  /** One mark per culprit, in time order. Cascades without a victim are none. */
  marks(state: SessionState): readonly CascadeMark[] {
    if (!this.changed && this.builtFor === state.cascades.length) return this.built;
    const found = new Map<CallId, { at: number; victims: Set<number> }>();
    for (const cascade of state.cascades) {
      const victims = found.get(cascade.culprit)?.victims ?? new Set<number>();
      for (const id of cascade.victims) {
        const index = state.callIndex[id];
        if (index !== undefined) victims.add(index);
      }
      found.set(cascade.culprit, { at: cascade.at, victims });
    }
    for (const [culprit, late] of this.victims) {
      const known = found.get(culprit);
      const at = known?.at ?? Math.min(...[...late].map((i) => (state.calls[i] as ToolCall).cancellation?.at ?? 0));
      found.set(culprit, { at, victims: new Set([...(known?.victims ?? []), ...late]) });
    }
    const marks: CascadeMark[] = [];
    for (const [id, { at, victims }] of found) {
      const culprit = state.callIndex[id];
      if (culprit === undefined || victims.size === 0) continue;
      const list = [...victims].sort((a, b) => a - b);
      const { agentId } = state.calls[culprit] as ToolCall;
      marks.push({ agentId, culprit, victims: list, at, lostMs: lostIn(state, list) });
    }
    marks.sort((a, b) => a.at - b.at);
    this.built = marks;
    this.builtFor = state.cascades.length;
    this.changed = false;
    return marks;
  }
}

/** Time the victims had run; a victim that still drains counts up to its cancellation. */
function lostIn(state: SessionState, victims: readonly number[]): number {
  let lost = 0;
  for (const index of victims) {
    const call = state.calls[index] as ToolCall;
    if (call.phase === 'queued' || call.run === undefined) continue;
    const end = call.phase === 'executing' ? call.cancellation?.at : call.end.at;
    if (end !== undefined) lost += Math.max(0, end - call.run.at);
  }
  return lost;
}
