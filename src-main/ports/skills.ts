import type { Skill } from '../core/skills/parse-skill.ts';

/** The skills and commands of a person and of a session's folder. */
export interface SkillSource {
  /** As they are on disk now; of one name the person's own comes first. Never throws. */
  list(): readonly Skill[];
  /** Does the person trust the session's folder? */
  isTrusted(): boolean;
}

export const noSkills: SkillSource = { list: () => [], isTrusted: () => false };
