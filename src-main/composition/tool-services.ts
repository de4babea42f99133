import { join } from 'node:path';
import { ModelChoice } from '../../src-shared/model/choice.ts';
import { skillFiles } from '../adapters/skills/skill-files.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { SettingsSource } from '../ports/settings.ts';
import type { SkillSource } from '../ports/skills.ts';
import { claudeHome } from './gantry-home.ts';

/** What some tools of a session work with, made of its settings. */

/** The skills of the person and of the session's folder. */
export const skillsFor = (settings: SettingsSource): SkillSource =>
  skillFiles({
    user: claudeHome(),
    project: join(settings.current().folder, '.claude'),
    isTrusted: () => settings.current().trusted,
  });

/** The model that the person's own settings name as advisor; undefined where they name none or switch it off. */
export function advisorFor(
  settings: SettingsSource,
  providerFor: (choice: ModelChoice) => ModelProvider,
): () => ModelProvider | undefined {
  let known: { readonly key: string; readonly model: ModelProvider } | undefined;
  return () => {
    const { enabled = true, ...named } = settings.current().advisor;
    const choice = ModelChoice.safeParse(named);
    if (!enabled || !choice.success || choice.data.provider === 'scripted') return undefined;
    const key = JSON.stringify(choice.data);
    if (known?.key !== key) known = { key, model: providerFor(choice.data) };
    return known.model;
  };
}
