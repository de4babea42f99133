import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { callLabel, callName, cutTo, formatCount, listNames } from '../timeline/words.ts';
import { isPaused, type ToolCall, type Wait } from '../tool-call/state.ts';

/**
 * What a call waits for. `lock`: other calls hold it or go first; `turn`: earlier results are handed over first;
 * `you`: a person; `other`: anything else. `calls` are the first of those it waits for, as far as they are named, and `more` how many come after them.
 */
export type WaitsFor = {
  readonly kind: 'nothing' | 'lock' | 'turn' | 'you' | 'other';
  readonly words: string;
  readonly calls: readonly CallId[];
  readonly more: number;
};

const NOTHING: WaitsFor = { kind: 'nothing', words: 'nothing', calls: [], more: 0 };
const other = (words: string): WaitsFor => ({ kind: 'other', words, calls: [], more: 0 });

/** Short enough for a cell and a link: the command alone, or `Edit(price.ts)`. */
export function shortName(call: Pick<ToolCall, 'tool' | 'summary'>): string {
  const { tool, argument } = callLabel(call);
  return tool === 'Bash' && argument !== '' ? cutTo(argument, 28) : callName(call);
}

/** The calls that a wait is for and that are still there: holders become fewer while it goes on. */
export function holdersOf(state: SessionState, wait: Wait): readonly ToolCall[] {
  return wait.by.flatMap((id) => {
    const call = callById(state, id);
    return call === undefined || call.phase === 'completed' || call.phase === 'yielded' ? [] : [call];
  });
}

/** At most so many calls are handed out by id. */
const NAMED = 16;

const idOf = ({ callId }: ToolCall): CallId => callId;

function queuedWaits(state: SessionState, call: ToolCall): WaitsFor {
  const wait = call.waits.at(-1);
  if (wait === undefined || wait.until !== undefined) return other('its start');
  const holders = holdersOf(state, wait);
  const named = (words: string): WaitsFor => ({
    kind: 'lock',
    words: holders.length === 0 ? words : listNames(holders.map(shortName)),
    calls: holders.slice(0, NAMED).map(idOf),
    more: Math.max(0, holders.length - NAMED),
  });
  switch (wait.why) {
    case 'lock':
      return named('the lock');
    case 'order':
      return named('an earlier call');
    case 'batch':
      return named('the batch before');
    case 'no-lane':
      return other('a free lane');
    case 'message-open':
    case 'settings':
      return other('the end of the message');
    case 'hold':
      return { kind: 'you', words: 'you, the queue is held', calls: [], more: 0 };
    default:
      return assertNever(wait.why, 'reason to wait');
  }
}

/** More numbers than this are counted and not listed. */
const NUMBERS = 3;

/** Those of a message that have not ended, in its order. */
export const openCalls = (calls: readonly ToolCall[]): readonly ToolCall[] =>
  calls.filter(({ phase }) => phase === 'queued' || phase === 'executing').sort((a, b) => a.index - b.index);

const openOf = (state: SessionState, { messageId, agentId }: ToolCall): readonly ToolCall[] =>
  openCalls(state.calls.filter((one) => one.messageId === messageId && one.agentId === agentId));

/** How many of a sorted list come before a place, by halving: a table asks for each of its rows. */
function countBefore(open: readonly ToolCall[], index: number): number {
  let low = 0;
  let high = open.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((open[middle] as ToolCall).index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function turnWaits(call: ToolCall, open: readonly ToolCall[]): WaitsFor {
  const count = countBefore(open, call.index);
  if (count === 0) return { kind: 'turn', words: 'its turn', calls: [], more: 0 };
  const shown = count > NUMBERS ? NUMBERS - 1 : count;
  const numbers = open.slice(0, shown).map(({ index }) => formatCount(index + 1));
  const words = shown === count ? listNames(numbers) : `${numbers.join(', ')} and ${formatCount(count - shown)} more`;
  const calls = open.slice(0, Math.min(count, NAMED)).map(idOf);
  return { kind: 'turn', words: `its turn, after ${words}`, calls, more: count - calls.length };
}

function executingWaits(state: SessionState, call: ToolCall): WaitsFor {
  if (call.cancellation !== undefined) return other('its own end');
  if (isPaused(call)) return { kind: 'you', words: 'you, at a breakpoint', calls: [], more: 0 };
  if (call.asks.at(-1)?.until === undefined && call.asks.length > 0) {
    return { kind: 'you', words: 'your answer', calls: [], more: 0 };
  }
  const stage = call.stages.at(-1);
  if (stage?.until !== undefined || (stage?.stage !== 'hooks-before' && stage?.stage !== 'hooks-after')) return NOTHING;
  const runId = call.hookRuns.at(-1);
  const run = runId === undefined ? undefined : state.hookRuns.findLast((one) => one.runId === runId);
  return other(run === undefined ? 'its hooks' : `the hook ${cutTo(run.command.split('/').at(-1) ?? '', 28)}`);
}

/**
 * What the call waits for at the state's moment. Calls of a session that is over wait for nothing.
 * @param open `openCalls` of its message, where it is asked for many of its calls.
 */
export function waitsFor(
  state: SessionState,
  call: ToolCall,
  open: readonly ToolCall[] | undefined = undefined,
): WaitsFor {
  if (state.ended !== undefined) return NOTHING;
  switch (call.phase) {
    case 'queued':
      return queuedWaits(state, call);
    case 'executing':
      return executingWaits(state, call);
    case 'completed':
      return call.end.outcome === 'discarded' ? NOTHING : turnWaits(call, open ?? openOf(state, call));
    case 'yielded':
      return NOTHING;
    default:
      return assertNever(call, 'call phase');
  }
}
