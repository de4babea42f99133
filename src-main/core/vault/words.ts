import { formatBytes, formatCount } from '../../../src-shared/timeline/words.ts';
import type { VaultProblem, VaultRun } from '../../../src-shared/vault/view.ts';

const files = (n: number): string => `${formatCount(n)} ${n === 1 ? 'file' : 'files'}`;
/** `3 files, 1.2 MB`. */
export const amount = (n: number, bytes: number): string => `${files(n)}, ${formatBytes(bytes)}`;

/** What a run came to: `3 files copied, 1.2 MB. 1 file could not be copied.` */
export function runWords({ run, resting }: { readonly run: VaultRun; readonly resting: number }): string {
  const { files: copied, bytes, problems, stopped } = run;
  return [
    ...(stopped ? ['Stopped.'] : []),
    copied === 0
      ? stopped || problems > 0
        ? 'Nothing was copied.'
        : 'Everything is up to date.'
      : `${files(copied)} copied, ${formatBytes(bytes)}.`,
    ...(resting === 0 ? [] : [`${files(resting)} being written ${resting === 1 ? 'is' : 'are'} left for later.`]),
    ...(problems === 0 ? [] : [`${files(problems)} could not be copied.`]),
  ].join(' ');
}

export type Verified = {
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly VaultProblem[];
  readonly unreadable: number;
};

export function verifyWords({ files: all, bytes, problems, unreadable }: Verified): string {
  const wrong = problems.length;
  return [
    problems.length === 0
      ? `${amount(all, bytes)}: each is what was copied.`
      : `${formatCount(wrong)} of ${files(all)} ${wrong === 1 ? 'is' : 'are'} not what was copied.`,
    ...(problems.length === 0 ? [] : ['The next run copies again what its source still has.']),
    ...(unreadable === 0
      ? []
      : [
          `${formatCount(unreadable)} ${unreadable === 1 ? 'line' : 'lines'} of the manifest cannot be read; the next run finds again what ${unreadable === 1 ? 'it' : 'they'} told of.`,
        ]),
  ].join(' ');
}

export type Restored = {
  readonly files: number;
  readonly bytes: number;
  readonly same: number;
  readonly problems: readonly VaultProblem[];
};

export function restoreWords({ files: restored, bytes, same, problems }: Restored): string {
  return [
    restored === 0 ? 'Nothing was restored.' : `${files(restored)} restored, ${formatBytes(bytes)}.`,
    ...(same === 0 ? [] : [`${files(same)} ${same === 1 ? 'was' : 'were'} there already.`]),
    ...(problems.length === 0 ? [] : [`${files(problems.length)} could not be restored.`]),
  ].join(' ');
}
