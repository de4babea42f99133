import type { ContentBlock } from '../../../../src-shared/tool-call/content.ts';
import { imageTrouble, imageTypeOf } from '../../../core/images/image-facts.ts';
import { type DocumentReader, DocumentUnreadable } from '../../../ports/document-reader.ts';
import { isPdf, pdfForModel } from '../read-pdf.ts';

/** Characters of a page that the model gets at most; over the usual limits they go to a file. */
const MOST_CHARACTERS = 200_000;
/** Where a page says in its first bytes how they are meant. */
const HEAD_BYTES = 2_048;

export type Body = {
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
};
export type Content = { readonly kind: string; readonly blocks: readonly ContentBlock[] };

/** A body as the model can see it. Undefined when it cannot. */
export async function contentOf(
  body: Body,
  documents: DocumentReader,
  signal: AbortSignal,
): Promise<Content | { readonly refused: string }> {
  const { bytes, contentType, url, isCut } = body;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const picture = imageTypeOf(bytes);
  if (picture !== undefined) {
    const trouble = isCut ? 'it is larger than 5 MB' : imageTrouble(bytes);
    if (trouble !== undefined) return { refused: `it is a picture that cannot be shown: ${trouble}` };
    return { kind: picture, blocks: [{ type: 'image', mediaType: picture, data: bytes.toString('base64') }] };
  }
  if (type === 'application/pdf' || isPdf(bytes)) return pdf(body, documents, signal);
  if (!isText(type, bytes)) return { refused: `it is ${type === '' ? 'binary' : type}, which is no text` };
  const text = decoded(bytes, contentType);
  if (!isHtml(type, text)) return { kind: type === '' ? 'text' : type, blocks: textBlocks(text, isCut) };
  try {
    const markdown = await documents.do({ kind: 'html', html: text, url }, signal);
    return { kind: 'HTML as Markdown', blocks: textBlocks(markdown, isCut) };
  } catch (error) {
    if (error instanceof DocumentUnreadable) return { refused: `it cannot be turned into Markdown: ${error.message}` };
    throw error;
  }
}

async function pdf(
  { bytes, isCut }: Body,
  documents: DocumentReader,
  signal: AbortSignal,
): Promise<Content | { readonly refused: string }> {
  if (isCut) return { refused: 'it is a PDF larger than 5 MB' };
  try {
    const found = await documents.do({ kind: 'pdf', from: bytes, mostCharacters: MOST_CHARACTERS }, signal);
    return { kind: 'PDF', blocks: [{ type: 'text', text: pdfForModel(found, undefined) }] };
  } catch (error) {
    if (error instanceof DocumentUnreadable) return { refused: `it is a PDF that cannot be read: ${error.message}` };
    throw error;
  }
}

function textBlocks(text: string, isCut: boolean): readonly ContentBlock[] {
  const isLong = text.length > MOST_CHARACTERS;
  const shown = isLong ? text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '') : text;
  const note = isLong || isCut ? '\n\n(The page is longer; the rest was left out.)' : '';
  return [{ type: 'text', text: shown.trim() === '' ? '(The page is empty.)' : `${shown}${note}` }];
}

const TEXT_TYPES =
  /^(?:text\/.+|application\/(?:json|xml|xhtml\+xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|graphql|x-sh|.+\+(?:json|xml|yaml))|image\/svg\+xml)$/;

/** By its type; without one, or with one that says nothing, by its bytes. */
const isText = (type: string, bytes: Buffer): boolean =>
  TEXT_TYPES.test(type) ||
  ((type === '' || type === 'application/octet-stream') && !bytes.subarray(0, HEAD_BYTES).includes(0));

const isHtml = (type: string, text: string): boolean =>
  type === 'text/html' ||
  type === 'application/xhtml+xml' ||
  (type === '' && /^\s*<(?:!doctype html|html)\b/i.test(text));

/** The text by the mark at its begin, else by the header, else by what the page says of itself, else as UTF-8. */
export function decoded(bytes: Buffer, contentType: string): string {
  const label = markOf(bytes) ?? charsetIn(contentType) ?? charsetIn(bytes.subarray(0, HEAD_BYTES).toString('latin1'));
  const decoder = decoderFor(label);
  const text = decoder.decode(bytes);
  // Node from 20.18.3 on decodes it as Latin-1: https://github.com/nodejs/node/issues/56542
  return decoder.encoding === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80] ?? letter)
    : text;
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const markOf = (bytes: Buffer): string | undefined => {
  const begin = bytes.subarray(0, 3).toString('hex');
  return begin.startsWith('efbbbf')
    ? 'utf-8'
    : begin.startsWith('fffe')
      ? 'utf-16le'
      : begin.startsWith('feff')
        ? 'utf-16be'
        : undefined;
};

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1];

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
