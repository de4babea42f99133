import { join, resolve } from 'node:path';
import type { SettingsScope } from './settings.ts';

/** Where the settings of a folder lie. All absolute. */
export type SettingsPlaces = {
  readonly claude: readonly { readonly scope: SettingsScope; readonly file: string }[];
  /** Every `*.json` in it is a managed file too, in the order of names. */
  readonly managedFolder: string;
  readonly gantry: readonly { readonly scope: 'user' | 'project'; readonly file: string }[];
  /** The folder's MCP servers. */
  readonly mcp: string;
};

export const CLAUDE_FOLDER = '.claude';

/**
 * The places of https://code.claude.com/docs/en/settings, and Gantry's own beside them.
 *
 * @param claudeHome the user's own folder of settings: `~/.claude`, or what `CLAUDE_CONFIG_DIR` names.
 * @param managedHome where an administrator puts files, see `managedHome`.
 */
export function settingsPlaces(where: {
  readonly cwd: string;
  readonly claudeHome: string;
  readonly gantryHome: string;
  readonly managedHome: string;
}): SettingsPlaces {
  const { cwd, claudeHome, gantryHome, managedHome } = where;
  const user = join(claudeHome, 'settings.json');
  const project = join(cwd, CLAUDE_FOLDER, 'settings.json');
  const ownUser = join(gantryHome, 'settings.json');
  const ownProject = join(cwd, '.gantry', 'settings.json');
  return {
    claude: [
      { scope: 'user', file: user },
      // In the home folder both are one file, and it is the user's.
      ...(resolve(project) === resolve(user) ? [] : [{ scope: 'project' as const, file: project }]),
      { scope: 'local', file: join(cwd, CLAUDE_FOLDER, 'settings.local.json') },
      { scope: 'managed', file: join(managedHome, 'managed-settings.json') },
    ],
    managedFolder: join(managedHome, 'managed-settings.d'),
    gantry: [
      { scope: 'user', file: ownUser },
      ...(resolve(ownProject) === resolve(ownUser) ? [] : [{ scope: 'project' as const, file: ownProject }]),
    ],
    mcp: join(cwd, '.mcp.json'),
  };
}

/** Where an administrator's settings lie. Only one who administers the machine can write there. */
export function managedHome(platform: string): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/ClaudeCode';
    case 'win32':
      return 'C:\\Program Files\\ClaudeCode';
    default:
      return '/etc/claude-code';
  }
}
