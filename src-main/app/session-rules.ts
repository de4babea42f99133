import { FailureError } from '../../src-shared/failure.ts';
import type { PermissionMode, RuleScope } from '../../src-shared/permission/event.ts';
import { parseRule, type RuleSet, type SourcedRule } from '../core/permission/rules.ts';
import { settingsNotices, trustCommand } from '../core/settings/notices.ts';
import { comesWithFolder, type LoadedSettings } from '../core/settings/settings.ts';
import type { SettingsSource } from '../ports/settings.ts';
import type { SessionLog } from './session-log.ts';

/**
 * The rules and the mode a session's decisions are made by: what settings files say at that moment, and what its person
 * has added. Whatever of the files has no effect is told once, when it is first met.
 */
export class SessionRules {
  readonly #log: SessionLog;
  readonly #settings: SettingsSource;
  #added: readonly SourcedRule[];
  /** Made of these settings and these added rules. */
  #merged:
    | { readonly loaded: LoadedSettings; readonly added: readonly SourcedRule[]; readonly rules: RuleSet }
    | undefined;
  readonly #told = new Set<string>();
  #toldOf: LoadedSettings | undefined;

  constructor(deps: { readonly log: SessionLog; readonly settings: SettingsSource }) {
    this.#log = deps.log;
    this.#settings = deps.settings;
    this.#added = rulesAddedIn(deps.log);
  }

  /** For the next decision. The same object while nothing changes. */
  get now(): RuleSet {
    const loaded = this.#current();
    if (this.#merged === undefined || this.#merged.loaded !== loaded || this.#merged.added !== this.#added) {
      const { rules, managedRulesOnly } = loaded;
      const added = managedRulesOnly ? [] : this.#added;
      this.#merged = { loaded, added: this.#added, rules: { ...rules, allow: [...added, ...rules.allow] } };
    }
    return this.#merged.rules;
  }

  /** The folders that settings add to the session's own. Absolute. */
  get directories(): readonly string[] {
    return this.#current().directories;
  }

  /** The session's mode, unless settings have come to forbid it. */
  get mode(): PermissionMode {
    const { mode } = this.#log.state.settings;
    return mode === 'bypassPermissions' && this.#current().forbidsBypass ? 'default' : mode;
  }

  /** @throws FailureError when settings forbid the mode. */
  checkMode(mode: PermissionMode): void {
    if (mode !== 'bypassPermissions' || !this.#current().forbidsBypass) return;
    throw new FailureError({
      kind: 'unsupported',
      message: 'Mode bypassPermissions is forbidden by settings.',
      hint: 'Choose another mode.',
    });
  }

  /**
   * Puts a rule that a person chose where they want it kept. For the session itself nothing needs to be written.
   * @throws FailureError when it is no rule, none may be added, or the file does not take it.
   */
  keep(rule: string, scope: RuleScope): void {
    if (parseRule(rule) === undefined) {
      throw new FailureError({
        kind: 'bad-input',
        message: `${rule} is not a permission rule.`,
        hint: 'A rule looks like Bash(npm test:*).',
      });
    }
    if (this.#current().managedRulesOnly) {
      throw new FailureError({
        kind: 'unsupported',
        message: 'An administrator’s settings allow no other allow rules.',
        hint: 'Allow this call once.',
      });
    }
    if (scope === 'session') return;
    const file = this.#settings.addRule(scope, rule);
    const { rules, folder } = this.#current();
    if (!comesWithFolder(scope) || rules.allow.some(({ text }) => text === rule)) return;
    this.#log.append({
      type: 'notice-given',
      level: 'info',
      text: `The rule ${rule} is saved in ${file} and holds in this session. In others it holds once the folder is trusted with it: ${trustCommand(folder)}`,
    });
  }

  /** From now on the rule counts: by its file, or else for this session. */
  add(text: string, scope: RuleScope): void {
    const isInEffect = this.#current().rules.allow.some((rule) => rule.text === text);
    if (!isInEffect) this.#added = [...this.#added, { text, scope }];
  }

  /** Tells what has no effect, so that it is known before the first decision. */
  look(): void {
    this.#current();
  }

  #current(): LoadedSettings {
    const loaded = this.#settings.current();
    if (loaded !== this.#toldOf) {
      this.#toldOf = loaded;
      for (const notice of settingsNotices(loaded)) {
        const key = `${notice.text}\n${notice.detail}`;
        if (!this.#told.has(key)) this.#log.append({ type: 'notice-given', ...notice });
        this.#told.add(key);
      }
    }
    return loaded;
  }
}

/** The rules a person has added for this session, so that they hold after it was reopened too. */
const rulesAddedIn = (log: SessionLog): readonly SourcedRule[] =>
  log.events.flatMap((event) =>
    event.type === 'permission-settled' && event.rule?.scope === 'session' ? [event.rule] : [],
  );
