import type { BatchKind } from './types.ts';

/** Neighbouring calls that go together: a maximal run of safe ones, or one unsafe call alone. */
export type Part<C> = { readonly kind: BatchKind; readonly calls: readonly C[] };

/**
 * Splits a message's calls into batches: one greedy pass that keeps the order (spec 1.3). There is no dependency
 * analysis: the model has already said what may go together, and file names cannot show what depends on what.
 */
export function partition<C extends { readonly safe: boolean }>(calls: readonly C[]): readonly Part<C>[] {
  const parts: Part<C>[] = [];
  let run: C[] | undefined;
  for (const call of calls) {
    if (call.safe && run !== undefined) {
      run.push(call);
      continue;
    }
    const own = [call];
    parts.push({ kind: call.safe ? 'safe' : 'exclusive', calls: own });
    run = call.safe ? own : undefined;
  }
  return parts;
}
