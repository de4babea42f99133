import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scenario } from '../src-shared/scenario/scenario.ts';

/** Puts a scenario of a test's own where a person's lie, so that the start page offers it under its title. */
export async function addScenario(home: string, scenario: Scenario & { readonly title: string }): Promise<void> {
  await mkdir(join(home, 'scenarios'), { recursive: true });
  await writeFile(join(home, 'scenarios', `${scenario.name}.json`), JSON.stringify(scenario));
}
