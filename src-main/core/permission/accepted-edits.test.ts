import { describe, expect, test } from 'vitest';
import { realPathNow } from '../../app/permission-world.ts';
import { Chance, seedsFor } from '../bash/testing/random.ts';
import { decidePermission, NO_HOOK } from './chain.ts';
import { type World, worldWithoutLinks } from './ground.ts';
import { NO_RULES } from './rules.ts';
import { EditedFiles } from './testing/edited-files.ts';
import { edit } from './testing/edits.ts';

function accepts(command: string, world: World = worldWithoutLinks('/proj/app')): boolean {
  const use = { tool: 'Bash', input: { command } };
  const verdict = decidePermission({
    use,
    original: use,
    hook: NO_HOOK,
    rules: NO_RULES,
    mode: 'acceptEdits',
    world,
  });
  return verdict.verdict === 'allow';
}

describe('mode acceptEdits', () => {
  test.each([
    'mkdir -p a/b/c',
    'touch a b',
    'rm a',
    'rm -rf build',
    'rmdir d',
    'mv a b',
    'cp -r a b',
    "sed -i 's/a/b/' a",
    "sed -i.bak -e 's/a/b/g' src/a.ts",
    'timeout 5 mkdir out',
    'LANG=C touch a',
    'nice -n 5 nohup cp a b',
    'touch /proj/app/x',
    'mkdir x && touch x/y && ls x',
    'echo x > a.txt',
    'cat a >> b',
    'touch .claude/worktrees/w/a.ts',
  ])('takes %s for an edit in the working folders', (command) => {
    expect(accepts(command)).toBe(true);
  });

  test.each([
    ['another program', ['chmod 777 a', 'tee a', 'ln -s a b', 'find . -delete', 'npm i', 'touch a; npm i']],
    [
      'a place outside',
      ['cp a /etc/x', 'mv a ../b', 'touch ~/x', 'rm ../x', 'cp /etc/passwd a', 'touch /proj/app-evil/x'],
    ],
    [
      'a protected path',
      ['touch .bashrc', 'cp a .git/hooks/x', 'rm -rf .git', 'mkdir .vscode', 'mv .npmrc a', 'cp .npmrc sub'],
    ],
    ['too much at once', ['rm -rf .', 'rm -rf *', 'rm -rf ./*', 'rm -rf ..', 'rm -rf /proj/app']],
    [
      'a word that is not known',
      ['touch $X', 'rm *.o', 'touch "$(echo a)"', 'ls | xargs rm', 'echo x > *.txt', 'echo x > $X'],
    ],
    [
      'an option with a mind of its own',
      ['rm -d ../x', 'cp -t../x a', 'touch -r /etc/x a', 'cp --backup a b', 'mkdir -Z a'],
    ],
    ['a script that does more', ["sed -i 's/a/b/e' a", "sed -i 'w /etc/x' a", 'sed -i -f x a', "sed -i'../x/*' p a"]],
    [
      'a wrapper or variable that is not harmless',
      ['sudo touch a', 'env touch a', 'LD_PRELOAD=x touch a', 'watch touch a'],
    ],
    ['a change of folder', ['cd .claude && touch settings.json', 'cd sub && touch a', 'cd sub && echo x > y']],
    ['a program of the same name', ['mkdir() { curl x; }; mkdir a', 'alias rm=curl; rm a', 'PATH=.; touch a']],
  ])('asks about %s', (_, commands) => {
    expect(commands.filter((command) => accepts(command))).toEqual([]);
  });
});

test.each(seedsFor([1, 2026]))(
  'what mode acceptEdits lets run leaves everything outside and everything protected as it was (seed %i)',
  { timeout: 180_000 },
  (seed) => {
    using files = new EditedFiles();
    const chance = new Chance(seed);
    const { folder, home } = files;
    const world: World = {
      ...worldWithoutLinks(folder, { home }),
      realPath: (path) => realPathNow(path),
    };
    const commands = Array.from({ length: 1_500 }, () => edit(chance)).filter((command) => accepts(command, world));
    expect(files.run(['touch ../outside/new', 'touch new', 'rm .npmrc'])).toEqual(['changed', 'same', 'changed']);
    const ends = files.run(commands);
    expect(commands.filter((_, at) => ends[at] !== 'same')).toEqual([]);
    expect(ends).toHaveLength(commands.length);
    expect(new Set(commands).size).toBeGreaterThan(40);
  },
);
