import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallId, SessionId } from '../../../src-shared/ids.ts';
import { request } from '../../bridge.ts';
import { failureText } from '../../conversation/failure-text.ts';
import {
  firstPage,
  lastPage,
  nextPage,
  type PageWish,
  pageAround,
  previousPage,
  type Span,
  wholeLines,
} from './paging.ts';

/** A page of an output as it is shown: whole lines where there are any. */
export type Page = { readonly bytes: Uint8Array; readonly span: Span; readonly total: number; readonly path: string };

export type Search = {
  readonly text: string;
  /** Length of a hit in bytes. */
  readonly length: number;
  readonly offsets: readonly number[];
  /** There are hits after the last one that is known. */
  readonly more: boolean;
  /** Index of the hit that is looked at; -1 when there is none. */
  readonly at: number;
};

export type OutputView = {
  readonly page: Page | undefined;
  readonly isReading: boolean;
  readonly isSearching: boolean;
  readonly problem: string | undefined;
  readonly search: Search | undefined;
};

/** The most hits that are asked for at once. */
const HITS = 1_000;

/**
 * Reads the output of one call page by page and searches in it. Only one page is ever held, so an output of any size
 * opens at once. The newest wish wins: pages that nobody waits for any more are not fetched.
 */
export class OutputReader {
  readonly store: StoreApi<OutputView> = createStore<OutputView>(() => ({
    page: undefined,
    isReading: false,
    isSearching: false,
    problem: undefined,
    search: undefined,
  }));
  private readonly of: { readonly sessionId: SessionId; readonly callId: CallId };
  private wanted: PageWish | undefined;
  private searches = 0;

  constructor(of: { readonly sessionId: SessionId; readonly callId: CallId }) {
    this.of = of;
  }

  first = (): Promise<void> => this.go(firstPage());
  last = (): Promise<void> => this.with((page) => lastPage(page.total));
  next = (): Promise<void> => this.with((page) => nextPage(page.span, page.total));
  previous = (): Promise<void> => this.with((page) => previousPage(page.span));
  /** Shows the page around a byte of the output. */
  around = (offset: number): Promise<void> => this.with((page) => pageAround(offset, page.total));

  private async with(wish: (page: Page) => PageWish | undefined): Promise<void> {
    const { page } = this.store.getState();
    if (page === undefined) return;
    const next = wish(page);
    if (next !== undefined) await this.go(next);
  }

  /** Fetches a page. While another one is being fetched the wish waits, and replaces one that waited before it. */
  async go(wish: PageWish): Promise<void> {
    this.wanted = wish;
    if (this.store.getState().isReading) return;
    this.store.setState({ isReading: true });
    for (let next = this.take(); next !== undefined; next = this.take()) await this.read(next);
    this.store.setState({ isReading: false });
  }

  private take(): PageWish | undefined {
    const wish = this.wanted;
    this.wanted = undefined;
    return wish;
  }

  private async read(wish: PageWish): Promise<void> {
    try {
      const answer = await request('output.read', { ...this.of, offset: wish.offset, length: wish.length });
      const span = wholeLines(answer, wish);
      const from = span.offset - answer.offset;
      const bytes = answer.bytes.subarray(from, from + span.length);
      this.store.setState({ page: { bytes, span, total: answer.total, path: answer.path }, problem: undefined });
    } catch (error) {
      this.store.setState({ problem: failureText(error) });
    }
  }

  /** Looks for a text in the whole output and shows the first hit at or after what is on screen. */
  async find(text: string): Promise<void> {
    this.searches++;
    const mine = this.searches;
    if (text === '') {
      this.store.setState({ search: undefined, isSearching: false });
      return;
    }
    this.store.setState({ isSearching: true });
    try {
      const { offsets, more } = await this.hits(text, 0);
      if (mine !== this.searches) return;
      const from = this.store.getState().page?.span.offset ?? 0;
      const at =
        offsets.length === 0
          ? -1
          : Math.max(
              0,
              offsets.findIndex((offset) => offset >= from),
            );
      const length = new TextEncoder().encode(text).length;
      this.store.setState({ search: { text, length, offsets, more, at }, isSearching: false, problem: undefined });
      await this.showHit();
    } catch (error) {
      if (mine === this.searches) this.store.setState({ isSearching: false, problem: failureText(error) });
    }
  }

  /** The next hit (1) or the one before (-1); goes round at the ends. */
  async step(by: 1 | -1): Promise<void> {
    const { search } = this.store.getState();
    if (search === undefined || search.offsets.length === 0) return;
    const isLast = search.at === search.offsets.length - 1;
    if (by === 1 && isLast && search.more) {
      await this.findMore(search);
      return;
    }
    const at = (search.at + by + search.offsets.length) % search.offsets.length;
    this.store.setState({ search: { ...search, at } });
    await this.showHit();
  }

  private async findMore(search: Search): Promise<void> {
    const mine = this.searches;
    this.store.setState({ isSearching: true });
    try {
      const found = await this.hits(search.text, (search.offsets.at(-1) ?? 0) + 1);
      if (mine !== this.searches) return;
      const offsets = [...search.offsets, ...found.offsets];
      const at = found.offsets.length > 0 ? search.at + 1 : 0;
      this.store.setState({ search: { ...search, offsets, more: found.more, at }, isSearching: false });
      await this.showHit();
    } catch (error) {
      if (mine === this.searches) this.store.setState({ isSearching: false, problem: failureText(error) });
    }
  }

  private hits(text: string, fromOffset: number): Promise<{ offsets: number[]; more: boolean }> {
    return request('output.search', { ...this.of, text, fromOffset, limit: HITS });
  }

  private async showHit(): Promise<void> {
    const { page, search } = this.store.getState();
    const offset = search?.offsets[search.at];
    if (offset === undefined || page === undefined) return;
    const end = page.span.offset + page.span.length;
    if (offset < page.span.offset || offset + (search?.length ?? 0) > end) await this.around(offset);
  }
}
