/** Half of the numbers are smaller. */
export const median = (numbers: readonly number[]): number => share(numbers, 0.5);

/** The number below which this share of all lies. */
export function share(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Width of the middle half. */
export const spread = (numbers: readonly number[]): number => share(numbers, 0.75) - share(numbers, 0.25);

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Processor time of this process, all threads, in microseconds a unit of `work`. */
export async function cpuOf(units: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / units;
}

/** Milliseconds until `work` is done. */
export async function wallOf(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/**
 * Measures several contenders in turn, block by block, so that what else the machine does strikes all of them alike.
 * The first blocks warm the compiler up and are not counted.
 */
export async function inTurn<K extends string>(
  contenders: { readonly [key in K]: () => Promise<number> },
  blocks: number,
  warmUp = 2,
): Promise<Record<K, number[]>> {
  const keys = Object.keys(contenders) as K[];
  const times = Object.fromEntries(keys.map((key) => [key, [] as number[]])) as Record<K, number[]>;
  for (let block = -warmUp; block < blocks; block++) {
    for (const key of keys) {
      const time = await contenders[key]();
      if (block >= 0) times[key].push(time);
    }
  }
  return times;
}
