import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { ensureFolder } from './ensure-folder.ts';

test('a folder that is there is one to work in', async () => {
  await expect(ensureFolder(tmpdir())).resolves.toBeUndefined();
});

test.each([
  ['/nowhere/at/all', 'is not there'],
  ['relative', 'is no whole path'],
  [import.meta.filename, 'is no folder'],
])('%s %s', async (path, words) => {
  await expect(ensureFolder(path)).rejects.toThrow(`${path} ${words}`);
});
