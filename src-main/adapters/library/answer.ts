import { performance } from 'node:perf_hooks';
import { TranscriptUnreadable } from '../transcripts/importer.ts';
import { openTranscript } from '../transcripts/open-transcript.ts';
import type { LibraryMessage, LibraryRequest } from './protocol.ts';
import { scan } from './scan.ts';
import { isDamage, removeIndex, SessionIndex } from './session-index.ts';
import { isBelow, isSession, updateIndex } from './update-index.ts';

/** Brings the index up to date and answers from it. An index that turns out to be damaged is made anew, once. */
export async function answer(
  request: LibraryRequest,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<LibraryMessage> {
  if (request.ask.kind === 'open') return openStored(request.ask.path, signal);
  try {
    return await answerOnce(request, onProgress, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(request.indexFile);
    return answerOnce(request, onProgress, signal);
  }
}

async function answerOnce(
  { indexFile, folders, vault, onlyThere = false, ask }: LibraryRequest,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<LibraryMessage> {
  const index = new SessionIndex(indexFile);
  try {
    if (ask.kind === 'count') return { kind: 'counted', counts: await counts(index, folders, signal) };
    await updateIndex(index, { folders, vault, onlyThere, signal, onProgress });
    if (ask.kind === 'list') {
      const isAsked = ({ path }: { readonly path: string }): boolean =>
        !onlyThere || folders.some((folder) => isBelow(path, folder));
      return { kind: 'sessions', sessions: index.list().filter((session) => isSession(session) && isAsked(session)) };
    }
    if (ask.kind !== 'search') return { kind: 'updated' };
    const from = performance.now();
    const found = index.search(ask.query);
    return { kind: 'hits', answer: { ...found, ms: performance.now() - from } };
  } finally {
    index.close();
  }
}

async function openStored(path: string, signal: AbortSignal): Promise<LibraryMessage> {
  try {
    return { kind: 'opened', session: await openTranscript(path, { signal }) };
  } catch (error) {
    if (!(error instanceof TranscriptUnreadable)) throw error;
    return { kind: 'unreadable', path: error.path, what: error.what, hint: error.hint };
  }
}

/** Files that may be sessions, without those that the index knows to be none. */
async function counts(index: SessionIndex, folders: readonly string[], signal: AbortSignal) {
  const none = new Set(index.list().flatMap((session) => (isSession(session) ? [] : [session.path])));
  const found = [];
  for (const folder of folders) {
    let count = 0;
    for await (const { path } of scan([folder], { signal })) if (!none.has(path)) count++;
    found.push({ folder, count });
  }
  return found;
}
