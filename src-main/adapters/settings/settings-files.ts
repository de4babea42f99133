import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import { type McpFile, NO_MCP_FILE, readMcpFile, unreadableMcpFile } from '../../core/mcp/definitions.ts';
import {
  emptySettings,
  heldOver,
  readClaudeSettings,
  unreadableSettings,
} from '../../core/settings/claude-settings.ts';
import { readGantrySettings, unreadableGantrySettings } from '../../core/settings/gantry-settings.ts';
import { allowRuleEntry } from '../../core/settings/grants.ts';
import { mergeSettings } from '../../core/settings/merge-settings.ts';
import type { SettingsPlaces } from '../../core/settings/places.ts';
import {
  type ClaudeSettings,
  comesWithFolder,
  type GantrySettings,
  type LoadedSettings,
} from '../../core/settings/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SettingsSource } from '../../ports/settings.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { addRuleToFile } from './add-rule-to-file.ts';
import { isMissing, type SettingsText } from './read-settings.ts';
import type { TrustedFolders } from './trusted-folders.ts';
import { WatchedFile } from './watched-file.ts';

export type SettingsFilesDeps = {
  /** The session's folder, absolute. */
  readonly folder: string;
  /** The person's home folder. */
  readonly home: string;
  readonly places: SettingsPlaces;
  readonly trusted: TrustedFolders;
  readonly clock: Clock;
};

type ClaudePlace = SettingsPlaces['claude'][number];
/** A file with what it said when it was last looked at. */
type Kept<T> = { readonly file: WatchedFile; content: SettingsText | undefined; settings: T };

/** The settings of one folder, from the files of the user, the folder and the administrator. */
export class SettingsFiles implements SettingsSource {
  readonly #deps: SettingsFilesDeps;
  readonly #claude = new Map<string, Kept<ClaudeSettings>>();
  readonly #gantry = new Map<string, Kept<GantrySettings>>();
  readonly #mcp = new Map<string, Kept<McpFile>>();
  #parts: readonly unknown[] = [];
  #loaded: LoadedSettings | undefined;

  constructor(deps: SettingsFilesDeps) {
    this.#deps = deps;
  }

  current(): LoadedSettings {
    const { folder, home, places, trusted } = this.#deps;
    const managed = this.#managedFiles();
    const claude = [...places.claude, ...managed.places].map((place) => this.#lookAtClaude(place));
    const gantry = places.gantry.map((place) => this.#lookAtGantry(place));
    const mcp = this.#lookAtMcp(places.mcp);
    const answer = trusted.answerFor(folder);
    const trouble = [managed.problem, trusted.problem];
    const parts = [...claude, ...gantry, mcp, answer, ...trouble];
    if (this.#loaded === undefined || !isSameList(parts, this.#parts)) {
      this.#parts = parts;
      const findings = [
        ...findingOf(places.managedFolder, managed.problem),
        ...findingOf(trusted.path, trusted.problem),
      ];
      const { confirms } = answer;
      const isTrusted = answer.answer === 'trusted';
      this.#loaded = mergeSettings({ folder, home, trusted: isTrusted, confirms, claude, gantry, mcp, findings });
    }
    return this.#loaded;
  }

  addRule(scope: 'local' | 'project' | 'user', rule: string): string {
    const { folder, places } = this.#deps;
    // In the home folder the project's file is the user's.
    const place =
      places.claude.find((each) => each.scope === scope) ?? places.claude.find((each) => each.scope === 'user');
    if (place === undefined) throw new Error(`there is no place for ${scope} settings`);
    addRuleToFile(place.file, rule, place.scope === 'user' ? undefined : folder);
    if (comesWithFolder(place.scope)) this.#confirmRule(rule);
    return place.file;
  }

  /** Whoever puts a rule there has read it. Where that cannot be kept, the rule waits like any other of the folder. */
  #confirmRule(rule: string): void {
    try {
      this.#deps.trusted.confirm(this.#deps.folder, [allowRuleEntry(rule, { file: '', line: 1 }).key]);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }

  #managedFiles(): { readonly places: readonly ClaudePlace[]; readonly problem: string | undefined } {
    const { managedFolder } = this.#deps.places;
    try {
      const names = readdirSync(managedFolder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      const places = names.sort().map((name) => ({ scope: 'managed', file: join(managedFolder, name) }) as const);
      return { places, problem: undefined };
    } catch (error) {
      return { places: [], problem: isMissing(error) ? undefined : diskTrouble(error) };
    }
  }

  #lookAtClaude(place: ClaudePlace): ClaudeSettings {
    const kept = this.#keep(this.#claude, place, () => emptySettings(place));
    const content = kept.file.look();
    if (content !== kept.content) {
      kept.content = content;
      kept.settings = heldOver(claudeSettingsOf(place, content), kept.settings);
    }
    return kept.settings;
  }

  #lookAtGantry(place: SettingsPlaces['gantry'][number]): GantrySettings {
    const kept = this.#keep(this.#gantry, place, () => readGantrySettings({ ...place, text: '' }));
    const content = kept.file.look();
    if (content !== kept.content) {
      kept.content = content;
      kept.settings =
        content.kind === 'unreadable'
          ? unreadableGantrySettings({ ...place, why: content.why })
          : readGantrySettings({ ...place, text: content.kind === 'text' ? content.text : '' });
    }
    return kept.settings;
  }

  #lookAtMcp(file: string): McpFile {
    const kept = this.#keep(this.#mcp, { file }, () => NO_MCP_FILE);
    const content = kept.file.look();
    if (content !== kept.content) {
      kept.content = content;
      kept.settings = mcpFileOf(file, content);
    }
    return kept.settings;
  }

  #keep<T>(all: Map<string, Kept<T>>, { file }: { readonly file: string }, first: () => T): Kept<T> {
    const kept = all.get(file) ?? {
      file: new WatchedFile(file, this.#deps.clock),
      content: undefined,
      settings: first(),
    };
    all.set(file, kept);
    return kept;
  }
}

function claudeSettingsOf(place: ClaudePlace, content: SettingsText): ClaudeSettings {
  switch (content.kind) {
    case 'missing':
      return emptySettings(place);
    case 'unreadable':
      return unreadableSettings({ ...place, why: content.why });
    case 'text':
      return readClaudeSettings({ ...place, text: content.text });
  }
}

function mcpFileOf(file: string, content: SettingsText): McpFile {
  switch (content.kind) {
    case 'missing':
      return NO_MCP_FILE;
    case 'unreadable':
      return unreadableMcpFile(file, content.why);
    case 'text':
      return readMcpFile({ file, text: content.text });
  }
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

const findingOf = (file: string, problem: string | undefined): readonly Finding[] =>
  problem === undefined
    ? []
    : [{ file, line: 0, kind: 'settings-unreadable', message: `It cannot be read: ${problem}. Nothing in it counts.` }];
