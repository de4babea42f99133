import type { BlockedBy } from '../tool-call/event.ts';
import type { Policy } from './policy.ts';
import { type Entry, idOf, inCallOrder, type State, type Wait } from './state.ts';
import type { Decision } from './types.ts';

/** Lane holders named in one decision. Naming them all would make a journal quadratic where the cap is huge. */
const NAMED_LANE_HOLDERS = 16;

/** Why the call does not start now: what its strategy says, else no lane is free, else the debugger holds the queue. */
const whyOf = (policy: Policy, state: State, entry: Entry): BlockedBy =>
  policy.whyWaits(state, entry) ?? (state.running.size < state.options.cap ? 'hold' : 'no-lane');

function waitOf(policy: Policy, state: State, entry: Entry, why: BlockedBy): Wait {
  if (why === 'hold') return { why, by: [] };
  if (why !== 'no-lane') return { why, by: policy.holders(state, entry, why) };
  state.laneWait ??= { why, by: state.running.occupants(NAMED_LANE_HOLDERS).sort(inCallOrder).map(idOf) };
  return state.laneWait;
}

/**
 * Tells a wait that differs from the one told last. The same reason is no news: its holders only become fewer (a lock)
 * or change places (lanes), which their own starts and ends tell. Neither is a lock held by the one call that was named
 * when it was still queued.
 */
function tellNews(entry: Entry, wait: Wait, out: Decision[]): void {
  if (entry.toldWhy === wait.why) return;
  const isStillThatCall = wait.by.length === 1 && wait.by[0] === entry.toldBy;
  if (wait.why === 'lock' && entry.toldWhy === 'order' && isStillThatCall) entry.toldWhy = 'lock';
  else tell(entry, wait, out);
}

function tell(entry: Entry, wait: Wait, out: Decision[]): void {
  entry.toldWhy = wait.why;
  entry.toldBy = wait.by.length === 1 ? wait.by[0] : undefined;
  out.push({ type: 'blocked', callId: idOf(entry), why: wait.why, by: wait.by });
}

/** Says why a call that has just been added does not start. */
export function tellAdded(policy: Policy, state: State, entry: Entry, out: Decision[]): void {
  tell(entry, waitOf(policy, state, entry, whyOf(policy, state, entry)), out);
}

/**
 * Says what the first of the queue has come to wait for, and those behind it that had been waiting for an earlier call
 * and now wait for the same as the first. Among calls that wait for a lane or the hold only the first is told of a
 * change from one to the other: so each call is told a few times in all, however many calls end before it.
 */
export function tellFirst(policy: Policy, state: State, out: Decision[]): void {
  const first = state.entries[state.head];
  if (first === undefined) return;
  const why = whyOf(policy, state, first);
  if (first.toldWhy === why) return;
  const wait = waitOf(policy, state, first, why);
  tellNews(first, wait, out);
  for (let at = state.head + 1; at < state.entries.length; at += 1) {
    const entry = state.entries[at] as Entry;
    if (entry.phase !== 'queued') continue;
    const told = entry.toldWhy;
    if (told === why || told === 'no-lane' || told === 'hold' || !policy.waitsLike(first, entry)) return;
    tellNews(entry, wait, out);
  }
}

/** The message is complete and its batches are planned: says which batch each call waits for. */
export function tellPlanned(policy: Policy, state: State, out: Decision[]): void {
  for (let at = state.head; at < state.entries.length; at += 1) {
    const entry = state.entries[at] as Entry;
    const why = policy.whyWaits(state, entry);
    if (why !== undefined) tellNews(entry, waitOf(policy, state, entry, why), out);
  }
}
