import type { SessionEvent } from '../../src-shared/session/event.ts';

/**
 * Where the events of one session are kept. `write` returns only when the lines would survive the death of the
 * process; `sync` when they would survive the death of the machine (spec 4.1).
 */
export interface EventStore {
  write(events: readonly SessionEvent[]): void;
  sync(): void;
  close(): void;
}
