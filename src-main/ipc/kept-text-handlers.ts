import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Handlers } from '../../src-shared/ipc/contract.ts';
import type { SessionLibrary } from '../app/session-library.ts';

type KeptTextRequest = Extract<keyof Handlers, `kept-text.${string}`>;

const ANOTHER = new FailureError({ kind: 'stale', message: 'Another text is looked for.' });

/** Requests about long texts that were left in a transcript's file. */
export function keptTextHandlers(
  library: Pick<SessionLibrary, 'keptText' | 'findInKept'>,
): Pick<Handlers, KeptTextRequest> {
  const searches = new Map<SessionId, AbortController>();
  return {
    'kept-text.read': async ({ sessionId, id, from, length }) => {
      const whole = await library.keptText(sessionId, id);
      return { text: whole.slice(from, from + length), characters: whole.length };
    },
    'kept-text.find': async ({ sessionId, text }) => {
      searches.get(sessionId)?.abort(ANOTHER);
      const mine = new AbortController();
      searches.set(sessionId, mine);
      try {
        return { callIds: [...(await library.findInKept(sessionId, text, mine.signal))] };
      } finally {
        if (searches.get(sessionId) === mine) searches.delete(sessionId);
      }
    },
  };
}
