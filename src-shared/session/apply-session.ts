import { assertNever } from '../assert-never.ts';
import type { MessageId } from '../ids.ts';
import { allClosed } from '../mcp/state.ts';
import type { PermissionMode } from '../permission/event.ts';
import { instant } from '../units.ts';
import type { EventOf } from './event.ts';
import { replaceLast } from './replace-last.ts';
import type { QueuedMessage, SessionState } from './state.ts';

/** What is known of the session as a whole. */
export function applySession(
  state: SessionState,
  e: EventOf<
    'session-started' | 'session-resumed' | 'session-ended' | 'title-changed' | 'settings-changed' | 'mode-changed'
  >,
): void {
  switch (e.type) {
    case 'session-started':
      state.sessionId = e.sessionId;
      state.title = e.title;
      state.cwd = e.cwd;
      state.app = e.app;
      state.origin = e.origin;
      state.settings = e.settings;
      state.settingsLog.push({ from: e.t, settings: e.settings });
      state.forkedFrom = e.forkedFrom;
      state.model = e.origin.kind === 'live' ? e.origin.model : undefined;
      state.startedAt = instant(e.at - e.t);
      return;
    case 'session-resumed':
      state.ended = undefined;
      state.app = e.app;
      state.mcpServers = allClosed(state.mcpServers, e.t);
      return;
    case 'session-ended':
      state.ended = e.reason;
      state.mcpServers = allClosed(state.mcpServers, e.t);
      return;
    case 'title-changed':
      state.title = e.title;
      state.titleBy = e.by;
      if (e.usage !== undefined) state.asides.push(e.usage);
      return;
    case 'settings-changed':
      state.settings = e.settings;
      state.settingsLog.push({ from: e.t, settings: e.settings });
      return;
    case 'mode-changed':
      state.settings = { ...state.settings, mode: e.mode satisfies PermissionMode };
      return;
    default:
      assertNever(e, 'session event');
  }
}

/** Turns, and what stopped them. */
export function applyTurn(
  state: SessionState,
  e: EventOf<'turn-started' | 'turn-ended' | 'interrupt-requested' | 'continuation-stopped'>,
): void {
  switch (e.type) {
    case 'turn-started':
      state.turns.push({ turnId: e.turnId, agentId: e.agentId, from: e.t, end: undefined });
      return;
    case 'turn-ended':
      replaceLast(
        state.turns,
        (turn) => turn.turnId === e.turnId,
        (turn) => ({ ...turn, end: { at: e.t, reason: e.reason, message: e.message } }),
      );
      return;
    case 'interrupt-requested':
      state.interrupts.push({ reason: e.reason, at: e.t });
      return;
    case 'continuation-stopped':
      state.stops.push({ callId: e.callId, reason: e.reason, at: e.t });
      return;
    default:
      assertNever(e, 'turn event');
  }
}

/** What a person or the program said, and what waits to be said. */
export function applyEntry(
  state: SessionState,
  e: EventOf<'user-message-added' | 'user-message-queued' | 'user-message-unqueued' | 'notice-given'>,
): void {
  switch (e.type) {
    case 'user-message-added':
      state.entries.push({
        kind: 'user',
        messageId: e.messageId,
        agentId: e.agentId,
        text: e.text,
        from: e.from,
        images: e.images ?? [],
        at: e.t,
      });
      // A crash may have kept the word that it was sent, which follows, from the journal. It is not sent twice.
      state.queuedMessages = withoutMessage(state, e.messageId);
      return;
    case 'user-message-queued':
      state.queuedMessages = [
        ...state.queuedMessages,
        { messageId: e.messageId, text: e.text, images: e.images ?? [], at: e.t },
      ];
      return;
    case 'user-message-unqueued':
      state.queuedMessages = withoutMessage(state, e.messageId);
      return;
    case 'notice-given':
      state.entries.push({ kind: 'notice', level: e.level, text: e.text, detail: e.detail, at: e.t });
      return;
    default:
      assertNever(e, 'entry event');
  }
}

const withoutMessage = (state: SessionState, id: MessageId): readonly QueuedMessage[] =>
  state.queuedMessages.filter((message) => message.messageId !== id);
