import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../src-shared/session/settings.ts';
import { mergeSettings } from './merge-settings.ts';
import type { LoadedSettings } from './settings.ts';
import { settingsAtStart } from './start-settings.ts';

const nothing = mergeSettings({ folder: '/w', home: '/h', trusted: true, claude: [], gantry: [], findings: [] });
type From = Partial<Omit<Parameters<typeof settingsAtStart>[0], 'loaded'>>;
const start = (loaded: Partial<LoadedSettings>, from: From = {}) =>
  settingsAtStart({ capInEnvironment: undefined, ...from, loaded: { ...nothing, ...loaded } });

test('with no word from anywhere the defaults are used', () => {
  expect(start({})).toEqual({ settings: defaultSettings(), warnings: [] });
});

test('the nearer word counts', () => {
  const loaded = { defaults: { strategy: 'serial', cap: 2, cascade: 'any-error', saveThreshold: 5 } } as const;
  expect(start(loaded).settings).toMatchObject({ strategy: 'serial', cap: 2, cascade: 'any-error', saveThreshold: 5 });
  const scenario = { strategy: 'batch', cap: 3 } as const;
  expect(start(loaded, { scenario }).settings).toMatchObject({ strategy: 'batch', cap: 3, cascade: 'any-error' });
  const chosen = { strategy: 'streaming', cap: undefined, mode: 'plan' } as const;
  expect(start(loaded, { scenario, chosen }).settings).toMatchObject({ strategy: 'streaming', cap: 3, mode: 'plan' });
});

test('batch and serial cancel nobody unless a policy is chosen', () => {
  expect(start({ defaults: { strategy: 'batch' } }).settings.cascade).toBe('none');
  expect(start({ defaults: { strategy: 'batch', cascade: 'bash' } }).settings.cascade).toBe('bash');
});

test('rules that are safe beside others add up', () => {
  const { settings } = start(
    { treatAsSafe: ['Bash(a)', 'Bash(b)'] },
    { scenario: { treatAsSafe: ['Bash(b)', 'Bash(c)'] } },
  );
  expect(settings.treatAsSafe).toEqual(['Bash(a)', 'Bash(b)', 'Bash(c)']);
});

describe('the cap', () => {
  test.each([
    ['3', {}, 3],
    [' 12 ', {}, 12],
    // The environment of this run is nearer than a file; a file's `env` is not.
    ['3', { defaults: { cap: 7 } }, 3],
    [undefined, { defaults: { cap: 7 }, env: { CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '4' } }, 7],
    [undefined, { env: { CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '4' } }, 4],
    [undefined, {}, 10],
  ] as const)('%j in the environment and %j in settings: %d', (capInEnvironment, loaded, cap) => {
    expect(start(loaded, { capInEnvironment })).toMatchObject({ settings: { cap }, warnings: [] });
  });

  test.each(['0', '-1', '1.5', 'ten', '', '1e3', '0x10', '99999999999999999999', 'NaN'])(
    '%j falls back to 10 with a warning',
    (capInEnvironment) => {
      const { settings, warnings } = start({}, { capInEnvironment });
      expect(settings.cap).toBe(10);
      expect(warnings).toEqual([
        `CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY is ${capInEnvironment || 'empty'}, not a positive whole number. 10 is used.`,
      ]);
    },
  );

  test('a wrong value leaves the next source its say', () => {
    expect(start({ defaults: { cap: 7 } }, { capInEnvironment: 'ten' }).warnings[0]).toMatch(/7 is used/);
    expect(start({}, { capInEnvironment: 'ten', chosen: { cap: 2 } }).settings.cap).toBe(2);
  });
});

describe('the mode', () => {
  const bypass = { mode: 'bypassPermissions', scope: 'user', file: '/s.json', line: 3 } as const;

  test('is the settings’, unless one was chosen', () => {
    expect(start({ mode: { ...bypass, mode: 'plan' } }).settings.mode).toBe('plan');
    expect(start({ mode: { ...bypass, mode: 'plan' } }, { chosen: { mode: 'default' } }).settings.mode).toBe('default');
  });

  test('that asks almost nothing is told where it comes from a file', () => {
    expect(start({ mode: bypass })).toMatchObject({
      settings: { mode: 'bypassPermissions' },
      warnings: ['The session starts in mode bypassPermissions (/s.json:3). Almost nothing is asked.'],
    });
    expect(start({}, { chosen: { mode: 'bypassPermissions' } }).warnings).toEqual([]);
  });

  test('that settings forbid is not taken, whoever chose it', () => {
    for (const from of [{}, { chosen: { mode: 'bypassPermissions' } } as const]) {
      expect(start({ mode: bypass, forbidsBypass: true }, from)).toMatchObject({
        settings: { mode: 'default' },
        warnings: ['Mode bypassPermissions is forbidden by settings. Mode default is used.'],
      });
    }
  });
});
