/** A stretch of time in which a call ran. In ms. */
export type Span = { readonly from: number; readonly until: number };

/** The most spans that overlap. Spans that only touch do not; a span of no length counts at its moment. */
export function mostAtOnce(spans: readonly Span[]): number {
  const steps = spans.flatMap(({ from, until }) => [
    { at: from, change: 1, isEmpty: from === until },
    { at: until, change: -1, isEmpty: from === until },
  ]);
  // At one moment: ends first, then starts, and last the ends of spans that began at that very moment.
  const order = (step: (typeof steps)[number]) => (step.change === 1 ? 1 : step.isEmpty ? 2 : 0);
  steps.sort((a, b) => a.at - b.at || order(a) - order(b));
  let now = 0;
  let most = 0;
  for (const { change } of steps) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** Time in which at least one span runs. */
export function busyTime(spans: readonly Span[]): number {
  const inOrder = [...spans].sort((a, b) => a.from - b.from);
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of inOrder) {
    if (span.until <= until) continue;
    busy += span.until - Math.max(span.from, until);
    until = span.until;
  }
  return busy;
}

/** The greatest sum of lengths of spans that do not overlap. O(n log n). */
export function longestChain(spans: readonly Span[]): number {
  const byEnd = [...spans].sort((a, b) => a.until - b.until || a.from - b.from);
  /** Best sum among the first n spans. */
  const best = [0];
  byEnd.forEach((span, n) => {
    const before = countEndedBy(byEnd, span.from, n);
    best.push(Math.max(best[n] as number, (best[before] as number) + span.until - span.from));
  });
  return best.at(-1) as number;
}

function countEndedBy(byEnd: readonly Span[], moment: number, limit: number): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byEnd[middle] as Span).until <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
