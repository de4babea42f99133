import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { OpenedTranscript, ReadNews, TranscriptReader } from '../ports/transcript-reader.ts';
import type { WholeTexts } from '../ports/whole-texts.ts';

/** What there is to show of a transcript first: all of it, or a large one as far as it was read. */
export type FirstPart = OpenedTranscript & {
  /** Of one that is still being read. */
  readonly rest: Rest | undefined;
};

export type Rest = {
  /** From now on `onNews` is told what comes, and at once what has come since the first part. */
  readonly listen: (onNews: (news: ReadNews) => void) => void;
  /** Settles with the reading. */
  readonly done: Promise<OpenedTranscript>;
};

/** Reads a transcript and answers as soon as there is something of it to show. */
export async function readInParts(read: TranscriptReader, path: string, signal: AbortSignal): Promise<FirstPart> {
  const waiting: ReadNews[] = [];
  let listener: ((news: ReadNews) => void) | undefined;
  let shown: (part: Omit<FirstPart, 'rest'>) => void = () => {};
  const first = new Promise<Omit<FirstPart, 'rest'>>((resolve) => {
    shown = resolve;
  });
  let told: SessionEvent[] | undefined = [];
  let texts: WholeTexts | undefined;
  const done = read(path, signal, (news) => {
    if (listener !== undefined) listener(news);
    else if (told === undefined) waiting.push(news);
    else {
      told = [...told.slice(0, news.keep), ...news.events];
      for (const event of news.amended) told[event.seq] = event;
      texts = news.texts ?? texts;
      if (!news.isShowable || told.length === 0) return;
      shown({ path: news.path, events: told, findings: [], ...(texts === undefined ? {} : { texts }) });
      told = undefined;
    }
  });
  const whole = await Promise.race([done, first.then(() => undefined)]);
  if (whole !== undefined) return { ...whole, rest: undefined };
  const listen: Rest['listen'] = (onNews) => {
    listener = onNews;
    for (const news of waiting.splice(0)) onNews(news);
  };
  return { ...(await first), rest: { listen, done } };
}
