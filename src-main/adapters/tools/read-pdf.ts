import { cutText } from '../../core/results/texts.ts';
import type { PageRange, PdfText } from '../../ports/document-reader.ts';
import { MOST_CHARACTERS } from './numbered-lines.ts';

/** A PDF by its first bytes; some programs write a little before them. */
export const isPdf = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 1_024)).toString('latin1').includes('%PDF-');

/** `3`, `2-5`, `12-`. Undefined when it is no such thing. */
export function pageRange(pages: string): PageRange | undefined {
  const [, first, dash, last] = /^\s*(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?\s*$/.exec(pages) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === undefined ? Number.MAX_SAFE_INTEGER : Number(last);
  return from >= 1 && to >= from ? { from, to } : undefined;
}

/** The pages for the model, each with its number; what is left out or cannot be read is said. */
export function pdfForModel({ pages, total }: PdfText, asked: PageRange | undefined): string {
  const count = `${total} ${total === 1 ? 'page' : 'pages'}`;
  if (asked !== undefined && asked.from > total) return `(The PDF has ${count}; page ${asked.from} is behind its end)`;
  const last = pages.at(-1)?.number ?? 0;
  const wanted = Math.min(asked?.to ?? total, total);
  const left =
    last < wanted ? [`[Pages ${last + 1} to ${wanted} are left. Read on with pages "${last + 1}-${wanted}".]`] : [];
  if (pages.every(({ text }) => text === '')) {
    return [
      `(The PDF has ${count}. ${pages.length === 1 ? `Page ${last} holds` : `Pages ${pages[0]?.number ?? 1} to ${last} hold`} no text. ${SCANNED})`,
      ...left,
    ].join('\n');
  }
  return [
    `(PDF, ${count})`,
    ...pages.flatMap(({ number, text }) => [
      `--- Page ${number} ---`,
      text === '' ? `(no text. ${SCANNED})` : cutText(text, MOST_CHARACTERS, '… [page cut]'),
    ]),
    ...left,
  ].join('\n');
}

const SCANNED = 'It may be a scanned picture, which cannot be read here.';
