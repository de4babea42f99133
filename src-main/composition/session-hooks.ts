import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { HookRunId, SessionId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { commandHooks } from '../adapters/hooks/command-hooks.ts';
import { processTable } from '../adapters/process/process-table.ts';
import type { HookSetup } from '../app/live-session.ts';
import { type CommandHook, collectHooks, trustingHooks } from '../core/hooks/settings.ts';
import { stopCap } from '../core/hooks/stop-loop.ts';
import { readClaudeSettings } from '../core/settings/claude-settings.ts';
import { hookKey } from '../core/settings/grants.ts';
import { settingsPlaces } from '../core/settings/places.ts';
import type { LoadedSettings } from '../core/settings/settings.ts';
import type { SettingsSource } from '../ports/settings.ts';
import { findBash } from '../process-host/shell.ts';
import { clock, MARKER_PREFIX, newId } from './compose.ts';

/** Where a session lies, for its hooks. All paths absolute. */
export type HookPlace = {
  readonly sessionId: SessionId;
  /** Where it started. */
  readonly cwd: string;
  readonly transcriptPath: string;
  /** For what hooks say that is too long. */
  readonly outputFolder: string;
};

/** The hooks of a session as programs: those of its settings, as these are at every happening. */
export function hooksFor(place: HookPlace, settings: SettingsSource, env: NodeJS.ProcessEnv = process.env): HookSetup {
  const { sessionId, cwd, transcriptPath, outputFolder } = place;
  const runner = commandHooks({
    hooks: () => settings.current().hooks.hooks,
    projectDir: cwd,
    home: homedir(),
    // As it is when a hook starts.
    get env() {
      return { ...env, ...settings.current().env };
    },
    bash: findBash(),
    clock,
    table: processTable(),
    newRunId: () => newId('hook') as HookRunId,
    markerFor: (runId) => `${MARKER_PREFIX}:${sessionId}:${runId}`,
    outputFolder,
  });
  return { runner, transcriptPath, stopCap: stopCap(env) };
}

/** Settings in which some of the hooks run that come with a folder that is not trusted as a whole. */
export function withTrustedHooks(source: SettingsSource, isTrusted: (hook: CommandHook) => boolean): SettingsSource {
  const seen = new WeakMap<LoadedSettings, LoadedSettings>();
  return {
    current: () => {
      const loaded = source.current();
      const known = seen.get(loaded) ?? trusting(loaded, isTrusted);
      seen.set(loaded, known);
      return known;
    },
    addRule: (scope, rule) => source.addRule(scope, rule),
  };
}

function trusting(loaded: LoadedSettings, isTrusted: (hook: CommandHook) => boolean): LoadedSettings {
  const hooks = trustingHooks(loaded.hooks, isTrusted);
  const waiting = new Set(hooks.leftOut.map(({ hook }) => hookKey(hook)));
  return { ...loaded, hooks, inert: loaded.inert.filter(({ kind, key }) => kind !== 'hook' || waiting.has(key)) };
}

/** Which hooks a scenario has laid itself: those may run in its scratch folder, as long as they stand there unchanged. */
export function hooksLaidBy(scenario: Scenario, cwd: string): (hook: CommandHook) => boolean {
  const { claude } = settingsPlaces({ cwd, claudeHome: '/', gantryHome: '/', managedHome: '/' });
  const files = Object.entries(scenario.files ?? {}).flatMap(([name, text]) => {
    const place = claude.find(({ scope, file }) => scope !== 'managed' && file === resolve(cwd, name));
    if (place === undefined) return [];
    return [{ scope: place.scope, file: place.file, settings: readClaudeSettings({ ...place, text }).json }];
  });
  const { hooks } = collectHooks({ files, trusted: true });
  return (hook) => hooks.some((laid) => isDeepStrictEqual(laid, hook));
}
