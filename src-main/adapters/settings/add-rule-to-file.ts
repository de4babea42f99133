import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { type Failure, FailureError } from '../../../src-shared/failure.ts';
import { withAllowRule } from '../../core/settings/add-rule.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { readSettingsText } from './read-settings.ts';

/**
 * Adds an allow rule to a settings file, making file and folder where they are missing. Read, changed and put in its
 * place in one go, so that nothing of ours comes in between; whoever reads meanwhile sees the old file or the new one.
 *
 * @param within for files that come with a folder: that folder. Nothing is written through a link out of it, which
 * whoever made the folder could have laid. A person's own file may well be a link.
 * @throws FailureError; the file is then as it was.
 */
export function addRuleToFile(file: string, rule: string, within: string | undefined): void {
  try {
    if (within !== undefined && isBehindLink(file, within)) {
      throw refusal(file, 'it is reached through a link', 'Choose another place for the rule.');
    }
    const content = readSettingsText(file);
    if (content.kind === 'unreadable') throw refusal(file, content.why, MEND);
    const before = content.kind === 'missing' ? '' : content.text;
    const changed = withAllowRule(before, rule);
    if (!changed.ok) throw refusal(`${file}:${changed.error.line}`, changed.error.what, MEND);
    if (changed.value === before) return;
    mkdirSync(dirname(file), { recursive: true });
    // It keeps mode and owner, and writes what a link leads to, not over the link.
    writeFileAtomic.sync(file, (content.kind === 'text' ? content.mark : '') + changed.value);
  } catch (cause) {
    if (cause instanceof FailureError) throw cause;
    throw new FailureError(refusal(file, diskTrouble(cause), 'Choose another place for the rule.').failure, { cause });
  }
}

const MEND = 'Mend the file, or choose another place for the rule.';

function refusal(place: string, why: string, hint: string): FailureError {
  const failure: Failure = {
    kind: 'not-writable',
    message: `The rule cannot be added to ${place}: ${why}. Nothing was changed.`,
    hint,
  };
  return new FailureError(failure);
}

/** Does anything between the folder and the file lead elsewhere? A link that leads to nothing yet does too. */
function isBehindLink(file: string, folder: string): boolean {
  const below = relative(folder, file);
  return [dirname(below), below].some((part) => {
    const stats = lstatSync(join(folder, part), { throwIfNoEntry: false });
    return stats?.isSymbolicLink() === true;
  });
}
