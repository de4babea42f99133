import { CircleHelp, Ellipsis, type LucideIcon } from 'lucide-react';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { formatMoment } from '../../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { outcomeWords } from '../../widgets/outcome.ts';
import type { PillTone } from '../../widgets/Pill.tsx';

export type StateWords = { readonly tone: PillTone; readonly icon: LucideIcon | undefined; readonly label: string };

/** How a call stands in the queue: its phase, and its end where that is not plain. */
export function stateWords(state: SessionState, call: ToolCall): StateWords {
  const { tone, icon, label } = outcomeWords(call, true);
  if (call.phase === 'queued' || call.phase === 'executing') {
    if (state.ended !== undefined) return { tone: 'neutral', icon: CircleHelp, label: 'unknown' };
    return call.cancellation !== undefined ? { tone: 'cancelled', icon, label: 'stopping' } : { tone, icon, label };
  }
  // The row says in its own column what a completed call waits for: here it is told that its result is held.
  if (call.end.outcome === 'ok')
    return { tone: 'neutral', icon: call.phase === 'completed' ? Ellipsis : icon, label: call.phase };
  return { tone, icon, label };
}

/** `State at 17.60 s`, `State now`, `State at the end`. */
export function titleOf(state: SessionState, at: number | undefined, timed: boolean): string {
  if (at !== undefined) return timed ? `State at ${formatMoment(at)}` : 'State at the playhead';
  return state.ended === undefined ? 'State now' : 'State at the end';
}
