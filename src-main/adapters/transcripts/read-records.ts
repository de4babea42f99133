import { open } from 'node:fs/promises';
import type { ReadOptions } from './importer.ts';
import { type Salvaged, Salvager } from './salvage.ts';

/** Big enough that the cost per read does not count, small enough to give the event loop its turn. */
const PIECE_BYTES = 1024 * 1024;

/** The JSON values of a file, piece by piece. Odd places become findings; only the file system makes it throw. */
export async function* readRecords(file: string, options: ReadOptions): AsyncGenerator<readonly Salvaged[]> {
  const salvager = new Salvager(({ line, kind, message }) => options.onFinding({ file, line, kind, message }));
  const handle = await open(file, 'r');
  try {
    for (;;) {
      options.signal.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
      if (bytesRead === 0) break;
      yield salvager.push(buffer.subarray(0, bytesRead));
      options.onBytes(bytesRead);
    }
  } finally {
    await handle.close();
  }
  yield salvager.end();
}

/** The first values of a file: enough to tell what it is. Reads no more than that takes, at most 8 MB. */
export async function readHead(file: string, count: number, signal: AbortSignal): Promise<readonly unknown[]> {
  const head: unknown[] = [];
  let pieces = 0;
  const options = { onFinding: () => {}, onBytes: () => {}, signal };
  for await (const records of readRecords(file, options)) {
    for (const record of records) {
      head.push(record.value);
      if (head.length === count) return head;
    }
    if (++pieces >= 8 && head.length > 0) break;
  }
  return head;
}
