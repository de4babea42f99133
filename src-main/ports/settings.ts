import { FailureError } from '../../src-shared/failure.ts';
import type { RuleScope } from '../../src-shared/permission/event.ts';
import { mergeSettings } from '../core/settings/merge-settings.ts';
import type { LoadedSettings } from '../core/settings/settings.ts';

/** The settings a session in one folder works under. */
export interface SettingsSource {
  /**
   * All settings as they are at this moment; what has changed on disk is read anew. Cheap enough to be asked before
   * every decision. The same object as before when nothing has changed. Never throws: trouble is a finding.
   */
  current(): LoadedSettings;
  /**
   * Adds one allow rule to the settings of a place, so that it is on disk when this returns. Nothing happens when it is
   * there already.
   * @returns the file.
   * @throws FailureError when the file is broken, is no file of the folder's own, or cannot be written; it is then as
   * it was.
   */
  addRule(scope: Exclude<RuleScope, 'session'>, rule: string): string;
}

/** For sessions without settings files. */
export const noSettings = (folder: string): SettingsSource => {
  const nothing = mergeSettings({ folder, home: folder, trusted: false, claude: [], gantry: [], findings: [] });
  return {
    current: () => nothing,
    addRule: () => {
      throw new FailureError({
        kind: 'unsupported',
        message: 'This session has no settings files.',
        hint: 'Choose This session.',
      });
    },
  };
};

/** What a person has said of the settings that come with a folder. */
export type FolderAnswer = {
  readonly answer: 'trusted' | 'never' | 'none';
  /** Has the person confirmed the entry of this key? Never throws; trouble is a no. */
  readonly confirms: (key: string) => boolean;
};

/**
 * Whose settings a person lets work, by the folder's real path. Trust is given to what was listed: what is changed or
 * comes later is not confirmed by it.
 */
export interface FolderTrust {
  /** Only this folder itself counts: what lies in a trusted one is not trusted by it. Never throws; trouble is `none`. */
  answerFor(folder: string): FolderAnswer;
  /**
   * Trusts the folder with these entries, beside those confirmed before.
   * @throws FailureError when the folder is not there or the list cannot be written.
   */
  trust(folder: string, keys: readonly string[]): void;
  /** Confirms single entries without trusting the folder: a rule that the person has put there. */
  confirm(folder: string, keys: readonly string[]): void;
  /** Nothing of the folder has an effect, and nobody is asked about it again. */
  refuse(folder: string): void;
  /** Forgets what was said. */
  untrust(folder: string): void;
  /** Real paths of trusted folders. @throws FailureError when the list cannot be read. */
  list(): readonly string[];
}
