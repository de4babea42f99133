import { basename, dirname, join } from 'node:path';
import { changeOwnSetting } from '../adapters/settings/change-own-setting.ts';
import { vaultKeeper } from '../adapters/vault/vault-client.ts';
import { VaultDesk, type VaultDeskDeps } from '../app/vault-desk.ts';
import { ADDED, type Source } from '../core/vault/places.ts';
import { clock } from './compose.ts';
import { gantryHome } from './gantry-home.ts';
import { lookedAt } from './library.ts';
import type { SettingsReader } from './settings.ts';

/** What the vault copies: own sessions, and whatever the library looks at. */
function vaultSources(settings: SettingsReader, env: NodeJS.ProcessEnv): readonly Source[] {
  const { places, added } = lookedAt(settings, env);
  const own: Source = { program: 'gantry', path: join(gantryHome(env), 'sessions'), onlyTranscripts: false };
  const programs = places.map(({ format, folder }) => ({
    program: format,
    path: wholeOf(format, folder),
    onlyTranscripts: false,
  }));
  const folders = added.map((path) => ({ program: ADDED, path, onlyTranscripts: true }));
  const all = [own, ...programs, ...folders];
  return all.filter(({ path }, at) => all.findIndex((source) => source.path === path) === at);
}

/** What is copied and where to, as the settings of this machine say. */
export const vaultOfThisMachine = (
  settings: SettingsReader,
  env: NodeJS.ProcessEnv,
): { readonly sources: readonly Source[]; readonly folder: string | undefined } => ({
  sources: vaultSources(settings, env),
  folder: lookedAt(settings, env).vault,
});

/** OpenCode keeps messages and their parts beside the folder in which its sessions are listed. */
const wholeOf = (format: string, folder: string): string =>
  format === 'opencode' && basename(folder) === 'session' ? dirname(folder) : folder;

/** What the window asks of the vault. Its processes start with the first question that needs them. */
export function vaultDesk(
  folder: string,
  settings: SettingsReader,
  deps: Pick<VaultDeskDeps, 'pathOf' | 'onChanged' | 'onFiles'>,
): VaultDesk {
  const { env, execPath } = process;
  return new VaultDesk({
    ...deps,
    keeper: vaultKeeper({
      execPath,
      entryPath: join(folder, 'vault-host.js'),
      sources: () => vaultSources(settings, env),
    }),
    settings: {
      read: () => {
        const { vault, whileRunning } = lookedAt(settings, env);
        return { whileRunning, ...(vault === undefined ? {} : { folder: vault }) };
      },
      write: (key, value) => changeOwnSetting(gantryHome(env), ['vault', key], value),
    },
    clock,
  });
}
