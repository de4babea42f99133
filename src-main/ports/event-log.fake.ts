import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { EventStore } from './event-log.ts';

/** Keeps events in memory; tests look at `events` and `syncs`. */
export class MemoryEventStore implements EventStore {
  readonly events: SessionEvent[] = [];
  syncs = 0;
  closed = false;

  write(events: readonly SessionEvent[]): void {
    this.events.push(...events);
  }

  sync(): void {
    this.syncs++;
  }

  close(): void {
    this.closed = true;
  }
}
