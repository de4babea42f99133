import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OwnScenarios } from './own-scenarios.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-scenarios-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lay = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test('every scenario file of the folder has a tile, in the order of names', async () => {
  lay('b.json', '{"name": "second", "turns": [[{"text": "Hello"}]]}');
  lay('a.yaml', 'name: cascade\ntitle: Mine\nturns:\n  - - {tool: Read, input: {}}\n');
  lay('notes.txt', 'nothing');
  mkdirSync(join(folder, 'more'));
  const own = new OwnScenarios(folder);
  expect(await own.list()).toMatchObject([
    { name: 'own:a.yaml', title: 'Mine', calls: 1 },
    { name: 'own:b.json', title: 'second', calls: 0 },
  ]);
  expect((await own.find('own:b.json'))?.name).toBe('second');
});

test('a file that is no scenario says so on its tile', async () => {
  lay('bad.yaml', 'name: x\nturns: 3\n');
  const [only] = await new OwnScenarios(folder).list();
  expect(only).toMatchObject({ title: 'bad.yaml' });
  expect(only?.problem).toContain('At turns');
});

test('nothing outside of the folder is found, and a folder that is not there is empty', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'name: x\nturns: []\n');
  expect(await new OwnScenarios(join(folder, 'sub')).find('own:../a.yaml')).toBeUndefined();
  expect(await new OwnScenarios(join(folder, 'gone')).list()).toEqual([]);
});
