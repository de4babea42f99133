import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { callLabel, cutTo, listNames } from '../../src-shared/timeline/words.ts';
import { resultText } from '../../src-shared/tool-call/content.ts';
import { sentResult, type ToolCall } from '../../src-shared/tool-call/state.ts';
import type { SessionTime } from '../../src-shared/units.ts';

export type StateRow = {
  /** From 1, in the order of the message. */
  readonly number: number;
  readonly call: ToolCall;
  readonly tool: string;
  readonly argument: string;
  readonly waitsFor: string;
  /** Since when it stands as it does. */
  readonly since: SessionTime;
};

/**
 * The calls of the newest request of any agent that asked for some, those that still wait first. `request`: its number
 * among the requests of its agent, where the file tells of them.
 */
export function stateRows(state: SessionState): {
  readonly request: number | undefined;
  readonly rows: readonly StateRow[];
} {
  const messageId = state.calls.at(-1)?.messageId;
  if (messageId === undefined) return { request: undefined, rows: [] };
  const calls = state.calls.filter((call) => call.messageId === messageId);
  const numbers = new Map(calls.map((call, at) => [call.callId, at + 1]));
  const request = state.requests.find((one) => one.messageId === messageId);
  const mine = state.requests.filter((one) => one.agentId === request?.agentId && one.attempt === 1);
  const number = request === undefined ? -1 : mine.indexOf(request);
  const rows = calls.map((call, at): StateRow => {
    const { tool, argument } = callLabel(call);
    return {
      number: at + 1,
      call,
      tool,
      argument: cutTo(argument, 60),
      waitsFor: waitsFor(call, calls, numbers),
      since: sinceOf(call),
    };
  });
  return {
    request: number < 0 ? undefined : number + 1,
    rows: rows.sort((a, b) => rank(a) - rank(b) || a.number - b.number),
  };
}

const ORDER = ['queued', 'executing', 'completed', 'yielded'];
const rank = ({ call }: StateRow): number => ORDER.indexOf(call.phase);

/** Others of the request by their numbers, as the table counts them. */
const callsByNumber = (ids: readonly string[], numbers: ReadonlyMap<string, number>): string => {
  const known = ids.flatMap((id) => numbers.get(id) ?? []).sort((a, b) => a - b);
  if (known.length === 0) return '';
  return `${known.length === 1 ? 'call' : 'calls'} ${listNames(known.map(String), 4)}`;
};

function waitsFor(call: ToolCall, calls: readonly ToolCall[], numbers: ReadonlyMap<string, number>): string {
  switch (call.phase) {
    case 'queued': {
      const wait = call.waits.at(-1);
      if (wait === undefined) return 'nothing yet';
      if (wait.why === 'no-lane') return 'a free lane';
      if (wait.why === 'message-open') return 'the end of the message';
      if (wait.why === 'hold') return 'the queue, which is held';
      // Some of those it began to wait for may be done.
      const open = wait.by.filter((id) => calls.some((one) => one.callId === id && !('end' in one)));
      return callsByNumber(open, numbers) || (wait.why === 'lock' ? 'the lock' : 'earlier calls');
    }
    case 'executing':
      return call.asks.at(-1) !== undefined && call.asks.at(-1)?.until === undefined ? 'you' : 'nothing';
    case 'completed': {
      // Results go to the model in the order of the calls.
      const earlier = calls
        .slice(0, calls.indexOf(call))
        .filter(({ phase }) => phase === 'queued' || phase === 'executing');
      const before = callsByNumber(
        earlier.map(({ callId }) => callId),
        numbers,
      );
      return before === '' ? 'its turn' : `its turn, after ${before}`;
    }
    case 'yielded':
      return 'nothing';
  }
}

function sinceOf(call: ToolCall): SessionTime {
  switch (call.phase) {
    case 'queued':
      return call.queuedAt;
    case 'executing':
      return call.run.at;
    case 'completed':
      return call.end.at;
    case 'yielded':
      return call.yieldedAt;
  }
}

export type StateFacts = {
  readonly lanes: number;
  readonly cap: number;
  readonly budget: number;
  /** Characters of results of the request's calls so far. */
  readonly budgetUsed: number;
  readonly folder: string;
  readonly read: number;
  readonly stale: number;
  /** What calls of the session have changed for those that follow. */
  readonly modifiers: readonly string[];
};

const MOST_MODIFIERS = 3;

/** What else was true then, in numbers. */
export function factsAt(state: SessionState): StateFacts {
  const agentId = state.calls.at(-1)?.agentId ?? MAIN_AGENT;
  const messageId = state.calls.at(-1)?.messageId;
  const running = state.calls.filter((call) => call.phase === 'executing' && call.agentId === agentId);
  let budgetUsed = 0;
  for (const call of state.calls) {
    if (call.messageId === messageId && 'end' in call) budgetUsed += resultText(sentResult(call)).length;
  }
  const seen = state.seenFiles.filter((file) => file.agentId === agentId);
  const stale = new Set(state.calls.flatMap((call) => (call.agentId === agentId ? call.staleFiles : [])));
  return {
    lanes: running.length,
    cap: state.settings.cap,
    budget: state.settings.messageBudget,
    budgetUsed,
    folder: state.folders.find((folder) => folder.agentId === agentId)?.cwd ?? state.cwd,
    read: seen.length,
    stale: stale.size,
    modifiers: state.calls.flatMap((call) => call.contextChanges).slice(-MOST_MODIFIERS),
  };
}
