import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalFile } from '../src-main/adapters/storage/journal-file.ts';
import type { EventStore } from '../src-main/ports/event-log.ts';
import type { ModelItem } from '../src-main/ports/model-provider.ts';
import type { BatchId, CallId } from '../src-shared/ids.ts';
import { simulate } from '../src-shared/scheduler/simulate.ts';
import { throughLock } from './async-lock.ts';
import { nowhere, runIdleSession } from './idle-session.ts';
import { inTurn, median, rounded, share, spread, wallOf } from './measure.ts';

/** A call that sleeps. */
type Sleeper = { readonly safe: boolean; readonly ms: number };

const SEED = 20_260_101;
const LOADS = [42, 82, 200] as const;
const BLOCKS = 7;
/** Between blocks of a message that streams. */
const BLOCK_GAP_MS = 5;
const BLOCKS_OF_MESSAGE = 60;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Three safe calls in four, of 10 to 60 ms; the same in every run (a linear congruential generator). */
function sleepers(count: number): readonly Sleeper[] {
  let state = SEED + count;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, () => ({ safe: next() < 0.75, ms: 10 + Math.floor(next() * 50) }));
}

/** How long the rules alone make it, with no time for anything else. */
function ideal(calls: readonly Sleeper[]): number {
  let batches = 0;
  const { endsAt } = simulate(
    {
      calls: calls.map(({ safe, ms }, n) => ({
        callId: `call_${n}` as CallId,
        safe,
        kind: 'other',
        onInterrupt: 'block',
        arrives: 0,
        runs: ms,
      })),
    },
    {
      strategy: 'streaming',
      cap: 10,
      cascade: 'none',
      startUnsafe: 'at-once',
      newBatchId: () => `batch_${batches++}` as BatchId,
    },
  );
  return endsAt;
}

/** Watches who runs beside whom and who starts before whom. */
class Referee {
  overlaps = 0;
  overtakings = 0;
  lastEnd = 0;
  readonly #calls: readonly Sleeper[];
  readonly #running = new Set<number>();
  #last = -1;

  constructor(calls: readonly Sleeper[]) {
    this.#calls = calls;
  }

  async run(n: number): Promise<void> {
    const isAlone = (other: number): boolean => !(this.#calls[other]?.safe ?? false);
    if (this.#running.size > 0 && (isAlone(n) || [...this.#running].some(isAlone))) this.overlaps++;
    if (n < this.#last) this.overtakings++;
    this.#last = n;
    this.#running.add(n);
    await sleep(this.#calls[n]?.ms ?? 0);
    this.#running.delete(n);
    this.lastEnd = performance.now();
  }
}

/** Makespan of mixed loads beside a bare read-write lock, and the first start while a message streams (spec 7.1). */
export default async function makespanBench() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  let journals = 0;
  const store = () => JournalFile.create(join(folder, `${journals++}.jsonl`));
  const rows: Record<string, string | number>[] = [];
  for (const count of LOADS) {
    const calls = sleepers(count);
    const referees: Referee[] = [];
    const session = async (events: EventStore = nowhere): Promise<number> => {
      const referee = new Referee(calls);
      referees.push(referee);
      let from = 0;
      async function* stream(block: (n: number) => ModelItem): AsyncGenerator<ModelItem> {
        from = performance.now();
        for (const n of calls.keys()) yield block(n);
      }
      await runIdleSession({ calls, store: events, stream, work: (n) => referee.run(n) });
      return referee.lastEnd - from;
    };
    const times = await inTurn(
      {
        lock: () => wallOf(() => throughLock(calls.map(({ safe, ms }) => ({ safe, work: () => sleep(ms) })))),
        without: () => session(),
        with: () => session(store()),
      },
      BLOCKS,
    );
    const lock = median(times.lock);
    rows.push({
      load: `${count} calls`,
      'ideal ms': ideal(calls),
      'lock ÷ ideal': rounded(lock / ideal(calls)),
      'ours ÷ lock': rounded(median(times.without) / lock),
      'spread %': rounded((100 * spread(times.without)) / lock),
      'ours with journal ÷ lock': rounded(median(times.with) / lock),
      overlaps: referees.reduce((sum, { overlaps }) => sum + overlaps, 0),
      overtakings: referees.reduce((sum, { overtakings }) => sum + overtakings, 0),
    });
  }
  rows.push(await firstStarts(store()));
  rmSync(folder, { recursive: true });
  return { name: 'executor: makespan, and start of a call after its block (with journal), all stages', rows };
}

/** From the moment a block is handed over to the moment its tool runs, while the message goes on. */
async function firstStarts(store: JournalFile): Promise<Record<string, string | number>> {
  const calls = Array.from({ length: BLOCKS_OF_MESSAGE }, () => ({ safe: true }));
  const arrived: number[] = [];
  const started: number[] = [];
  async function* stream(block: (n: number) => ModelItem): AsyncGenerator<ModelItem> {
    for (let n = 0; n < calls.length; n++) {
      await sleep(BLOCK_GAP_MS);
      arrived[n] = performance.now();
      yield block(n);
    }
  }
  const work = (n: number): undefined => {
    started[n] = performance.now();
  };
  await runIdleSession({ calls, store, stream, work });
  const waits = started.map((at, n) => at - (arrived[n] ?? 0));
  return {
    load: `start after a block, ${calls.length} blocks`,
    'first ms': rounded(waits[0] ?? 0),
    'median ms': rounded(median(waits)),
    'p95 ms': rounded(share(waits, 0.95)),
  };
}
