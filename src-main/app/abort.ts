/** Settles when the signal is aborted. Disposed of, it leaves no listener behind. */
export function whenAborted(signal: AbortSignal): { readonly promise: Promise<'aborted'>; dispose(): void } {
  let onAbort: () => void = () => undefined;
  const promise = new Promise<'aborted'>((resolve) => {
    onAbort = () => resolve('aborted');
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, dispose: () => signal.removeEventListener('abort', onAbort) };
}

/**
 * What a provider gives, one by one, until `isOver` or the signal ends it: at once, also when the provider does not heed
 * it.
 */
export async function takeUntil<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  take: { readonly item: (item: T) => void; readonly isOver: () => boolean },
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const aborted = whenAborted(signal);
  try {
    while (!take.isOver()) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next === 'aborted' || signal.aborted || next.done === true) return;
      take.item(next.value);
    }
  } finally {
    aborted.dispose();
    // Nobody waits for it: a provider that hangs must not hold up the turn.
    void close(iterator);
  }
}

async function close(items: AsyncIterator<unknown>): Promise<void> {
  try {
    await items.return?.();
  } catch {
    // It has given all it will be asked for; how it ends is its own business.
  }
}
