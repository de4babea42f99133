/**
 * What both SDKs are told: the loop retries and shows it, the connection watches the time, and nothing is printed; their
 * logs would hold what goes over the wire. A month is the longest timer that Node knows, more or less.
 */
export const QUIET = { maxRetries: 0, timeout: 2_000_000_000, logLevel: 'off' } as const;

/** The answer is one JSON document, whatever was asked for. */
export const isJson = (response: Response): boolean =>
  /^application\/json\b/i.test(response.headers.get('content-type') ?? '');

/** An answer that is no message stands for a stream without one. */
export async function* eventsOf(events: readonly unknown[] | undefined): AsyncGenerator<unknown> {
  yield* events ?? [];
}
