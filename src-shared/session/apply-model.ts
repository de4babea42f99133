import { assertNever } from '../assert-never.ts';
import type { MessageId, RequestId } from '../ids.ts';
import type { EventOf } from './event.ts';
import { grown } from './grown.ts';
import { replaceLast } from './replace-last.ts';
import type { AssistantMessage, ModelRequest, SessionState } from './state.ts';

/** Requests to the model and the messages that came of them. */
export function applyModel(
  state: SessionState,
  e: EventOf<
    | 'model-chosen'
    | 'prompt-prepared'
    | 'request-started'
    | 'message-started'
    | 'block-arrived'
    | 'block-growing'
    | 'message-completed'
    | 'request-failed'
    | 'attempt-discarded'
  >,
): void {
  switch (e.type) {
    case 'model-chosen':
      state.model = e.model;
      return;
    case 'prompt-prepared':
      // The first one counts: what was sent once is sent in the same form ever after.
      if (state.prompts.some(({ agentId }) => agentId === e.agentId)) return;
      state.prompts.push({ agentId: e.agentId, text: e.text, sources: e.sources });
      return;
    case 'request-started':
      state.requests.push(newRequest(e));
      return;
    case 'message-started':
      updateRequest(state, e.requestId, (request) => ({ ...request, messageId: e.messageId, model: e.model }));
      state.entries.push({
        kind: 'assistant',
        messageId: e.messageId,
        agentId: e.agentId,
        requestId: e.requestId,
        at: e.t,
        blocks: [],
        growing: undefined,
        discarded: false,
        ...(e.thoughtsRefused === undefined ? {} : { thoughtsRefused: e.thoughtsRefused }),
      });
      return;
    case 'block-growing':
      updateMessage(state, e.messageId, (message) => ({ ...message, growing: furtherGrown(message.growing, e) }));
      return;
    case 'block-arrived':
      updateMessage(state, e.messageId, (message) => ({ ...message, growing: undefined }));
      updateMessage(state, e.messageId, (message) => ({ ...message, blocks: grown(message.blocks, e.block) }));
      replaceLast(
        state.requests,
        (request) => request.messageId === e.messageId,
        (request) => ({
          ...request,
          firstBlockAt: request.firstBlockAt ?? e.t,
          blockTimes: grown(request.blockTimes, e.t),
        }),
      );
      return;
    case 'message-completed':
      updateRequest(state, e.requestId, (request) => ({
        ...request,
        end: { at: e.t, kind: 'completed', stopReason: e.stopReason, usage: e.usage },
      }));
      stopGrowing(state, e.requestId);
      return;
    case 'request-failed':
      updateRequest(state, e.requestId, (request) => ({
        ...request,
        end: { at: e.t, kind: 'failed', message: e.message, retryInMs: e.retryInMs },
      }));
      stopGrowing(state, e.requestId);
      return;
    case 'attempt-discarded':
      updateMessage(state, e.messageId, (message) => ({ ...message, discarded: true }));
      return;
    default:
      assertNever(e, 'model event');
  }
}

const furtherGrown = (before: AssistantMessage['growing'], e: EventOf<'block-growing'>) => ({
  kind: e.kind,
  text: `${before?.text ?? ''}${e.added}`,
  size: e.size,
  tool: e.tool,
});

/** What was not whole when its message ended will never be. */
function stopGrowing(state: SessionState, requestId: RequestId): void {
  const at = state.entries.findLastIndex((entry) => entry.kind === 'assistant' && entry.requestId === requestId);
  const entry = state.entries[at];
  if (entry?.kind === 'assistant' && entry.growing !== undefined) state.entries[at] = { ...entry, growing: undefined };
}

const newRequest = (e: EventOf<'request-started'>): ModelRequest => ({
  requestId: e.requestId,
  agentId: e.agentId,
  turnId: e.turnId,
  attempt: e.attempt,
  purpose: e.purpose,
  from: e.t,
  timing: e.timing,
  messageId: undefined,
  model: undefined,
  firstBlockAt: undefined,
  blockTimes: [],
  end: undefined,
});

const updateRequest = (state: SessionState, id: RequestId, next: (request: ModelRequest) => ModelRequest): void =>
  replaceLast(state.requests, (request) => request.requestId === id, next);

const updateMessage = (
  state: SessionState,
  id: MessageId,
  next: (message: AssistantMessage) => AssistantMessage,
): void =>
  replaceLast(
    state.entries,
    (entry) => entry.kind === 'assistant' && entry.messageId === id,
    (entry) => (entry.kind === 'assistant' ? next(entry) : entry),
  );
