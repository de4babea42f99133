import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';

/** @throws FailureError when it is no folder, or not this person's to look into. */
export async function ensureFolder(path: string): Promise<void> {
  const hint = 'Choose another folder.';
  if (!isAbsolute(path)) {
    throw new FailureError({ kind: 'bad-input', message: `${path} is no whole path.`, hint: 'Begin it with / or ~.' });
  }
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) throw new FailureError({ kind: 'not-found', message: `${path} is not there.`, hint });
  if (!stats.isDirectory()) throw new FailureError({ kind: 'bad-input', message: `${path} is no folder.`, hint });
}
