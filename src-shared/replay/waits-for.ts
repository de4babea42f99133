import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { callLabel, callName, cutTo, formatCount, listNames } from '../timeline/words.ts';
import { isPaused, type ToolCall, type Wait } from '../tool-call/state.ts';

/**
 * What a call waits for. `lock`: other calls hold it or go first; `turn`: earlier results are handed over first;
 * `you`: a person; `other`: anything else. `calls` are the ones it waits for, as far as they are named.
 */
export type WaitsFor = {
  readonly kind: 'nothing' | 'lock' | 'turn' | 'you' | 'other';
  readonly words: string;
  readonly calls: readonly CallId[];
};

const NOTHING: WaitsFor = { kind: 'nothing', words: 'nothing', calls: [] };
const other = (words: string): WaitsFor => ({ kind: 'other', words, calls: [] });

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

const idOf = ({ callId }: ToolCall): CallId => callId;

function queuedWaits(state: SessionState, call: ToolCall): WaitsFor {
  const wait = call.waits.at(-1);
  if (wait === undefined || wait.until !== undefined) return other('its start');
  const holders = holdersOf(state, wait);
  const named = (words: string): WaitsFor => ({
    kind: 'lock',
    words: holders.length === 0 ? words : listNames(holders.map(shortName)),
    calls: holders.map(idOf),
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
      return { kind: 'you', words: 'you, the queue is held', calls: [] };
    default:
      return assertNever(wait.why, 'reason to wait');
  }
}

/** More numbers than this are counted and not listed. */
const NUMBERS = 3;

function turnWaits(state: SessionState, call: ToolCall): WaitsFor {
  // Asked for every row of a table: the few that go first are sorted, not all of the message.
  const before = state.calls
    .filter(
      ({ messageId, agentId, index, phase }) =>
        (phase === 'queued' || phase === 'executing') &&
        messageId === call.messageId &&
        agentId === call.agentId &&
        index < call.index,
    )
    .sort((one, other) => one.index - other.index);
  const numbers = before.map(({ index }) => formatCount(index + 1));
  return {
    kind: 'turn',
    words: before.length === 0 ? 'its turn' : `its turn, after ${listNames(numbers, NUMBERS)}`,
    calls: before.map(idOf),
  };
}

function executingWaits(state: SessionState, call: ToolCall): WaitsFor {
  if (call.cancellation !== undefined) return other('its own end');
  if (isPaused(call)) return { kind: 'you', words: 'you, at a breakpoint', calls: [] };
  if (call.asks.at(-1)?.until === undefined && call.asks.length > 0) {
    return { kind: 'you', words: 'your answer', calls: [] };
  }
  const stage = call.stages.at(-1);
  if (stage?.until !== undefined || (stage?.stage !== 'hooks-before' && stage?.stage !== 'hooks-after')) return NOTHING;
  const runId = call.hookRuns.at(-1);
  const run = runId === undefined ? undefined : state.hookRuns.findLast((one) => one.runId === runId);
  return other(run === undefined ? 'its hooks' : `the hook ${cutTo(run.command.split('/').at(-1) ?? '', 28)}`);
}

/** What the call waits for at the state's moment. Calls of a session that is over wait for nothing. */
export function waitsFor(state: SessionState, call: ToolCall): WaitsFor {
  if (state.ended !== undefined) return NOTHING;
  switch (call.phase) {
    case 'queued':
      return queuedWaits(state, call);
    case 'executing':
      return executingWaits(state, call);
    case 'completed':
      return call.end.outcome === 'discarded' ? NOTHING : turnWaits(state, call);
    case 'yielded':
      return NOTHING;
    default:
      return assertNever(call, 'call phase');
  }
}
