import { expect, test } from 'vitest';
import { addFolder, leaveOut, type PlacesDeps, placesNow } from './library-places.ts';

const THERE = new Set(['/c/projects', '/x/sessions', '/mnt/a', '/mnt/vault/deep']);

function setUp(folders: readonly string[] = [], out: readonly string[] = []) {
  const written: unknown[] = [];
  const deps: PlacesDeps = {
    chosen: () => ({ folders, leaveOut: out }),
    programs: () => [
      { format: 'claude-code', folder: '/c/projects' },
      { format: 'codex', folder: '/x/sessions' },
      { format: 'codex', folder: '/x/archived_sessions' },
      { format: 'pi', folder: '/pi' },
    ],
    isThere: async (path) => THERE.has(path),
    write: (key, value) => void written.push([key, value]),
  };
  return { deps, written };
}
const countIn = async (all: string[]): Promise<number[]> => all.map((path) => path.length);

test('programs that have left something are listed with how much, and those that are left out in any case', async () => {
  const { deps } = setUp(['/mnt/a', '/mnt/gone'], ['codex', 'pi']);
  expect(await placesNow(deps, true, countIn)).toEqual({
    otherPrograms: true,
    programs: [
      { format: 'claude-code', on: true, places: [{ folder: '/c/projects', there: true, count: 11 }] },
      { format: 'codex', on: false, places: [{ folder: '/x/sessions', there: true, count: 11 }] },
      { format: 'pi', on: false, places: [] },
    ],
    added: [
      { folder: '/mnt/a', there: true, count: 6 },
      { folder: '/mnt/gone', there: false, count: 0 },
    ],
  });
});

test('a folder is added once, and taken away though it is gone', async () => {
  const { deps, written } = setUp(['/mnt/gone']);
  await addFolder(deps, { folder: '/mnt/a/', on: true, vault: undefined });
  await addFolder(deps, { folder: '/mnt/gone', on: false, vault: undefined });
  expect(written).toEqual([
    ['folders', ['/mnt/gone', '/mnt/a']],
    ['folders', undefined],
  ]);
  const again = setUp(['/mnt/a']);
  await addFolder(again.deps, { folder: '/mnt/a', on: true, vault: undefined });
  expect(again.written).toEqual([]);
});

test.each([
  ['relative', 'no whole path'],
  ['/mnt/nowhere', 'does not exist'],
  ['/mnt/vault/deep', 'lies in the vault'],
])('%s is refused', async (folder, why) => {
  const { deps, written } = setUp();
  await expect(addFolder(deps, { folder, on: true, vault: '/mnt/vault' })).rejects.toThrow(why);
  expect(written).toEqual([]);
});

test('a program is left out and taken in again', () => {
  const { deps, written } = setUp([], ['codex']);
  leaveOut(deps, 'pi', false);
  leaveOut(deps, 'codex', false);
  leaveOut(deps, 'codex', true);
  expect(written).toEqual([
    ['leaveOut', ['codex', 'pi']],
    ['leaveOut', ['codex']],
    ['leaveOut', undefined],
  ]);
});
