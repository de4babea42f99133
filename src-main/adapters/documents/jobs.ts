import { z } from 'zod';
import { editNotebook } from '../../core/notebook/edit-notebook.ts';
import { readNotebook } from '../../core/notebook/read-notebook.ts';
import { type DocumentJob, type DocumentReader, RESULTS } from '../../ports/document-reader.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { pdfText } from './pdf-text.ts';

/** What the host answers to a job. */
export const JobAnswer = z.union([
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type JobAnswer = z.output<typeof JobAnswer>;

/** Does one job, here. */
export async function runJob(job: DocumentJob): Promise<unknown> {
  switch (job.kind) {
    case 'pdf':
      return pdfText(job);
    case 'html':
      return htmlToMarkdown(job.html, job.url);
    case 'notebook':
      return readNotebook(job.text);
    case 'notebook-edit':
      return editNotebook(job.text, job.edit);
  }
}

/** Reads documents in this process: for programs that do nothing else meanwhile, and tests. */
export const documentsHere: DocumentReader = {
  do: async (job) => RESULTS[job.kind].parse(await runJob(job)) as never,
};
