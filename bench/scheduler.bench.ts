import type { BatchId, CallId } from '../src-shared/ids.ts';
import { createScheduler } from '../src-shared/scheduler/create-scheduler.ts';
import type { ScheduledCall } from '../src-shared/scheduler/types.ts';

/** Calls that end the moment they start, so that what is measured is the scheduler alone (spec 7.1). */
type Load = { readonly name: string; readonly calls: readonly ScheduledCall[] };

const CAP = 10;
const BLOCKS = 15;
/** Calls in one timed block: long enough for the process's CPU clock, whatever the message's length. */
const CALLS_IN_BLOCK = 100_000;
const NO_OP = { failed: false, modifies: false } as const;

const callsOf = (count: number, isSafe: (index: number) => boolean): ScheduledCall[] =>
  Array.from({ length: count }, (_, index) => ({
    callId: `toolu_${index}` as CallId,
    safe: isSafe(index),
    kind: 'other',
    onInterrupt: 'block',
  }));

const loads = (count: number): readonly Load[] => [
  { name: 'safe', calls: callsOf(count, () => true) },
  { name: 'unsafe', calls: callsOf(count, () => false) },
  { name: '3 safe, 1 unsafe', calls: callsOf(count, (index) => index % 4 !== 3) },
];

/** One message through the scheduler: all blocks arrive, then the calls end in the order they started. */
function throughScheduler(calls: readonly ScheduledCall[]): number {
  let batches = 0;
  const scheduler = createScheduler({
    strategy: 'streaming',
    cap: CAP,
    cascade: 'bash',
    startUnsafe: 'at-once',
    newBatchId: () => `batch_${batches++}` as BatchId,
  });
  const started: CallId[] = [];
  let yielded = 0;
  const follow = (decisions: ReturnType<typeof scheduler.add>) => {
    for (const decision of decisions) {
      if (decision.type === 'start') started.push(decision.callId);
      else if (decision.type === 'yield') yielded += 1;
    }
  };
  for (const call of calls) follow(scheduler.add(call));
  follow(scheduler.messageEnded('well'));
  for (let next = 0; next < started.length; next += 1) follow(scheduler.settle(started[next] as CallId, NO_OP));
  if (!scheduler.done || yielded !== calls.length) throw new Error('the scheduler left calls behind');
  return yielded;
}

/** The floor: the same start rule as a bare lock, without ids, lanes, order of results, reasons or cancellation. */
function throughBareLock(calls: readonly ScheduledCall[]): number {
  const queue: ScheduledCall[] = [];
  const running: ScheduledCall[] = [];
  let head = 0;
  let ended = 0;
  let exclusive = false;
  const scan = () => {
    while (head < queue.length && running.length - ended < CAP && !exclusive) {
      const call = queue[head] as ScheduledCall;
      if (!call.safe && running.length > ended) return;
      exclusive = !call.safe;
      head += 1;
      running.push(call);
    }
  };
  for (const call of calls) {
    queue.push(call);
    scan();
  }
  while (ended < running.length) {
    ended += 1;
    exclusive = false;
    scan();
  }
  if (ended !== calls.length) throw new Error('the bare lock left calls behind');
  return ended;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** CPU time of this process, in microseconds a call: median and the middle half's width over all blocks. */
function cpuPerCall(run: (calls: readonly ScheduledCall[]) => number, calls: readonly ScheduledCall[]) {
  const messages = Math.ceil(CALLS_IN_BLOCK / calls.length);
  const times: number[] = [];
  for (let block = -2; block < BLOCKS; block += 1) {
    const before = process.cpuUsage();
    for (let message = 0; message < messages; message += 1) run(calls);
    const { user, system } = process.cpuUsage(before);
    // The first two blocks warm the compiler up.
    if (block >= 0) times.push((user + system) / (messages * calls.length));
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
  return { median: median(times), spread: at(0.75) - at(0.25) };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** CPU of the scheduler a no-op call, as a ratio to a bare lock, and how it grows with the message's length. */
export default async function schedulerBench(): Promise<{
  name: string;
  rows: Record<string, string | number>[];
}> {
  const rows: Record<string, string | number>[] = [];
  const ofShortMessage = new Map<string, number>();
  for (const count of [1_000, 10_000]) {
    for (const { name, calls } of loads(count)) {
      const lock = cpuPerCall(throughBareLock, calls);
      const ours = cpuPerCall(throughScheduler, calls);
      if (!ofShortMessage.has(name)) ofShortMessage.set(name, ours.median);
      rows.push({
        calls: count,
        load: name,
        'µs a call': rounded(ours.median),
        'spread µs': rounded(ours.spread),
        'bare lock µs': rounded(lock.median),
        '÷ bare lock': rounded(ours.median / lock.median),
        '÷ at 1,000 calls': rounded(ours.median / (ofShortMessage.get(name) ?? ours.median)),
      });
    }
  }
  return { name: 'scheduler: CPU a no-op call, streaming', rows };
}
