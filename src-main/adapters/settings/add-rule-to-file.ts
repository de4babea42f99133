import { withAllowRule } from '../../core/settings/add-rule.ts';
import { changeSettingsFile } from './change-settings-file.ts';

/**
 * Adds an allow rule to a settings file, making file and folder where they are missing.
 * @param within for files that come with a folder: that folder (see `changeSettingsFile`).
 * @throws FailureError; the file is then as it was.
 */
export const addRuleToFile = (file: string, rule: string, within: string | undefined): void =>
  changeSettingsFile({
    file,
    within,
    change: (before) => withAllowRule(before, rule),
    what: 'The rule cannot be added to',
    mend: 'Mend the file, or choose another place for the rule.',
  });
