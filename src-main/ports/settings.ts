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

/** Whose settings a person lets work: the folders they trust, by real path. */
export interface FolderTrust {
  /** Only this folder itself counts: what lies in a trusted one is not trusted by it. Never throws; trouble is a no. */
  isTrusted(folder: string): boolean;
  /** @throws FailureError when the folder is not there or the list cannot be written. */
  trust(folder: string): void;
  untrust(folder: string): void;
  /** Real paths. @throws FailureError when the list cannot be read. */
  list(): readonly string[];
}
