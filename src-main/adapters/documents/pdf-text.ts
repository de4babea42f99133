import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DocumentUnreadable, type JobOf, type PdfText } from '../../ports/document-reader.ts';

/** The text of a PDF, page by page. A scanned page has none. */
export async function pdfText({ from, pages, mostCharacters }: Omit<JobOf<'pdf'>, 'kind'>): Promise<PdfText> {
  const bytes = typeof from === 'string' ? await readFile(from) : from;
  const facts = { size: bytes.byteLength, hash: createHash('sha256').update(bytes).digest('hex') };
  const { getDocumentProxy } = await import('unpdf');
  try {
    // The library takes the bytes for itself.
    const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
    const total = document.numPages;
    const found: PdfText['pages'] = [];
    let characters = 0;
    for (let number = pages?.from ?? 1; number <= Math.min(pages?.to ?? total, total); number++) {
      if (characters >= mostCharacters) break;
      const page = await document.getPage(number);
      const text = textOf((await page.getTextContent()).items);
      page.cleanup();
      found.push({ number, text });
      characters += text.length;
    }
    await document.destroy();
    return { pages: found, total, ...facts };
  } catch (cause) {
    throw new DocumentUnreadable(whyNot(cause), { cause });
  }
}

/** Pieces of text in the order of the file; marks of structure among them have no text. */
function textOf(items: readonly object[]): string {
  let text = '';
  for (const item of items as readonly { readonly str?: string; readonly hasEOL?: boolean }[]) {
    if (item.str === undefined) continue;
    text += item.str;
    if (item.hasEOL === true) text += '\n';
  }
  return text.replace(/[ \t]+\n/g, '\n').trim();
}

function whyNot(cause: unknown): string {
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
  if (name === 'PasswordException') return 'it is protected by a password';
  if (name === 'InvalidPDFException') return 'it is no PDF, or a broken one';
  return message.split('\n')[0] ?? name;
}
