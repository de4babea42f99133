import { readFile } from 'node:fs/promises';
import { FailureError } from '../../../src-shared/failure.ts';

/** Reads the page that the build has made for exported sessions. @param path of `out/viewer/viewer.html`. */
export const exportPage = (path: string) => async (): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new FailureError(
      {
        kind: 'not-found',
        message: 'The page for exported sessions is not built.',
        hint: 'Run npm run build, then try again.',
      },
      { cause },
    );
  }
};
