import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RecentChoicesFile } from './recent-choices.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-recent-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const model = { provider: 'anthropic', model: 'm' } as const;
const file = () => join(root, 'home', 'recent.json');
const folder = (name: string) => {
  mkdirSync(join(root, name), { recursive: true });
  return join(root, name);
};

test('the newest folder stands first, once, and the last model is kept', () => {
  const recent = new RecentChoicesFile(file());
  expect(recent.read()).toEqual({ folders: [], model: undefined });
  recent.remember({ folder: folder('a'), model });
  recent.remember({ folder: folder('b'), model });
  recent.remember({ folder: folder('a'), model: { ...model, model: 'n' } });
  expect(new RecentChoicesFile(file()).read()).toEqual({
    folders: [folder('a'), folder('b')],
    model: { ...model, model: 'n' },
  });
});

test('folders that are gone are not proposed, and at most twelve are kept', () => {
  const recent = new RecentChoicesFile(file());
  for (let at = 0; at < 15; at++) recent.remember({ folder: folder(`f${at}`), model });
  rmSync(join(root, 'f14'), { recursive: true });
  expect(recent.read().folders.map((path) => path.slice(root.length + 1))).toEqual(
    [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((at) => `f${at}`),
  );
});

test.each(['', '{', '{"version":2,"folders":[]}', '{"version":1,"folders":"x"}'])(
  'a file that says %s proposes nothing and is written anew',
  (text) => {
    mkdirSync(join(root, 'home'));
    writeFileSync(file(), text);
    const recent = new RecentChoicesFile(file());
    expect(recent.read()).toEqual({ folders: [], model: undefined });
    recent.remember({ folder: folder('a'), model });
    expect(recent.read().folders).toEqual([folder('a')]);
  },
);

test('a place that cannot be written keeps nobody from starting', () => {
  writeFileSync(join(root, 'home'), '');
  expect(() => new RecentChoicesFile(file()).remember({ folder: folder('a'), model })).not.toThrow();
});
