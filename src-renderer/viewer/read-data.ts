import { SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';

export type ReadSession = { readonly state: SessionState; readonly events: readonly SessionEvent[] };

/** Lets the page paint between two pieces. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Whole outputs lie on the disk they were written to: here the model's part of them is all there is. */
function withoutFiles(event: SessionEvent): SessionEvent {
  if (event.type === 'result-saved') return { ...event, found: false };
  if (event.type !== 'shell-started') return event;
  const { path: _, ...shell } = event;
  return shell;
}

/**
 * Reads the session of the page, piece by piece. A piece is a script element of type `application/json` with a list of
 * events. What cannot be read is left out.
 * @param onProgress told the share that is read, 0 to 1.
 */
export async function readSession(page: ParentNode, onProgress: (share: number) => void): Promise<ReadSession> {
  const pieces = [...page.querySelectorAll('script[data-events]')];
  const state = emptySession();
  const events: SessionEvent[] = [];
  for (const [n, piece] of pieces.entries()) {
    for (const raw of JSON.parse(piece.textContent ?? '[]') as unknown[]) {
      const event = SessionEvent.safeParse(raw);
      if (!event.success) continue;
      apply(state, withoutFiles(event.data));
      events.push(event.data);
    }
    // The text of a large session would otherwise stay in memory twice.
    piece.remove();
    onProgress((n + 1) / pieces.length);
    await pause();
  }
  // Nothing follows here: what was open when the page was written has no known end.
  state.ended ??= 'end-of-file';
  return { state, events };
}
