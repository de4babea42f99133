import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';

/**
 * Lays a scenario's files into a working folder. They may lie beside it (`../notes/a.md`), never outside of `root`.
 * @param cwd absolute, inside `root`.
 */
export async function layFiles(scenario: Scenario, root: string, cwd: string): Promise<void> {
  await mkdir(cwd, { recursive: true });
  for (const [name, content] of Object.entries(scenario.files ?? {})) {
    const path = resolve(cwd, name);
    if (!path.startsWith(root + sep)) {
      throw new FailureError({
        kind: 'bad-input',
        message: `The scenario ${scenario.name} wants to write ${name}, which lies outside of its scratch folder.`,
      });
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
