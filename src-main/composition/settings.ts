import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { SettingsFiles } from '../adapters/settings/settings-files.ts';
import { TrustedFolders } from '../adapters/settings/trusted-folders.ts';
import { managedHome, settingsPlaces } from '../core/settings/places.ts';
import { CAP_VARIABLE } from '../core/settings/start-settings.ts';
import type { FolderTrust, SettingsSource } from '../ports/settings.ts';
import { clock } from './compose.ts';
import { gantryHome } from './gantry-home.ts';

export type SettingsReader = {
  /** The settings of a folder, by its absolute path. */
  readonly settingsFor: (folder: string) => SettingsSource;
  readonly trust: FolderTrust;
  /** What the environment says of the cap, as it stands there. */
  readonly capInEnvironment: string | undefined;
};

/** Settings as the app and the command line read them: from the places this environment names. */
export function settingsReader(env: NodeJS.ProcessEnv = process.env): SettingsReader {
  const home = homedir();
  const ownHome = gantryHome(env);
  const claudeHome = env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(home, '.claude');
  const trusted = new TrustedFolders(join(ownHome, 'trusted.json'), clock);
  return {
    settingsFor: (cwd) => {
      const folder = resolve(cwd);
      const places = settingsPlaces({
        cwd: folder,
        claudeHome,
        gantryHome: ownHome,
        managedHome: managedHome(process.platform),
      });
      return new SettingsFiles({ folder, home, places, trusted, clock });
    },
    trust: trusted,
    capInEnvironment: env[CAP_VARIABLE],
  };
}
