import { MOST_HITS } from '../../../src-shared/library/view.ts';
import { answer } from './answer.ts';
import { RowFinder } from './find-rows.ts';
import {
  AskedQuestion,
  type IndexQuestion,
  type LibraryMessage,
  LibraryRequest,
  type QuestionAnswer,
} from './protocol.ts';
import { SessionIndex } from './session-index.ts';

/**
 * The program that holds the index of sessions: one request, progress, one answer, and it ends. Or it serves: then it
 * answers questions from the index as it is, while another one of its kind brings it up to date.
 */

const stop = new AbortController();
const say = (message: LibraryMessage): void => void process.send?.(message);
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.once('message', (raw) => {
  const parsed = LibraryRequest.safeParse(raw);
  if (parsed.success && parsed.data.ask.kind === 'serve') {
    serve(parsed.data.indexFile);
    return;
  }
  const onProgress = (done: number, total: number): void => say({ kind: 'progress', done, total });
  Promise.resolve()
    .then(() => answer(LibraryRequest.parse(raw), onProgress, stop.signal))
    .catch((error: unknown): LibraryMessage => ({ kind: 'failed', message: wordsOf(error) }))
    .then((message) => process.send?.(message, undefined, undefined, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

function serve(indexFile: string): void {
  let opened: { readonly index: SessionIndex; readonly finder: RowFinder } | undefined;
  const reply = (question: IndexQuestion): QuestionAnswer => {
    if (opened === undefined) {
      const index = new SessionIndex(indexFile);
      opened = { index, finder: new RowFinder(index) };
    }
    return answerTo(question, opened.index, opened.finder);
  };
  process.on('message', (raw) => {
    const { number, question } = AskedQuestion.parse(raw);
    try {
      process.send?.({ number, answer: reply(question) });
    } catch (error) {
      // The index may have been made anew under it: the next question opens it again.
      opened?.index.close();
      opened = undefined;
      process.send?.({ number, answer: { kind: 'failed', message: wordsOf(error) } satisfies QuestionAnswer });
    }
  });
}

function answerTo(question: IndexQuestion, index: SessionIndex, finder: RowFinder): QuestionAnswer {
  switch (question.kind) {
    case 'facets':
      return { kind: 'facets', facets: finder.facets(question.around) };
    case 'rows':
      return { kind: 'rows', answer: finder.rows(question.query, question, question.around) };
    case 'hits':
      return { kind: 'hits', hits: index.hitsOf(question.id, question.text, question.kinds, MOST_HITS) };
    case 'path': {
      const path = index.pathOf(question.id);
      return path === undefined ? { kind: 'path' } : { kind: 'path', path };
    }
  }
}
