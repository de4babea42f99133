import { formatBytes, formatCount } from '../../src-shared/timeline/words.ts';
import type { VaultRun, VaultState, VaultStatus, VaultWork } from '../../src-shared/vault/view.ts';
import { formatName } from '../sessions/groups.ts';
import { counted, whenWords } from '../state/format.ts';

const WORK_WORDS: Readonly<Record<VaultWork, string>> = { run: 'Copying', verify: 'Checking', restore: 'Restoring' };

/** The name of a program, or of what a person has added. */
export const programName = (program: string): string =>
  program === 'folders' ? 'Folders you have added' : formatName(program);

/** `Copying 12 of 40 files, 1.2 MB of 30 MB`. */
export function stateWords(state: VaultState): string {
  if (state.kind === 'idle') return '';
  const work = WORK_WORDS[state.work];
  if (state.kind === 'looking') return state.work === 'run' ? 'Looking for what has changed' : work;
  const { files, ofFiles, bytes, ofBytes } = state;
  return `${work} ${formatCount(files)} of ${counted(ofFiles, 'file')}, ${formatBytes(bytes)} of ${formatBytes(ofBytes)}`;
}

const amount = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${counted(files, 'file')}, ${formatBytes(bytes)}`;

export function runWords(run: VaultRun | undefined, now: number): string {
  if (run === undefined) return 'never';
  const what = run.files === 0 ? 'nothing had changed' : `${amount(run)} copied`;
  const problems = run.problems === 0 ? [] : [`${counted(run.problems, 'file')} could not be copied`];
  return [whenWords(run.at, now), ...(run.stopped ? ['stopped'] : []), what, ...problems].join(', ');
}

/** The facts of a vault, each with its name, as far as there is something to say. */
export function factsOf(status: VaultStatus, now: number): readonly (readonly [name: string, words: string])[] {
  const { waiting, gone, older, lastRun } = status;
  const all: readonly (readonly [string, string])[] = [
    ['Last run', runWords(lastRun, now)],
    ['Waiting', waiting.files === 0 ? 'nothing, all is copied' : `${amount(waiting)}, new or changed`],
    ['Only in the vault', gone === 0 ? '' : `${counted(gone, 'session')} whose own file is gone`],
    ['Older versions', older.files === 0 ? '' : amount(older)],
  ];
  return all.filter(([, words]) => words !== '');
}
