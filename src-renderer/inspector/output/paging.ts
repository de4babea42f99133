import { OUTPUT_PAGE_BYTES } from '../../../src-shared/ipc/contract.ts';

/** A stretch of an output, in bytes: `offset … offset + length`. */
export type Span = { readonly offset: number; readonly length: number };

/** Which end of what was read is a true line edge already, and which may be moved to one. */
export type Anchor = 'start' | 'end' | 'inside';

export type PageWish = Span & {
  readonly anchor: Anchor;
  /** A byte that must be shown, even if its line is broken at the page's top. */
  readonly keep?: number;
};

/** Bytes shown before a place that is jumped to, so that it is seen in its surroundings. */
const BEFORE_JUMP = 2_048;

const size = (length: number): number => Math.max(1, Math.min(OUTPUT_PAGE_BYTES, length));

export const firstPage = (): PageWish => ({ offset: 0, length: OUTPUT_PAGE_BYTES, anchor: 'start' });

/** The page after the one shown, or undefined at the end. */
export function nextPage(shown: Span, total: number): PageWish | undefined {
  const offset = shown.offset + shown.length;
  return offset >= total ? undefined : { offset, length: size(total - offset), anchor: 'start' };
}

/** The page before the one shown, or undefined at the beginning. */
export function previousPage(shown: Span): PageWish | undefined {
  if (shown.offset <= 0) return undefined;
  const offset = Math.max(0, shown.offset - OUTPUT_PAGE_BYTES);
  return { offset, length: size(shown.offset - offset), anchor: offset === 0 ? 'start' : 'end' };
}

export function lastPage(total: number): PageWish {
  const offset = Math.max(0, total - OUTPUT_PAGE_BYTES);
  return { offset, length: size(total - offset), anchor: offset === 0 ? 'start' : 'end' };
}

/** A page that shows the byte at `place`, a few lines below its top. */
export function pageAround(place: number, total: number): PageWish {
  const offset = Math.max(0, Math.min(place - BEFORE_JUMP, total - OUTPUT_PAGE_BYTES));
  return { offset, length: size(total - offset), anchor: offset === 0 ? 'start' : 'inside', keep: place };
}

const LF = 0x0a;

/**
 * What of a page that was read is shown: whole lines, where there are any. At an edge that is not known to be a line
 * edge, the broken line is left to the neighbouring page, unless that would cost more than half of this one.
 */
export function wholeLines(
  page: { readonly bytes: Uint8Array; readonly offset: number; readonly total: number },
  wish: Pick<PageWish, 'anchor' | 'keep'>,
): Span {
  const { bytes, offset, total } = page;
  const half = bytes.length / 2;
  let start = 0;
  let end = bytes.length;
  if (wish.anchor !== 'start' && offset > 0) {
    const at = bytes.indexOf(LF);
    const loses = wish.keep !== undefined && offset + at >= wish.keep;
    if (at !== -1 && at < half && !loses) start = at + 1;
  }
  if (wish.anchor !== 'end' && offset + bytes.length < total) {
    const at = bytes.lastIndexOf(LF);
    if (at !== -1 && at >= half) end = at + 1;
  }
  return { offset: offset + start, length: end - start };
}
