/** So many files are asked for at once: one after the other, each would wait for a turn of its own. */
const AT_ONCE = 16;

/** Does the same with each, some at once. @throws the first that is thrown, and the signal's reason when it is aborted */
export async function withEach<T>(
  all: readonly T[],
  signal: AbortSignal,
  task: (one: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      signal.throwIfAborted();
      await task(all[at] as T, at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
