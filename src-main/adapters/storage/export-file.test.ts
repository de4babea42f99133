import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openExportFile } from './export-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = (): readonly string[] => readdirSync(folder).sort();

test('a file has its name when it is whole, and not before', async () => {
  const path = join(folder, 'a.txt');
  const file = await openExportFile(path, { replace: false });
  await file.write('x'.repeat(100_000));
  expect(names()).not.toContain('a.txt');
  await file.write('end');
  await file.keep();
  expect(names()).toEqual(['a.txt']);
  expect(readFileSync(path, 'utf8')).toBe(`${'x'.repeat(100_000)}end`);
});

test('one that was there stays, also when it came while the new one was written', async () => {
  const path = join(folder, 'a.txt');
  const file = await openExportFile(path, { replace: false });
  await file.write('new');
  writeFileSync(path, 'theirs');
  await expect(file.keep()).rejects.toThrow('is there already');
  await file.drop();
  expect(names()).toEqual(['a.txt']);
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  await expect(openExportFile(path, { replace: false })).rejects.toThrow('is there already');
});

test('replaced in one step where that is allowed; nothing is left of what was dropped', async () => {
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'old');
  const dropped = await openExportFile(path, { replace: true });
  await dropped.write('half');
  await dropped.drop();
  expect(readFileSync(path, 'utf8')).toBe('old');
  const file = await openExportFile(path, { replace: true });
  await file.writeBytes(new Uint8Array([1, 2, 3]));
  await file.keep();
  expect([...readFileSync(path)]).toEqual([1, 2, 3]);
  expect(names()).toEqual(['a.txt']);
});

test('a place that cannot be written is told in words', async () => {
  await expect(openExportFile(join(folder, 'no', 'a.txt'), { replace: false })).rejects.toThrow('cannot be written');
  await expect(openExportFile(folder, { replace: true })).rejects.toThrow('it is a folder');
});
