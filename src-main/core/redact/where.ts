import type { FoundIn } from '../../../src-shared/export/redaction.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';

/** The part of a session an event belongs to, in the words of the report. */
export function whereIn(event: SessionEvent): FoundIn {
  switch (event.type) {
    case 'call-queued':
    case 'call-input-changed':
      return 'input';
    case 'call-progressed':
    case 'call-observed':
    case 'call-completed':
    case 'result-replaced':
    case 'shell-started':
    case 'shell-progressed':
    case 'shell-read':
    case 'shell-ended':
      return 'output';
    case 'result-saved':
    case 'reads-went-stale':
    case 'context-modified':
      return 'file name';
    case 'block-arrived':
      return event.block.kind === 'thinking' ? 'thinking' : 'answer';
    case 'block-growing':
      return event.kind === 'thinking' ? 'thinking' : 'answer';
    case 'user-message-added':
    case 'user-message-queued':
    case 'prompt-prepared':
    case 'agent-started':
      return 'prompt';
    case 'permission-asked':
    case 'permission-settled':
    case 'classifier-ended':
      return 'permission';
    case 'hook-started':
    case 'hook-ended':
      return 'hook';
    case 'process-spawned':
    case 'process-tree-ended':
      return 'process';
    case 'title-changed':
    case 'session-started':
      return 'title or folder';
    case 'notice-given':
      return 'notice';
    default:
      return 'other';
  }
}

export const callOf = (event: SessionEvent): string | undefined =>
  'callId' in event && typeof event.callId === 'string' ? event.callId : undefined;
