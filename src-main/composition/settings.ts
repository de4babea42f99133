import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentFiles } from '../adapters/agents/agent-files.ts';
import { EditableRules } from '../adapters/settings/editable-rules.ts';
import { SettingsFiles } from '../adapters/settings/settings-files.ts';
import { TrustedFolders } from '../adapters/settings/trusted-folders.ts';
import { managedHome, settingsPlaces } from '../core/settings/places.ts';
import { CAP_VARIABLE } from '../core/settings/start-settings.ts';
import type { AgentDefinitions } from '../ports/agent-definitions.ts';
import type { RuleFiles } from '../ports/rule-files.ts';
import type { FolderTrust, SettingsSource } from '../ports/settings.ts';
import { clock } from './compose.ts';
import { claudeHome, gantryHome } from './gantry-home.ts';

export type SettingsReader = {
  /** The settings of a folder, by its absolute path. */
  readonly settingsFor: (folder: string) => SettingsSource;
  /** The kinds of sub-agents in a folder, by its absolute path. */
  readonly agentsFor: (folder: string) => AgentDefinitions;
  readonly trust: FolderTrust;
  /** Settings files as they are edited, of any folder. */
  readonly ruleFiles: RuleFiles;
  /** What the environment says of the cap, as it stands there. */
  readonly capInEnvironment: string | undefined;
};

/** Settings as the app and the command line read them: from the places this environment names. */
export function settingsReader(env: NodeJS.ProcessEnv = process.env): SettingsReader {
  const home = homedir();
  const ownHome = gantryHome(env);
  const claude = claudeHome(env);
  const trusted = new TrustedFolders(join(ownHome, 'trusted.json'), clock);
  const placesOf = (folder: string) =>
    settingsPlaces({
      cwd: folder,
      claudeHome: claude,
      gantryHome: ownHome,
      managedHome: managedHome(process.platform),
    });
  return {
    settingsFor: (cwd) => {
      const folder = resolve(cwd);
      return new SettingsFiles({ folder, home, places: placesOf(folder), trusted, clock });
    },
    agentsFor: (cwd) => {
      const project = join(resolve(cwd), '.claude', 'agents');
      const user = join(claude, 'agents');
      const folders = [{ kind: 'project', folder: project } as const, { kind: 'user', folder: user } as const];
      // In the home folder both are one, and it is the user's.
      return new AgentFiles(project === user ? folders.slice(1) : folders, clock);
    },
    trust: trusted,
    ruleFiles: new EditableRules({ home, placesOf, trust: trusted }),
    capInEnvironment: env[CAP_VARIABLE],
  };
}
