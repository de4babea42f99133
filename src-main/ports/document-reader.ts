import { z } from 'zod';
import { ContentBlock } from '../../src-shared/tool-call/content.ts';
import { CellEdit, EditedNotebook } from '../core/notebook/edit-notebook.ts';

/** Pages from 1, both included. */
export const PageRange = z.object({ from: z.number().int().positive(), to: z.number().int().positive() });
export type PageRange = z.output<typeof PageRange>;

export const PdfText = z.object({
  /** In order; those asked for, as far as they fit. */
  pages: z.array(z.object({ number: z.number().int(), text: z.string() })),
  /** Pages of the whole document. */
  total: z.number().int(),
  size: z.number(),
  /** SHA-256 of the whole file, hex. */
  hash: z.string(),
});
export type PdfText = z.output<typeof PdfText>;

/** One piece of work that may take long or break on a hostile file. */
export const DocumentJob = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pdf'),
    /** A file, or its bytes. */
    from: z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)]),
    pages: PageRange.optional(),
    /** Stops behind the page that goes over it. */
    mostCharacters: z.number().int().positive(),
  }),
  /** `url`: what relative links start from. */
  z.object({ kind: z.literal('html'), html: z.string(), url: z.string() }),
  z.object({ kind: z.literal('notebook'), text: z.string() }),
  z.object({ kind: z.literal('notebook-edit'), text: z.string(), edit: CellEdit }),
]);
export type DocumentJob = z.output<typeof DocumentJob>;
export type JobOf<K extends DocumentJob['kind']> = Extract<DocumentJob, { kind: K }>;

/** What comes of each kind of job. */
export const RESULTS = {
  pdf: PdfText,
  html: z.string(),
  /** Undefined when it is none. */
  notebook: z.array(ContentBlock).optional(),
  'notebook-edit': EditedNotebook,
} as const satisfies Record<DocumentJob['kind'], z.ZodType>;
export type ResultOf<K extends DocumentJob['kind']> = z.output<(typeof RESULTS)[K]>;

/** A document that cannot be read, in words for the model. */
export class DocumentUnreadable extends Error {
  override readonly name = 'DocumentUnreadable';
}

/** Works on documents, away from the main process where that may take long. */
export interface DocumentReader {
  /**
   * @throws DocumentUnreadable when it is broken, protected, or takes too long; the signal's reason when aborted.
   */
  do<K extends DocumentJob['kind']>(job: JobOf<K>, signal: AbortSignal): Promise<ResultOf<K>>;
}
