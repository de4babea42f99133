import { performance } from 'node:perf_hooks';
import type { LibraryMessage, LibraryRequest } from './protocol.ts';
import { isDamage, removeIndex, SessionIndex } from './session-index.ts';
import { isSession, updateIndex } from './update-index.ts';

/** Brings the index up to date and answers from it. An index that turns out to be damaged is made anew, once. */
export async function answer(
  request: LibraryRequest,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<LibraryMessage> {
  try {
    return await answerOnce(request, onProgress, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(request.indexFile);
    return answerOnce(request, onProgress, signal);
  }
}

async function answerOnce(
  { indexFile, folders, ask }: LibraryRequest,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<LibraryMessage> {
  const index = new SessionIndex(indexFile);
  try {
    await updateIndex(index, { folders, signal, onProgress });
    if (ask.kind === 'list') return { kind: 'sessions', sessions: index.list().filter(isSession) };
    const from = performance.now();
    const found = index.search(ask.query);
    return { kind: 'hits', answer: { ...found, ms: performance.now() - from } };
  } finally {
    index.close();
  }
}
