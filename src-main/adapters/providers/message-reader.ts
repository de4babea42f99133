import type { ModelItem } from '../../ports/model-provider.ts';
import type { Connection } from './connection.ts';

/** Turns what one wire format sends into items. Knows no network. */
export interface MessageReader {
  /** The message has started: what breaks now breaks a stream. */
  readonly hasStarted: boolean;
  /** Everything of the message has come; only the end of the connection, or numbers, may be missing. */
  readonly isWhole: boolean;
  /** One event as it was parsed from JSON. What is unknown is passed over. */
  take(event: unknown): readonly ModelItem[];
  /** The stream is over; gives what is left of a message that is whole, and nothing when it has ended already. */
  finish(): readonly ModelItem[];
}

/** The stream ended before its message did. */
export class StreamEndedEarly extends Error {
  override readonly name = 'StreamEndedEarly';
}

/**
 * The items of a stream of events, each as soon as its event is there.
 * @throws StreamEndedEarly, and what the source throws.
 */
export async function* readMessage(
  events: AsyncIterator<unknown>,
  reader: MessageReader,
  connection: Connection,
): AsyncGenerator<ModelItem> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) break;
    for (const item of reader.take(next.value)) {
      if (item.type === 'message-ended') connection.letEnd(events);
      yield item;
      if (item.type === 'message-ended') return;
    }
  }
  if (connection.isStopped) return;
  if (!reader.isWhole) throw new StreamEndedEarly();
  yield* reader.finish();
}
