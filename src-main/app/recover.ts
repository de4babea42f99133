import type { CallId } from '../../src-shared/ids.ts';
import { type AssistantMessage, callById, type SessionState } from '../../src-shared/session/state.ts';
import { textResult } from '../../src-shared/tool-call/content.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { UNKNOWN_END } from '../core/results/texts.ts';
import type { SessionLog } from './session-log.ts';

/** What a call answers that had not begun its work when the app died: its start is written before it has any effect. */
const NEVER_RAN = 'Gantry ended before this call had begun its work. It was interrupted and has done nothing.';

/**
 * Makes a session that ended in the middle usable again: every call without an end gets an honest one, so that no
 * `tool_use` is left without its result, and requests, batches, turns, agents and background shells are closed (spec 4.1). A session that ended
 * well only gets the word that it was opened again.
 */
export function recover(log: SessionLog, app: string): void {
  const { state } = log;
  log.append({ type: 'session-resumed', app, after: state.ended === undefined ? 'crash' : 'clean' });
  closeOpenEnds(log, { neverRan: NEVER_RAN, ran: UNKNOWN_END, request: 'Gantry ended before the answer.' });
  log.sync();
}

/** What is said of what has no end. */
export type OpenEndWords = {
  /** The result of a call that had not begun its work. */
  readonly neverRan: string;
  readonly ran: string;
  readonly request: string;
};

/** Gives everything that was begun and not ended an honest end: calls their results, requests, batches, turns, agents. */
export function closeOpenEnds(log: SessionLog, words: OpenEndWords): void {
  const { state } = log;
  for (const message of assistantMessages(state)) queueLostCalls(log, message);
  const discarded = new Set(
    assistantMessages(state).flatMap((message) => (message.discarded ? [message.messageId] : [])),
  );
  for (const call of deepestFirst(state)) {
    // Calls of an agent that was thrown away with its call, too.
    const isDiscarded = discarded.has(call.messageId) || ('end' in call && call.end.outcome === 'discarded');
    endCall(log, call, { isDiscarded, words });
  }
  for (const { requestId, end } of [...state.requests]) {
    if (end === undefined) log.append({ type: 'request-failed', requestId, message: words.request });
  }
  for (const { batchId, from, until } of [...state.batches]) {
    if (from !== undefined && until === undefined) log.append({ type: 'batch-ended', batchId });
  }
  for (const { turnId, agentId, end } of [...state.turns]) {
    if (end === undefined) log.append({ type: 'turn-ended', turnId, agentId, reason: 'unknown' });
  }
  for (const { agentId, until } of [...state.agents].reverse()) {
    if (until === undefined) log.append({ type: 'agent-ended', agentId, reason: 'unknown' });
  }
  for (const { shellId, progress, end } of [...state.shells]) {
    // What became of its processes nobody saw: the helper that ran them ends them when the app dies.
    const bytes = progress === undefined ? {} : { bytes: progress.bytes };
    if (end === undefined) log.append({ type: 'shell-ended', shellId, end: { kind: 'unknown' }, ...bytes });
  }
}

/** The calls of an agent end before the one that had started it, as they would have; those of one agent in their order. */
function deepestFirst({ calls, agents }: SessionState): readonly ToolCall[] {
  const depths = new Map(agents.map(({ agentId, depth }) => [agentId, depth]));
  const depthOf = ({ agentId }: ToolCall): number => depths.get(agentId) ?? 0;
  return [...calls].sort((a, b) => depthOf(b) - depthOf(a));
}

const assistantMessages = (state: SessionState): readonly AssistantMessage[] =>
  state.entries.filter((entry) => entry.kind === 'assistant');

/** The journal may end between a block and the call it stands for. The call has its place, but never began. */
function queueLostCalls(log: SessionLog, message: AssistantMessage): void {
  const { messageId, agentId } = message;
  const uses = message.blocks.flatMap((block) => (block.kind === 'tool-use' ? [block] : []));
  for (const [index, { callId, tool }] of uses.entries()) {
    if (callById(log.state, callId) !== undefined) continue;
    const safety = { safe: false, because: 'not-recorded' } as const;
    log.append({ type: 'call-queued', callId, agentId, messageId, index, tool, input: {}, summary: '', safety });
  }
}

function endCall(
  log: SessionLog,
  call: ToolCall,
  { isDiscarded, words }: { readonly isDiscarded: boolean; readonly words: OpenEndWords },
): void {
  const { callId } = call;
  if (call.phase === 'queued' || call.phase === 'executing') {
    closeQuestion(log, call);
    const text = call.stages.some(({ stage }) => stage === 'run') ? words.ran : words.neverRan;
    const result = textResult(text, true);
    log.append({ type: 'call-completed', callId, outcome: 'unknown', result, timing: MEASURED });
  }
  // Results of a message that was thrown away are never handed on (spec 1.9).
  if (call.phase !== 'yielded' && !isDiscarded) yieldCall(log, callId);
}

function closeQuestion(log: SessionLog, { callId, asks }: ToolCall): void {
  const open = asks.at(-1);
  if (open === undefined || open.until !== undefined) return;
  const { askId, trace } = open;
  log.append({ type: 'permission-settled', callId, askId, verdict: 'deny', by: 'closed', trace: [...trace] });
}

const yieldCall = (log: SessionLog, callId: CallId): void => log.append({ type: 'call-yielded', callId });
