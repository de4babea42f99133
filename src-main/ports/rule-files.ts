import type { EditableScope } from '../../src-shared/ledger/edit.ts';
import type { FolderRules } from '../core/ledger/rule-book.ts';

/** The settings files with rules, for whoever looks at them and edits them as a person would. */
export interface RuleFiles {
  /** The files that hold for a folder, as they are now. Never throws: what cannot be read says why. */
  of(folder: string): FolderRules;
  /**
   * Puts a new text in the place of an old one, in one step. Allow rules that are new in files that come with a folder
   * count as read and confirmed by whoever writes them.
   * @throws FailureError when the file is no longer as it was, is reached through a link, or cannot be written.
   */
  write(change: {
    readonly scope: EditableScope;
    readonly folder: string;
    readonly before: string;
    readonly after: string;
    /** Texts of the new allow rules. */
    readonly allowed: readonly string[];
  }): void;
}
