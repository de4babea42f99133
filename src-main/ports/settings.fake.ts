import type { FailureError } from '../../src-shared/failure.ts';
import type { RuleScope } from '../../src-shared/permission/event.ts';
import type { LoadedSettings } from '../core/settings/settings.ts';
import { noSettings, type SettingsSource } from './settings.ts';

/** Settings in a test's hand. A rule that is added counts at once, as it does with files in a trusted folder. */
export class HandSettings implements SettingsSource {
  loaded: LoadedSettings;
  readonly added: { readonly scope: RuleScope; readonly rule: string }[] = [];
  /** Set: adding a rule fails with it. */
  failure: FailureError | undefined;
  /** False: rules are kept but have no effect, as in a folder that is not trusted. */
  addedRulesCount = true;

  constructor(loaded: Partial<LoadedSettings> = {}) {
    this.loaded = { ...noSettings('/work').current(), ...loaded };
  }

  set(loaded: Partial<LoadedSettings>): void {
    this.loaded = { ...this.loaded, ...loaded };
  }

  current(): LoadedSettings {
    return this.loaded;
  }

  addRule(scope: Exclude<RuleScope, 'session'>, rule: string): string {
    if (this.failure !== undefined) throw this.failure;
    this.added.push({ scope, rule });
    const file = `/${scope}/settings.json`;
    const { rules } = this.loaded;
    if (this.addedRulesCount) {
      this.set({ rules: { ...rules, allow: [...rules.allow, { text: rule, scope, file, line: 1 }] } });
    }
    return file;
  }
}
