import type { CallId } from '../ids.ts';
import { isOver } from '../session/is-over.ts';
import { callById, type SessionState } from '../session/state.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { barParts, heldSpan, type PartKind } from './parts.ts';
import { callName, formatMillis, listNames } from './words.ts';

/** A wait of a call that had started, as a sentence. `by`: the calls that are named in it. */
export type LaterWait = { readonly text: string; readonly by: readonly CallId[] };

/** Shorter waits are not told, in ms. */
const NEWS_MS = 50;

const WORDS: Readonly<Partial<Record<PartKind, string>>> = {
  permission: 'for your answer',
  paused: 'at a breakpoint',
  hooks: 'for its hooks',
};

/**
 * What a call waited for after its start, and after its end: a person, a breakpoint, hooks, the turn of its result. In the
 * order of the bar, equal kinds summed.
 */
export function laterWaits(state: SessionState, call: ToolCall, now: number = state.now): readonly LaterWait[] {
  const sums = new Map<PartKind, { ms: number; goesOn: boolean }>();
  for (const { kind, from, until } of barParts(call)) {
    const sum = sums.get(kind) ?? { ms: 0, goesOn: false };
    sum.ms += Math.max(0, (until ?? now) - from);
    sum.goesOn ||= until === undefined;
    sums.set(kind, sum);
  }
  const found: LaterWait[] = [];
  const over = isOver(state);
  for (const [kind, { ms, goesOn }] of sums) {
    const words = WORDS[kind];
    if (words === undefined || ms < NEWS_MS) continue;
    const verb = goesOn && !over ? 'It has waited' : 'It waited';
    found.push({ text: `${verb} ${formatMillis(ms)} ${words}.`, by: [] });
  }
  const held = heldSpan(call, over);
  if (held === undefined) return found;
  const ms = (held.until ?? now) - held.from;
  if (ms < NEWS_MS) return found;
  const by = holdersOf(state, call, held.from);
  const names = listNames(by.flatMap((id) => nameOf(state, id)));
  if (names === '') return found;
  const length = formatMillis(ms);
  const verb = held.until === undefined ? 'is held back,' : 'was held back';
  found.push({
    text: `Its result ${verb} ${length}${held.until === undefined ? ' so far' : ''}: ${names} came first.`,
    by,
  });
  return found;
}

const nameOf = (state: SessionState, id: CallId): readonly string[] => {
  const call = callById(state, id);
  return call === undefined ? [] : [callName(call)];
};

/** Earlier calls of the same message that had not ended by then: results keep the order of their calls. */
function holdersOf(state: SessionState, call: ToolCall, t: number): readonly CallId[] {
  const found: CallId[] = [];
  const at = state.callIndex[call.callId] ?? 0;
  for (let i = at - 1; i >= 0; i--) {
    const before = state.calls[i] as ToolCall;
    if (before.messageId !== call.messageId) {
      if (before.agentId === call.agentId) break;
      continue;
    }
    const isLate = before.phase === 'queued' || before.phase === 'executing' || before.end.at > t;
    if (isLate) found.unshift(before.callId);
  }
  return found;
}
