import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { formatMoment, outcomeWords } from '../timeline/words.ts';
import type { Cancellation, End, ToolCall } from '../tool-call/state.ts';
import { shortName } from './waits-for.ts';

/** What becomes of a call after a moment, in sentences, and when that is. */
export type Ahead = { readonly words: string; readonly at: number | undefined };

function cause(whole: SessionState, { reason, culprit }: Cancellation): string {
  switch (reason) {
    case 'sibling_error': {
      const call = culprit === undefined ? undefined : callById(whole, culprit);
      return `${call === undefined ? 'another call' : shortName(call)} fails and cancels it`;
    }
    case 'escape':
      return 'you stop the turn';
    case 'interrupt':
      return 'you send a message that cannot wait';
    case 'discarded':
      return 'the stream of the model breaks';
    case 'shutdown':
      return 'the app is closed';
    case 'refused':
      return 'the model refuses to go on';
    case 'cut-off':
      return 'the message is cut off';
    default:
      return assertNever(reason, 'cancel reason');
  }
}

/** A point in time at the head of a sentence; a file without times has none. */
const from = (t: number, timed: boolean, sentence: string): string =>
  `${timed ? `At ${formatMoment(t)}` : 'Then'} ${sentence}.`;

const when = (t: number, timed: boolean): string => (timed ? ` at ${formatMoment(t)}` : '');

const startOf = (call: ToolCall): number | undefined => (call.phase === 'queued' ? undefined : call.run?.at);
const endOf = (call: ToolCall): End | undefined => ('end' in call ? call.end : undefined);

/** The end of a call that runs now, or that would have run. */
function ending(whole: SessionState, later: ToolCall, timed: boolean): Ahead {
  const end = endOf(later);
  if (end === undefined) return { words: 'How it ends is not recorded.', at: undefined };
  const { cancellation } = later;
  if (cancellation !== undefined) {
    const at = cancellation.at;
    return { words: from(at, timed, cause(whole, cancellation)), at };
  }
  return { words: `It ends${when(end.at, timed)}: ${outcomeWords(later)}.`, at: end.at };
}

/**
 * What the rest of the session has for a call: `now` as it is at the playhead, `whole` the session to its end. Undefined
 * where nothing more comes. Without times in the file (`timed`) none are told.
 */
export function aheadOf(whole: SessionState, now: ToolCall, timed: boolean): Ahead | undefined {
  const later = callById(whole, now.callId as CallId);
  if (later === undefined || now.phase === 'yielded') return undefined;
  if (now.phase === 'queued') return aheadOfQueued(whole, later, timed);
  if (now.phase === 'executing') {
    const answer = aheadOfAsk(now, later, timed);
    return answer ?? ending(whole, later, timed);
  }
  if (later.phase !== 'yielded') return undefined;
  return { words: `Its result is handed over${when(later.yieldedAt, timed)}.`, at: later.yieldedAt };
}

function aheadOfQueued(whole: SessionState, later: ToolCall, timed: boolean): Ahead {
  const start = startOf(later);
  if (start !== undefined) {
    const end = ending(whole, later, timed);
    return { words: `It starts${when(start, timed)}. ${end.words}`, at: start };
  }
  const end = endOf(later);
  if (end === undefined) return { words: 'The session ends before it starts.', at: undefined };
  const never = ending(whole, later, timed);
  return { words: `It never starts. ${never.words}`, at: never.at };
}

/** A question that is open now, and how it is answered. */
function aheadOfAsk(now: ToolCall, later: ToolCall, timed: boolean): Ahead | undefined {
  const open = now.asks.at(-1);
  if (open === undefined || open.until !== undefined) return undefined;
  const settled = later.permission;
  const until = later.asks.find(({ askId }) => askId === open.askId)?.until;
  if (until === undefined || settled?.at !== until || settled.by !== 'user') return undefined;
  return { words: from(until, timed, settled.verdict === 'allow' ? 'you allow it' : 'you deny it'), at: until };
}
