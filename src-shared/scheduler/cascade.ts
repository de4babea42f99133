import { assertNever } from '../assert-never.ts';
import type { CascadePolicy } from '../session/settings.ts';
import type { ScheduledCall } from './types.ts';

/** Does this call's failure cancel its siblings? One row of the table in spec 1.8 each. */
export function cascades(policy: CascadePolicy, culprit: Pick<ScheduledCall, 'kind'>): boolean {
  switch (policy) {
    case 'any-error':
      return true;
    case 'except-writes':
      return culprit.kind !== 'write';
    case 'bash':
      return culprit.kind === 'bash-read-only' || culprit.kind === 'bash-mutating';
    case 'bash-mutating':
      return culprit.kind === 'bash-mutating';
    case 'none':
      return false;
    default:
      return assertNever(policy, 'cascade policy');
  }
}
