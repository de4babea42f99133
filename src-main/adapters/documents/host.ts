import { DocumentJob } from '../../ports/document-reader.ts';
import { type JobAnswer, runJob } from './jobs.ts';

/** The program that reads documents: one job in, one answer out, until the main process lets it go. */

process.on('message', (raw) => {
  answer(raw).then(
    (value) => void process.send?.(value),
    (error: unknown) => void process.send?.({ ok: false, message: String(error) } satisfies JobAnswer),
  );
});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

async function answer(raw: unknown): Promise<JobAnswer> {
  try {
    return { ok: true, value: await runJob(DocumentJob.parse(raw)) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
