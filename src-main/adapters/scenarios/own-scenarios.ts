import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import type { ScenarioSummary } from '../../../src-shared/session/summary.ts';
import { summariseScenario } from './gallery.ts';
import { loadScenario } from './load-scenario.ts';

const SCENARIO_FILE = /\.(?:ya?ml|json)$/i;
/** Sets a person's own scenarios apart from those that ship with the app, whatever they are called. */
const OWN = 'own:';

/** The scenarios a person has put into this folder: one file each, YAML or JSON. Read anew whenever they are asked for. */
export class OwnScenarios {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** In the order of file names. A file that cannot be read has its tile all the same, which says why. */
  async list(): Promise<readonly ScenarioSummary[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => SCENARIO_FILE.test(name)).sort();
    return Promise.all(names.map((name) => this.#summary(name)));
  }

  async #summary(fileName: string): Promise<ScenarioSummary> {
    const name = `${OWN}${fileName}`;
    try {
      return { ...summariseScenario(await loadScenario(join(this.#folder, fileName))), name };
    } catch (error) {
      const problem = error instanceof FailureError ? error.failure.message : String(error);
      return { name, title: fileName, description: '', calls: 0, picture: 'parallel', problem };
    }
  }

  /** @throws FailureError when the file is no scenario. */
  async find(name: string): Promise<Scenario | undefined> {
    const known = (await this.list()).some((scenario) => scenario.name === name);
    return known ? loadScenario(join(this.#folder, name.slice(OWN.length))) : undefined;
  }
}
