import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { DEFAULT_CAP, defaultSettings, type SessionSettings } from '../../../src-shared/session/settings.ts';
import type { LoadedSettings } from './settings.ts';
import { shownText } from './words.ts';

/** The variable by which Claude Code takes its cap. */
export const CAP_VARIABLE = 'CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY';

export type StartSettings = {
  readonly settings: SessionSettings;
  /** Sentences for the person. */
  readonly warnings: readonly string[];
};

/**
 * What a session starts with. The nearer word counts: the command line, the scenario, the environment (the cap), the
 * folder's and the user's own settings, the defaults.
 *
 * @param capInEnvironment value of `CAP_VARIABLE` in the environment Gantry was started in.
 */
export function settingsAtStart(from: {
  readonly chosen?: { readonly [K in keyof SessionSettings]?: SessionSettings[K] | undefined };
  readonly scenario?: Scenario['settings'] | undefined;
  readonly loaded: LoadedSettings;
  readonly capInEnvironment: string | undefined;
}): StartSettings {
  const { chosen = {}, scenario = {}, loaded } = from;
  const configured = defined({ ...loaded.defaults, ...defined(scenario), ...defined(chosen) });
  const { cap, warning } = startCap(from);
  const { mode, warnings } = startMode(chosen.mode, loaded);
  return {
    settings: {
      ...defaultSettings(configured.strategy),
      ...configured,
      cap,
      mode,
      treatAsSafe: [
        ...new Set([...loaded.treatAsSafe, ...(scenario.treatAsSafe ?? []), ...(chosen.treatAsSafe ?? [])]),
      ],
    },
    warnings: [...(warning === undefined ? [] : [warning]), ...warnings],
  };
}

/** Without the properties that are there and undefined, which would hide those of weaker sources. */
const defined = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

type CapSources = Parameters<typeof settingsAtStart>[0];

/** A value of the variable that is no positive whole number is passed over with a warning (spec 1.4). */
function startCap({ chosen, scenario, loaded, capInEnvironment }: CapSources): {
  readonly cap: number;
  readonly warning: string | undefined;
} {
  const inSettings = Object.hasOwn(loaded.env, CAP_VARIABLE) ? loaded.env[CAP_VARIABLE] : undefined;
  const fromVariable = (text: string | undefined) => (text === undefined ? undefined : wholeNumber(text));
  const cap =
    chosen?.cap ??
    scenario?.cap ??
    fromVariable(capInEnvironment) ??
    loaded.defaults.cap ??
    fromVariable(inSettings) ??
    DEFAULT_CAP;
  const wrong = [capInEnvironment, inSettings].find((text) => text !== undefined && wholeNumber(text) === undefined);
  return {
    cap,
    warning:
      wrong === undefined
        ? undefined
        : `${CAP_VARIABLE} is ${wrong === '' ? 'empty' : shownText(wrong)}, not a positive whole number. ${cap} is used.`,
  };
}

function wholeNumber(text: string): number | undefined {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function startMode(
  chosen: SessionSettings['mode'] | undefined,
  { mode: configured, forbidsBypass }: LoadedSettings,
): { readonly mode: SessionSettings['mode']; readonly warnings: readonly string[] } {
  const mode = chosen ?? configured?.mode ?? 'default';
  if (mode !== 'bypassPermissions') return { mode, warnings: [] };
  if (forbidsBypass) {
    return { mode: 'default', warnings: ['Mode bypassPermissions is forbidden by settings. Mode default is used.'] };
  }
  // Whoever chose it knows; whoever once wrote it into a file may not remember.
  if (chosen !== undefined || configured === undefined) return { mode, warnings: [] };
  const place = `${configured.file}:${configured.line}`;
  return { mode, warnings: [`The session starts in mode bypassPermissions (${place}). Almost nothing is asked.`] };
}
