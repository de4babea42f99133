import { assertNever } from '../assert-never.ts';
import { formatCount, formatMillis } from '../timeline/words.ts';
import type { ComparedOutcome, Comparison, Difference } from './compare.ts';

/** `only in A`, `ok in A, error in B`, `0.3 s in A, 2.1 s in B`. */
export function changeWords(difference: Difference): string {
  switch (difference.kind) {
    case 'only-a':
      return 'only in A';
    case 'only-b':
      return 'only in B';
    case 'outcome':
      return `${outcome(difference.outcomes[0])} in A, ${outcome(difference.outcomes[1])} in B`;
    case 'duration':
      return `${formatMillis(difference.ms[0])} in A, ${formatMillis(difference.ms[1])} in B`;
    default:
      return assertNever(difference, 'difference');
  }
}

const outcome = (of: ComparedOutcome): string => (of === 'open' ? 'not ended' : of);

/** How far both go together: `Same calls, same outcomes.` or `The first 5 calls are the same.` */
export function sameWords({ first, sameCalls, a, b }: Comparison): string {
  if (first === undefined) {
    if (a.calls + b.calls === 0) return 'Neither has a call.';
    return 'Every call is in both, and ended the same way.';
  }
  if (sameCalls === 0) return 'They differ from the first call on.';
  return sameCalls === 1 ? 'The first call is the same.' : `The first ${formatCount(sameCalls)} calls are the same.`;
}
