import { z } from 'zod';
import { type DocumentJob, type DocumentReader, PdfText } from '../../ports/document-reader.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { pdfText } from './pdf-text.ts';

/** What the host answers to a job. */
export const JobAnswer = z.union([
  z.object({ ok: z.literal(true), value: z.union([PdfText, z.string()]) }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type JobAnswer = z.output<typeof JobAnswer>;

/** Does one job, here. */
export const runJob = (job: DocumentJob): Promise<PdfText | string> =>
  job.kind === 'pdf' ? pdfText(job) : htmlToMarkdown(job.html, job.url);

/** Reads documents in this process: for programs that do nothing else meanwhile, and tests. */
export const documentsHere: DocumentReader = {
  pdfText: (job) => pdfText(job),
  markdown: ({ html, url }) => htmlToMarkdown(html, url),
};
