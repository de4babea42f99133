import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import { err, ok } from '../../../src-shared/result.ts';
import type { FolderRules, RuleFile } from '../../core/ledger/rule-book.ts';
import { allowRuleEntry } from '../../core/settings/grants.ts';
import type { SettingsPlaces } from '../../core/settings/places.ts';
import { comesWithFolder } from '../../core/settings/settings.ts';
import type { RuleFiles } from '../../ports/rule-files.ts';
import type { FolderTrust } from '../../ports/settings.ts';
import { changeSettingsFile } from './change-settings-file.ts';
import { readSettingsText } from './read-settings.ts';

/** The settings files of any folder, read whenever they are asked for: a person looks at them, no call waits. */
export class EditableRules implements RuleFiles {
  readonly #home: string;
  readonly #placesOf: (folder: string) => SettingsPlaces;
  readonly #trust: FolderTrust;

  constructor(deps: {
    /** The person's home folder. */
    readonly home: string;
    readonly placesOf: (folder: string) => SettingsPlaces;
    readonly trust: FolderTrust;
  }) {
    this.#home = deps.home;
    this.#placesOf = deps.placesOf;
    this.#trust = deps.trust;
  }

  of(folder: string): FolderRules {
    const { claude, managedFolder } = this.#placesOf(folder);
    const managed = jsonFilesIn(managedFolder).map((file) => ({ scope: 'managed', file }) as const);
    const { answer, confirms } = this.#trust.answerFor(folder);
    return {
      folder,
      home: this.#home,
      trusted: answer === 'trusted',
      confirms,
      files: [...claude, ...managed].map((place): RuleFile => {
        const content = readSettingsText(place.file);
        if (content.kind === 'text') return { ...place, text: content.text };
        return { ...place, text: undefined, ...(content.kind === 'missing' ? {} : { unreadable: content.why }) };
      }),
    };
  }

  write({ scope, folder, before, after, allowed }: Parameters<RuleFiles['write']>[0]): void {
    const { claude } = this.#placesOf(folder);
    // In the home folder the project's file is the user's.
    const place = claude.find((each) => each.scope === scope) ?? claude.find((each) => each.scope === 'user');
    if (place === undefined) throw new Error(`there is no place for ${scope} settings`);
    changeSettingsFile({
      file: place.file,
      within: place.scope === 'user' ? undefined : folder,
      change: (now) => (now === before ? ok(after) : err({ line: 1, what: 'it was changed meanwhile' })),
      what: 'The rules cannot be saved in',
      mend: 'Look at the dry run again.',
    });
    if (comesWithFolder(place.scope)) this.#confirm(folder, allowed);
  }

  /** Whoever writes a rule has read it. Where that cannot be kept, it waits like any other of the folder. */
  #confirm(folder: string, allowed: readonly string[]): void {
    if (allowed.length === 0) return;
    try {
      this.#trust.confirm(
        folder,
        allowed.map((text) => allowRuleEntry(text, { file: '', line: 1 }).key),
      );
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }
}

function jsonFilesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
