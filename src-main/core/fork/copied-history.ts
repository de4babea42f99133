import { type CallId, MAIN_AGENT, type MessageId } from '../../../src-shared/ids.ts';
import type { SessionEvent, SessionEventType } from '../../../src-shared/session/event.ts';

/** How far a session is copied: whole when nothing is said. */
export type ForkPoint = {
  /** This message of the main agent is the last one; with an answer go the results of its calls. */
  readonly upToMessageId?: MessageId | undefined;
  /** No event with a higher number. */
  readonly seq?: number | undefined;
};

/**
 * What is no history: what was true of the session alone. Permissions above all: what one session was allowed, or what a
 * file says it was, allows nothing in another one, and no decision is told twice. Processes belong to who started them.
 */
const NOT_COPIED: ReadonlySet<SessionEventType> = new Set([
  'session-started',
  'session-resumed',
  'session-ended',
  'title-changed',
  'settings-changed',
  'mode-changed',
  'user-message-queued',
  'user-message-unqueued',
  'model-chosen',
  'prompt-prepared',
  'block-growing',
  'call-spent',
  'permission-asked',
  'permission-settled',
  'classifier-started',
  'classifier-ended',
  'process-spawned',
  'process-ended',
  'process-tree-ended',
  'queue-held',
  'queue-stepped',
  'breakpoints-changed',
  'faults-changed',
  'fault-injected',
  'call-paused',
  'call-resumed',
  'mcp-server-changed',
  'history-copied',
] as const satisfies readonly SessionEventType[]);

/**
 * The events of a session that a fork begins with, oldest first, with their times; `seq` is the number of the last one
 * that was looked at. Undefined when the message is none of the main agent's.
 */
export function copiedHistory(
  events: readonly SessionEvent[],
  { upToMessageId, seq = Number.POSITIVE_INFINITY }: ForkPoint,
): { readonly events: readonly SessionEvent[]; readonly seq: number } | undefined {
  const upTo = upToMessageId === undefined ? events.length : endOf(events, upToMessageId);
  if (upTo === undefined) return undefined;
  const looked = events.slice(0, upTo).filter((event) => event.seq <= seq);
  return {
    events: looked.filter(({ type }) => !NOT_COPIED.has(type)).map(withoutPlace),
    seq: looked.at(-1)?.seq ?? 0,
  };
}

/** The fork has a folder of its own. */
function withoutPlace(event: SessionEvent): SessionEvent {
  if (event.type !== 'context-modified' || event.cwd === undefined) return event;
  const { cwd: _, ...rest } = event;
  return rest;
}

/** How many events there are up to the end of a message of the main agent, the results of its calls among them. */
function endOf(events: readonly SessionEvent[], messageId: MessageId): number | undefined {
  const at = events.findIndex(
    (event) =>
      (event.type === 'user-message-added' || event.type === 'message-started') &&
      event.agentId === MAIN_AGENT &&
      event.messageId === messageId,
  );
  const message = events[at];
  if (message === undefined) return undefined;
  if (message.type === 'user-message-added') return at + 1;
  const own = new Set<CallId>();
  let last = at;
  let next: number | undefined;
  for (let index = at + 1; index < events.length; index++) {
    const event = events[index] as SessionEvent;
    if (event.type === 'call-queued' && event.messageId === messageId) own.add(event.callId);
    if (isOfMessage(event, messageId, own)) last = index;
    next ??= beginsNext(event) ? index : undefined;
  }
  // Up to the next message, but not without results that a recording tells later.
  return Math.max(next ?? events.length, last + 1);
}

function isOfMessage(event: SessionEvent, messageId: MessageId, own: ReadonlySet<CallId>): boolean {
  switch (event.type) {
    case 'block-arrived':
    case 'message-completed':
      return event.messageId === messageId;
    case 'call-completed':
    case 'call-yielded':
    case 'result-replaced':
    case 'result-saved':
      return own.has(event.callId);
    default:
      return false;
  }
}

/** The main agent goes on with something else. */
const beginsNext = (event: SessionEvent): boolean =>
  (event.type === 'user-message-added' ||
    event.type === 'message-started' ||
    event.type === 'request-started' ||
    event.type === 'turn-started') &&
  event.agentId === MAIN_AGENT;

/** The files that outputs of a history were saved to, one a call. */
export const outputsOf = (
  events: readonly SessionEvent[],
): readonly { readonly callId: CallId; readonly path: string }[] =>
  events.flatMap((event) => {
    if (event.type === 'result-saved') return event.found ? [{ callId: event.callId, path: event.path }] : [];
    return event.type === 'shell-started' && event.path !== undefined
      ? [{ callId: event.callId, path: event.path }]
      : [];
  });

/** The history with its outputs where the fork has them. What the model was sent names the old places, and stays. */
export const withOwnOutputs = (
  events: readonly SessionEvent[],
  paths: ReadonlyMap<string, string>,
): readonly SessionEvent[] =>
  events.map((event) => {
    if (event.type !== 'result-saved' && event.type !== 'shell-started') return event;
    const own = event.path === undefined ? undefined : paths.get(event.path);
    return own === undefined ? event : { ...event, path: own };
  });
