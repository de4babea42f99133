import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseSkill, type Skill, type SkillPlace } from '../../core/skills/parse-skill.ts';
import type { SkillSource } from '../../ports/skills.ts';

const MOST_FILES = 200;
const MOST_BYTES = 1024 * 1024;
const MOST_DEPTH = 4;

export type SkillFolders = {
  /** `~/.claude`, and `.claude` in the session's folder. Absolute; they need not be there. */
  readonly user: string;
  readonly project: string;
  readonly isTrusted: () => boolean;
};

/** The skills in these folders, read anew each time: a call is rare, and they are few. */
export function skillFiles({ user, project, isTrusted }: SkillFolders): SkillSource {
  return {
    isTrusted,
    list: () => {
      const own = skillsIn(user, 'user');
      // In the home folder both are one, and it is the person's.
      const theirs = real(user) === real(project) ? [] : skillsIn(project, 'project');
      const byName = new Map<string, Skill>();
      // The person's own first: a project cannot take its name. A skill before a command.
      for (const skill of [...own, ...theirs]) if (!byName.has(skill.name)) byName.set(skill.name, skill);
      return [...byName.values()].filter(({ forPeopleOnly }) => !forPeopleOnly);
    },
  };
}

function skillsIn(root: string, from: SkillPlace['from']): readonly Skill[] {
  const within = from === 'project' ? real(dirname(root)) : undefined;
  const skills = entriesOf(join(root, 'skills')).map(({ name }): SkillPlace => {
    const base = join(root, 'skills', name);
    return { from, kind: 'skill', file: join(base, 'SKILL.md'), base, fallbackName: name };
  });
  const commands = commandFiles(join(root, 'commands'), MOST_DEPTH).map((file): SkillPlace => {
    const name = relative(join(root, 'commands'), file).replace(/\.md$/i, '').split(sep).join(':');
    return { from, kind: 'command', file, base: dirname(file), fallbackName: name };
  });
  return [...skills, ...commands].slice(0, MOST_FILES).flatMap((place) => {
    const text = textOf(place.file, within);
    const skill = text === undefined ? undefined : parseSkill(text, place);
    return skill === undefined ? [] : [skill];
  });
}

function commandFiles(folder: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return commandFiles(path, depth - 1);
    return /\.md$/i.test(entry.name) ? [path] : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => !name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

/** @param within a real folder that the file has to lie in when all links are followed. */
function textOf(file: string, within: string | undefined): string | undefined {
  try {
    const path = realpathSync(file);
    if (within !== undefined && !path.startsWith(`${within}${sep}`)) return undefined;
    const found = statSync(path);
    return found.isFile() && found.size <= MOST_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
