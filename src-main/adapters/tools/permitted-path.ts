import { type Place, realPath } from './paths.ts';

/**
 * Where the path of a call led when its permission was decided. A person may think for minutes, and links may lead
 * elsewhere by then; the call works where it was permitted to. Keyed by the parsed input, which both stages share.
 */
const permitted = new WeakMap<object, string>();

/** Remembers where a path leads while permission is decided. */
export function rememberPlace(input: object, { real }: Place): void {
  if (real !== undefined) permitted.set(input, real);
  else permitted.delete(input);
}

/**
 * The file a call may work on: free of links, and the one that was permitted.
 * @param path absolute.
 * @throws when a folder on the way has been replaced by a link since.
 */
export async function permittedPath(input: object, path: string): Promise<string> {
  const real = permitted.get(input) ?? (await realPath(path));
  if (real === undefined) throw new Error(`${path} cannot be reached: its links lead in a circle or are not readable.`);
  if ((await realPath(real)) !== real) {
    throw new Error(`${path} leads elsewhere than when it was permitted. Nothing was done. Look at its folders first.`);
  }
  return real;
}
