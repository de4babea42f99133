import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalFile } from '../src-main/adapters/storage/journal-file.ts';
import { throughLock } from './async-lock.ts';
import { type Call, runIdleSession } from './idle-session.ts';
import { cpuOf, inTurn, median, rounded, spread } from './measure.ts';
import { peer } from './peer.ts';

type PQueue = new (options: {
  readonly concurrency: number;
}) => { add(work: () => Promise<unknown>): Promise<unknown> };

/** Calls in one timed block, and blocks: long enough for the process's CPU clock, few enough for the longest message. */
const CALLS_IN_BLOCK = 2_000;
const BLOCKS = { 100: 15, 1000: 15, 10000: 5 } as const;

/** CPU a no-op call that goes through all stages (spec 7.1), beside a bare lock over promises and p-queue. */
export default async function executorBench() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const queue = ((await peer('p-queue', '9.3.5', 'dist/index.js')) as { readonly default: PQueue } | undefined)
    ?.default;
  const rows: Record<string, string | number>[] = [];
  let journals = 0;
  let ofThousand: number | undefined;
  for (const [count, blocks] of Object.entries(BLOCKS).map(([key, value]) => [Number(key), value] as const)) {
    const calls: Call[] = Array.from({ length: count }, () => ({ safe: true }));
    const messages = Math.max(1, Math.floor(CALLS_IN_BLOCK / count));
    const block = (message: () => Promise<unknown>) => () =>
      cpuOf(count * messages, async () => {
        for (let n = 0; n < messages; n++) await message();
      });
    const journal = () => JournalFile.create(join(folder, `${journals++}.jsonl`));
    const times = await inTurn(
      {
        lock: block(() => throughLock(calls.map(({ safe }) => ({ safe, work: async () => undefined })))),
        queue: block(() => throughQueue(queue, count)),
        without: block(() => runIdleSession({ calls })),
        with: block(() => runIdleSession({ calls, store: journal() })),
      },
      blocks,
    );
    const lock = median(times.lock);
    const without = median(times.without);
    if (count === 1_000) ofThousand = without;
    rows.push({
      calls: count,
      'µs a call': rounded(without),
      'spread µs': rounded(spread(times.without)),
      'with journal µs': rounded(median(times.with)),
      'async lock µs': rounded(lock),
      'p-queue µs': queue === undefined ? 'not reached' : rounded(median(times.queue)),
      '÷ async lock': rounded(without / lock),
      '÷ p-queue': queue === undefined ? '' : rounded(without / median(times.queue)),
      'with journal ÷ p-queue': queue === undefined ? '' : rounded(median(times.with) / median(times.queue)),
      '÷ at 1,000 calls': ofThousand === undefined ? '' : rounded(without / ofThousand),
    });
  }
  rmSync(folder, { recursive: true });
  return { name: 'executor: CPU a no-op call through all stages of a live session', rows };
}

async function throughQueue(Queue: PQueue | undefined, count: number): Promise<void> {
  if (Queue === undefined) return;
  const queue = new Queue({ concurrency: 10 });
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) all.push(queue.add(async () => undefined));
  await Promise.all(all);
}
