import { join } from 'node:path';
import { withOwnSetting } from '../../core/settings/own-setting.ts';
import { changeSettingsFile } from './change-settings-file.ts';

/**
 * Changes one value of Gantry's own settings file; undefined takes it away.
 * @throws FailureError when the file is broken or cannot be written; it is then as it was.
 */
export const changeOwnSetting = (gantryHome: string, key: readonly [string, string], value: unknown): void =>
  changeSettingsFile({
    file: join(gantryHome, 'settings.json'),
    within: undefined,
    change: (before) => withOwnSetting(before, key, value),
    what: 'The setting cannot be written to',
    mend: 'Mend the file, then try again.',
  });
