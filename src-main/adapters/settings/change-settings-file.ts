import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { type Failure, FailureError } from '../../../src-shared/failure.ts';
import type { Result } from '../../../src-shared/result.ts';
import type { NotAdded } from '../../core/settings/add-rule.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { readSettingsText } from './read-settings.ts';

export type SettingsChange = {
  readonly file: string;
  /**
   * For files that come with a folder: that folder. Nothing is written through a link out of it, which whoever made the
   * folder could have laid. A person's own file may well be a link.
   */
  readonly within: string | undefined;
  /** The new text from the old one, which is empty when the file is not there; the same text changes nothing. */
  readonly change: (before: string) => Result<string, NotAdded>;
  /** What fails, as the beginning of a sentence: `The rule cannot be added to`. */
  readonly what: string;
  /** What to do about a broken file. */
  readonly mend: string;
};

/**
 * Changes a settings file, making file and folder where they are missing. Read, changed and put in its place in one go,
 * so that nothing of ours comes in between; whoever reads meanwhile sees the old file or the new one.
 * @throws FailureError; the file is then as it was.
 */
export function changeSettingsFile({ file, within, change, what, mend }: SettingsChange): void {
  const refusal = (place: string, why: string, hint: string): Failure => ({
    kind: 'not-writable',
    message: `${what} ${place}: ${why}. Nothing was changed.`,
    hint,
  });
  try {
    if (within !== undefined && isBehindLink(file, within)) {
      throw new FailureError(refusal(file, 'it is reached through a link', ELSEWHERE));
    }
    const content = readSettingsText(file);
    if (content.kind === 'unreadable') throw new FailureError(refusal(file, content.why, mend));
    const before = content.kind === 'missing' ? '' : content.text;
    const changed = change(before);
    if (!changed.ok) throw new FailureError(refusal(`${file}:${changed.error.line}`, changed.error.what, mend));
    if (changed.value === before) return;
    mkdirSync(dirname(file), { recursive: true });
    // It keeps mode and owner, and writes what a link leads to, not over the link.
    writeFileAtomic.sync(file, (content.kind === 'text' ? content.mark : '') + changed.value);
  } catch (cause) {
    if (cause instanceof FailureError) throw cause;
    throw new FailureError(refusal(file, diskTrouble(cause), ELSEWHERE), { cause });
  }
}

const ELSEWHERE = 'Choose another place for the rule.';

/** Does anything between the folder and the file lead elsewhere? A link that leads to nothing yet does too. */
function isBehindLink(file: string, folder: string): boolean {
  const below = relative(folder, file);
  return [dirname(below), below].some((part) => {
    const stats = lstatSync(join(folder, part), { throwIfNoEntry: false });
    return stats?.isSymbolicLink() === true;
  });
}
