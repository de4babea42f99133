import { open } from 'node:fs/promises';
import type { ReadOptions } from './importer.ts';
import { type ReadLine, type Salvaged, Salvager } from './salvage.ts';
import { tornHead } from './torn-json.ts';

/** Big enough that the cost per read does not count, small enough to give the event loop its turn. */
export const PIECE_BYTES = 1024 * 1024;

/**
 * The JSON values of a file, piece by piece. Odd places become findings; only the file system makes it throw.
 *
 * @param readLine for lines of a kind that can be read with less work.
 */
export async function* readRecords(
  file: string,
  options: ReadOptions,
  readLine?: ReadLine,
): AsyncGenerator<readonly Salvaged[]> {
  const kept = await options.kept?.recordsOf(file, options.onFinding);
  if (kept !== undefined) {
    yield kept;
    return;
  }
  const salvager = new Salvager(
    ({ line, kind, message }) => options.onFinding({ file, line, kind, message }),
    readLine,
  );
  const handle = await open(file, 'r');
  let filling: Promise<{ readonly bytesRead: number; readonly buffer: Buffer }> | undefined;
  try {
    // Two that take turns: one is filled while the other one is looked at. New ones each time would be garbage by the MB.
    const pieces = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
    const fill = (n: number) => handle.read(pieces[n & 1] as Buffer, 0, PIECE_BYTES);
    filling = fill(0);
    for (let n = 1; ; n++) {
      const { bytesRead, buffer } = await filling;
      options.signal.throwIfAborted();
      if (bytesRead === 0) break;
      filling = fill(n);
      yield salvager.push(buffer.subarray(0, bytesRead));
      options.onBytes(bytesRead);
    }
  } finally {
    // Whoever has enough leaves one on the way.
    await filling?.catch(() => undefined);
    await handle.close();
  }
  yield salvager.end();
}

/** An object that is still open after this many pieces is told by its beginning. The longest line seen had 64 MB. */
const MOST_PIECES = 65;

/**
 * The first values of a file: enough to tell what it is. Reads no more than that takes, 8 MB at most once there is one.
 * A document that is torn, or longer than any record, gives its beginning.
 */
export async function readHead(file: string, count: number, signal: AbortSignal): Promise<readonly unknown[]> {
  const head: unknown[] = [];
  let pieces = 0;
  const options = { onFinding: () => {}, onBytes: () => {}, signal };
  for await (const records of readRecords(file, options)) {
    for (const record of records) {
      head.push(record.value);
      if (head.length === count) return head;
    }
    if (++pieces >= (head.length > 0 ? 8 : MOST_PIECES)) break;
  }
  return head.length > 0 ? head : tornHead(await beginningOf(file));
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
