import { callsIn, type Scenario } from '../../../src-shared/scenario/scenario.ts';
import type { ScenarioSummary } from '../../../src-shared/session/summary.ts';
import { parseScenario } from './load-scenario.ts';

const files = import.meta.glob<string>('./gallery/*.yaml', { query: '?raw', import: 'default', eager: true });

/** The scenarios that ship with the app, in the order of their file names. */
export const gallery: readonly Scenario[] = Object.keys(files)
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .map((path) => parseScenario(files[path] as string, path));

export const scenarioByName = (name: string): Scenario | undefined =>
  gallery.find((scenario) => scenario.name === name);

/** Which of the drawn pictures stands on a scenario's tile. */
const PICTURES: Readonly<Record<string, string>> = {
  'parallel-reads': 'parallel',
  'tests-pass': 'tests-pass',
  'tests-fail': 'tests-fail',
  cascade: 'cascade',
  'exclusive-write': 'exclusive',
  'big-output': 'big',
  'permission-storm': 'permissions',
  interrupt: 'interrupt',
  hooks: 'hooks',
  agents: 'agents',
  'stream-break': 'break',
  breakpoint: 'breakpoint',
};

export const summariseScenario = (scenario: Scenario): ScenarioSummary => ({
  name: scenario.name,
  title: scenario.title ?? scenario.name,
  description: scenario.description ?? '',
  calls: callsIn(scenario).length,
  picture: PICTURES[scenario.name] ?? 'parallel',
});
