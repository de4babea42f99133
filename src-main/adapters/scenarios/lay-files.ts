import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FailureError } from '../../../src-shared/failure.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import { diskTrouble } from '../storage/disk-trouble.ts';
import { isInside, realPath } from '../tools/paths.ts';

type File = { readonly path: string; readonly content: string };

/**
 * Lays a scenario's files into a working folder. They may lie beside it (`../notes/a.md`), never outside of `root`, by
 * way of a link neither. A file that is there already is never replaced: the folder may be somebody's own. All are
 * looked at before the first is written.
 * @param cwd absolute, inside `root`.
 * @throws FailureError
 */
export async function layFiles(scenario: Scenario, root: string, cwd: string): Promise<void> {
  const files: File[] = [];
  for (const [name, content] of Object.entries(scenario.files ?? {})) {
    const path = resolve(cwd, name);
    await ensureInside({ scenario: scenario.name, name, path, root });
    if (await isMissing(path, content)) files.push({ path, content });
  }
  await write({ path: cwd }, () => mkdir(cwd, { recursive: true }));
  for (const file of files) {
    await write(file, async () => {
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(file.path, file.content, { flag: 'wx' });
    });
  }
}

async function ensureInside(file: {
  readonly scenario: string;
  readonly name: string;
  readonly path: string;
  readonly root: string;
}): Promise<void> {
  const { scenario, name, path, root } = file;
  const real = await realPath(path);
  const realRoot = await realPath(root);
  if (isInside(path, root) && real !== undefined && realRoot !== undefined && isInside(real, realRoot)) return;
  throw new FailureError({
    kind: 'bad-input',
    message: `The scenario ${scenario} wants to write ${name}, which lies outside of ${root}.`,
    hint: 'Only run scenarios whose files stay in their folder.',
  });
}

async function isMissing(path: string, content: string): Promise<boolean> {
  let there: string;
  try {
    there = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw notWritable(path, cause);
  }
  if (there === content) return false;
  throw new FailureError({
    kind: 'not-writable',
    message: `${path} exists already and is not what the scenario would put there. Nothing was written.`,
    hint: 'Choose an empty folder for it.',
  });
}

async function write({ path }: Pick<File, 'path'>, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

const notWritable = (path: string, cause: unknown): FailureError =>
  new FailureError(
    {
      kind: 'not-writable',
      message: `${path} cannot be written: ${diskTrouble(cause)}.`,
      hint: 'Choose another folder.',
    },
    { cause },
  );
