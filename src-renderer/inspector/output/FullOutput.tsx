import { ArrowLeft, ArrowRight, ChevronDown, ChevronUp, FileText, Search, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../../src-shared/timeline/words.ts';
import { IconButton } from '../../widgets/IconButton.tsx';
import styles from './Card.module.css';
import { LineList } from './LineList.tsx';
import { LineView } from './LineView.tsx';
import { pageAround } from './paging.ts';
import { PagePainter } from './paint-page.ts';
import type { OutputReader, OutputView, Page } from './reader.ts';

/** The whole output of a call, read from disk page by page. */
export function FullOutput({ reader }: { readonly reader: OutputReader }) {
  const view = useStore(reader.store);
  useEffect(() => {
    if (reader.store.getState().page === undefined) void reader.first();
  }, [reader]);
  return (
    <section className={styles.card} aria-label="Full output">
      <header className={styles.head}>
        <FileText aria-hidden="true" size={15} />
        <h3 className={styles.title}>Full output</h3>
        <SearchBox reader={reader} view={view} />
      </header>
      {view.problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {view.problem}
        </p>
      )}
      {view.page === undefined ? (
        <p className={styles.waiting}>{view.isReading ? 'Reading the output.' : ''}</p>
      ) : (
        <>
          <PageLines page={view.page} view={view} />
          <Pager reader={reader} page={view.page} />
        </>
      )}
    </section>
  );
}

function PageLines({ page, view }: { readonly page: Page; readonly view: OutputView }) {
  const { search } = view;
  const hitOffset = search?.offsets[search.at];
  const hitLength = search?.length ?? 0;
  const painter = useMemo(
    () =>
      new PagePainter(
        { bytes: page.bytes, offset: page.span.offset },
        hitOffset === undefined ? undefined : { offset: hitOffset, length: hitLength },
      ),
    [page, hitOffset, hitLength],
  );
  const hitAt = painter.hitAt;
  const show =
    hitAt === undefined ? { at: 0, key: `page ${page.span.offset}` } : { at: hitAt, key: `hit ${hitOffset}` };
  return (
    <LineList
      name="Lines of the output"
      count={painter.lines.length}
      show={show}
      line={(at) => {
        const line = painter.line(at);
        return line === undefined ? null : <LineView line={line} showsOffset />;
      }}
    />
  );
}

function SearchBox({ reader, view }: { readonly reader: OutputReader; readonly view: OutputView }) {
  const [text, setText] = useState('');
  const { search, isSearching } = view;
  const isCurrent = search !== undefined && search.text === text;
  const go = (by: 1 | -1): void => void (isCurrent ? reader.step(by) : reader.find(text));
  return (
    <div className={styles.search}>
      <label className={styles.searchField}>
        <Search aria-hidden="true" size={14} />
        <input
          type="text"
          aria-label="Search the whole output"
          placeholder="Search"
          value={text}
          maxLength={1_000}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === '') void reader.find('');
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }}
        />
        <output className={styles.hits}>{hitWords(view, isCurrent, isSearching)}</output>
      </label>
      <IconButton icon={ChevronUp} name="Previous hit" disabled={text === ''} onClick={() => go(-1)} />
      <IconButton icon={ChevronDown} name="Next hit" disabled={text === ''} onClick={() => go(1)} />
    </div>
  );
}

/** `3 / 41`; `3 / 1,000+` while there may be more. */
function hitWords({ search }: OutputView, isCurrent: boolean, isSearching: boolean): string {
  if (isSearching) return 'searching';
  if (search === undefined || !isCurrent) return '';
  if (search.offsets.length === 0) return 'not found';
  return `${formatCount(search.at + 1)} / ${formatCount(search.offsets.length)}${search.more ? '+' : ''}`;
}

function Pager({ reader, page }: { readonly reader: OutputReader; readonly page: Page }) {
  const { span, total } = page;
  const end = span.offset + span.length;
  const isFirst = span.offset === 0;
  const isLast = end >= total;
  const range =
    total === 0 ? 'empty' : `${formatCount(span.offset)} – ${formatCount(end - 1)} of ${formatCount(total)} bytes`;
  return (
    <footer className={styles.foot}>
      <IconButton icon={SkipBack} name="First page" side="top" disabled={isFirst} onClick={() => void reader.first()} />
      <IconButton
        icon={ArrowLeft}
        name="Previous page"
        side="top"
        disabled={isFirst}
        onClick={() => void reader.previous()}
      />
      <output className={styles.range}>{range}</output>
      <IconButton icon={ArrowRight} name="Next page" side="top" disabled={isLast} onClick={() => void reader.next()} />
      <IconButton icon={SkipForward} name="Last page" side="top" disabled={isLast} onClick={() => void reader.last()} />
      {isFirst && isLast ? null : (
        <input
          type="range"
          className={styles.slider}
          aria-label="Place in the output"
          aria-valuetext={range}
          min={0}
          max={Math.max(1, total - 1)}
          value={span.offset}
          onChange={(event) => void reader.go(pageAround(Number(event.target.value), total))}
        />
      )}
    </footer>
  );
}
