import type { AgentId, CallId, MessageId, RequestId, TurnId } from '../../../../src-shared/ids.ts';
import type { Block } from '../../../../src-shared/model/event.ts';
import { MEASURED } from '../../../../src-shared/tool-call/timing.ts';
import { sessionTime } from '../../../../src-shared/units.ts';
import type { EventList } from '../event-list.ts';
import type { JudgedMessage } from './judged.ts';
import { RANK } from './ranks.ts';
import { type BlockStory, type EntryStory, isBefore, later, MAIN_KEY, type Moment } from './story.ts';
import { queuedFacts } from './tell-calls.ts';
import type { RequestStory, TurnStory } from './turns.ts';

export type MessageTelling = {
  readonly list: EventList;
  readonly zero: number;
  readonly orderOnly: boolean;
  readonly agentId: string;
  readonly newRequestId: (wanted: string) => string;
  /** More of this message may come. */
  readonly goesOn: boolean;
};

/** A request and the message it brought: started, each block as its line came, completed. */
export function tellRequest(request: RequestStory, judged: JudgedMessage, telling: MessageTelling): void {
  const { list, zero, orderOnly } = telling;
  const { message } = request;
  const agentId = telling.agentId as AgentId;
  const messageId = message.id as MessageId;
  const requestId = telling.newRequestId(message.requestId ?? `request-${message.id}`) as RequestId;
  const cause = requestedAt(request);
  const hasCause = isBefore(cause, message.first);
  const from = hasCause ? cause : message.first;
  list.add(from, hasCause ? RANK.requestStarted : RANK.requestWithoutCause, {
    type: 'request-started',
    requestId,
    agentId,
    turnId: request.turnId as TurnId,
    attempt: 1,
    timing:
      message.askedAt === from.at
        ? MEASURED
        : {
            certainty: 'inferred',
            source: orderOnly ? 'order-only' : 'line-time',
            earliest: sessionTime(from.at - zero),
            latest: sessionTime(message.first.at - zero),
          },
  });
  list.add(message.first, RANK.messageStarted, {
    type: 'message-started',
    requestId,
    messageId,
    agentId,
    model: message.model,
  });
  message.blocks.forEach((block, index) => {
    // Lines of one message may be stamped out of order; a block never comes before its message.
    const moment = later(block.place, message.first);
    list.add(moment, RANK.block, { type: 'block-arrived', messageId, agentId, index, block: blockOf(block) });
    if (block.kind === 'call') list.add(moment, RANK.block, queuedFacts(judged, block.call, agentId));
  });
  if (!telling.goesOn) {
    list.add(message.last, RANK.messageCompleted, {
      type: 'message-completed',
      messageId,
      requestId,
      stopReason: message.stopReason,
      usage: message.usage,
    });
  }
  if (message.discardedAt !== undefined) {
    const at = later(message.discardedAt, message.last);
    list.add(at, RANK.attemptDiscarded, { type: 'attempt-discarded', messageId });
  }
}

/** The recorded moment, else the last thing the model had not seen yet. Never before its turn. */
function requestedAt({ message, from }: RequestStory): Moment {
  const { askedAt, first } = message;
  if (askedAt === undefined || askedAt < from.at || askedAt > first.at) return from;
  return askedAt === from.at ? from : { at: askedAt, ord: Number.MIN_SAFE_INTEGER };
}

function blockOf(block: BlockStory): Block {
  switch (block.kind) {
    case 'text':
    case 'thinking':
      return { kind: block.kind, text: block.text };
    case 'call':
      return { kind: 'tool-use', callId: block.call.id as CallId, tool: block.call.tool };
    case 'other':
      return { kind: 'other', raw: block.raw };
  }
}

export function tellTurn(turn: TurnStory, agent: string, list: EventList): void {
  const turnId = turn.id as TurnId;
  const agentId = agent as AgentId;
  list.add(turn.from, RANK.turnStarted, { type: 'turn-started', turnId, agentId });
  const { moment, reason, message } = turn.end;
  if (!turn.goesOn) {
    list.add(moment, RANK.turnEnded, {
      type: 'turn-ended',
      turnId,
      agentId,
      reason,
      ...(message === undefined ? {} : { message }),
    });
  }
  if (turn.interruptedAt !== undefined) {
    list.add(turn.interruptedAt, RANK.interruptRequested, { type: 'interrupt-requested', reason: 'escape' });
  }
}

/** @param number of the entry among those of its agent, from 1: a count over all would change while agents go on. */
export function tellEntry(entry: EntryStory, number: number, agent: string, list: EventList): void {
  list.add(entry.place, RANK.userMessage, {
    type: 'user-message-added',
    messageId: (agent === MAIN_KEY ? `user-${number}` : `user-${agent.slice(0, 380)}-${number}`) as MessageId,
    agentId: agent as AgentId,
    text: entry.text,
    from: entry.from,
  });
}
