import type { AgentId, CallId } from '../../../../src-shared/ids.ts';
import type { SessionEvent, TurnEnd } from '../../../../src-shared/session/event.ts';
import { foldSession, type SessionState } from '../../../../src-shared/session/state.ts';
import { resultText } from '../../../../src-shared/tool-call/content.ts';
import type { Outcome } from '../../../../src-shared/tool-call/event.ts';
import type { ToolCall } from '../../../../src-shared/tool-call/state.ts';
import { RECORDED_FOLDER } from './shop.ts';

/** How one call ended, in words that can be compared between the recorded program and ours. */
export type CallEnd = {
  readonly tool: string;
  readonly summary: string;
  readonly outcome: Outcome;
  readonly started: boolean;
  /** The call whose failure cancelled it. */
  readonly culprit: CallId | undefined;
  /**
   * Bytes of the output that was saved to a file instead of going to the model. Not of a call that was stopped: what it
   * had written by then is kept too, and is a matter of chance.
   */
  readonly savedBytes: number | undefined;
  /** What the model got. */
  readonly text: string;
};

/** How everything of a session ended. */
export type Ends = {
  /** In the order of the blocks, agent by agent. */
  readonly calls: ReadonlyMap<CallId, CallEnd>;
  /** Of each message with calls: its calls, and the order in which their results came out. */
  readonly messages: readonly { readonly calls: readonly CallId[]; readonly came: readonly CallId[] }[];
  readonly turns: readonly (TurnEnd | undefined)[];
};

/** @param cwd the session's working folder, which becomes the recorded one. */
export function endsOf(events: readonly SessionEvent[], cwd: string): Ends {
  const state = foldSession(events);
  return {
    calls: new Map(agentByAgent(state.calls, state).map((call) => [call.callId, endOf(call, cwd)])),
    messages: messagesOf(events, state),
    turns: state.turns.map((turn) => turn.end?.reason),
  };
}

function endOf(call: ToolCall, cwd: string): CallEnd {
  const end = 'end' in call ? call.end : undefined;
  const result = call.replaced ?? end?.result;
  return {
    tool: call.tool,
    summary: call.summary,
    outcome: end?.outcome ?? 'unknown',
    started: call.phase !== 'queued' && call.run !== undefined,
    culprit: call.cancellation?.culprit,
    savedBytes: call.cancellation === undefined ? call.saved?.bytes : undefined,
    text: result === undefined ? '' : portable(resultText({ isError: false, content: [...result.content] }), cwd),
  };
}

/** Without what is another in every run: folders, the places of saved files, the id of the one commit. */
const portable = (text: string, cwd: string): string =>
  text
    .replaceAll(cwd, RECORDED_FOLDER)
    .replace(/(Full output saved to: ).*$/m, '$1FILE')
    .replace(/^[0-9a-f]{7,} init$/m, 'COMMIT init');

/** What agents do at once comes in any order; of one agent it stays in its own. */
function agentByAgent<T extends { readonly agentId: AgentId }>(all: readonly T[], { agents }: SessionState): T[] {
  const places = new Map(agents.map(({ agentId }, at) => [agentId, at + 1]));
  const placeOf = ({ agentId }: T): number => places.get(agentId) ?? 0;
  return [...all].sort((a, b) => placeOf(a) - placeOf(b));
}

function messagesOf(events: readonly SessionEvent[], state: SessionState): Ends['messages'] {
  const order = events.flatMap((event) => (event.type === 'call-yielded' ? [event.callId] : []));
  const messages = state.entries.flatMap((entry) => (entry.kind === 'assistant' ? [entry] : []));
  return agentByAgent(messages, state).flatMap((entry) => {
    if (entry.discarded) return [];
    const calls = entry.blocks.flatMap((block) => (block.kind === 'tool-use' ? [block.callId] : []));
    return calls.length === 0 ? [] : [{ calls, came: order.filter((callId) => calls.includes(callId)) }];
  });
}
