import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editTargetAt, isInDirectories, isInside, locate, realPath, resolvePath, shownPath } from './paths.ts';
import { Workbench } from './workbench.fixture.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.dispose());

const target = async (path: string) => editTargetAt(await locate(resolvePath(path, bench.context), bench.context));
const inside = (path: string) => isInDirectories(resolvePath(path, bench.context), bench.context);

describe('as they are written', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['./a/../b.txt', 'b.txt'],
    ['', '.'],
  ])('%j is relative to the working folder', (written, meant) => {
    expect(resolvePath(written, bench.context)).toBe(join(bench.cwd, meant));
  });

  test('a tilde is the home folder, but not that of others', () => {
    expect(resolvePath('~/x', bench.context)).toBe(join(homedir(), 'x'));
    expect(resolvePath('~', bench.context)).toBe(homedir());
    expect(resolvePath('~root/x', bench.context)).toBe(join(bench.cwd, '~root/x'));
  });

  test('a path is shown relative inside of the working folder only', () => {
    expect(shownPath(bench.path('src/a.ts'), bench.context)).toBe('src/a.ts');
    expect(shownPath(bench.cwd, bench.context)).toBe('.');
    expect(shownPath(bench.outside, bench.context)).toBe(bench.outside);
  });
});

describe('inside', () => {
  const name = fc.stringMatching(/^[a-z.-]{1,6}$/).filter((text) => text !== '.' && text !== '..');

  test('a folder holds itself and what is below, and nothing else with the same beginning', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.array(name), name, (folder, below, more) => {
        const root = `/${folder.join('/')}`;
        expect(isInside([root, ...below].join('/'), root)).toBe(true);
        expect(isInside(`${root}${more}`, root)).toBe(false);
        expect(isInside(`/${folder.slice(0, -1).join('/')}`, root)).toBe(false);
      }),
    );
  });

  test('no way out with dots stays unseen', async () => {
    const step = fc.oneof(name, fc.constantFrom('..', '.', '', '...', '..a'));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        // The same walk, by hand: how deep below the working folder it ends, and whether by way of the folder itself.
        let place = bench.cwd.split('/');
        for (const each of steps) {
          if (each === '..') place = place.slice(0, -1);
          else if (each !== '.' && each !== '') place = [...place, each];
        }
        const end = `${place.join('/')}/`;
        expect(await inside(['.', ...steps].join('/'))).toBe(end.startsWith(`${bench.cwd}/`));
      }),
      { numRuns: 200 },
    );
  });

  test.each(['../shop-evil/a', '/etc/passwd', '..', '~/x'])('%s is outside', async (path) => {
    expect(await inside(path)).toBe(false);
    expect(await target(path)).toBe('outside');
  });

  test('an added folder counts as well', async () => {
    bench.context = { ...bench.context, directories: [bench.cwd, bench.outside] };
    expect(await inside(join(bench.outside, 'a'))).toBe(true);
    expect(await inside(join(bench.root, 'third'))).toBe(false);
  });
});

describe('links', () => {
  test('one that leads out is outside, whatever is below it', async () => {
    symlinkSync(bench.outside, bench.path('out'));
    writeFileSync(join(bench.outside, 'a.txt'), '');
    expect(await inside('out/a.txt')).toBe(false);
    expect(await inside('out/not/yet.txt')).toBe(false);
    expect(await target('out/not/yet.txt')).toBe('outside');
  });

  test('a chain of links that leads out is outside', async () => {
    symlinkSync(join(bench.outside, 'secret'), bench.path('c'));
    symlinkSync('c', bench.path('b'));
    symlinkSync('b', bench.path('a'));
    expect(await inside('a')).toBe(false);
  });

  test('one to a file that does not exist yet leads to where it would be made', async () => {
    symlinkSync(join(bench.outside, 'new.txt'), bench.path('dangling'));
    expect(await realPath(bench.path('dangling'))).toBe(join(bench.outside, 'new.txt'));
    expect(await inside('dangling')).toBe(false);
  });

  test('a relative one is read from where the folder really is', async () => {
    mkdirSync(join(bench.outside, 'deep'));
    symlinkSync(join(bench.outside, 'deep'), bench.path('way'));
    symlinkSync('../new.txt', join(bench.outside, 'deep', 'up'));
    expect(await realPath(bench.path('way/up'))).toBe(join(bench.outside, 'new.txt'));
  });

  test('one within the folder is inside', async () => {
    bench.lay('real.txt', 'x');
    symlinkSync('real.txt', bench.path('link.txt'));
    expect(await inside('link.txt')).toBe(true);
    expect(await target('link.txt')).toBe('inside');
  });

  test('a circle is nowhere, and so protected', async () => {
    symlinkSync('two', bench.path('one'));
    symlinkSync('one', bench.path('two'));
    expect(await realPath(bench.path('one/a'))).toBeUndefined();
    expect(await inside('one/a')).toBe(false);
    expect(await target('one/a')).toBe('protected');
  });

  test('a link from one folder of the session into another is inside', async () => {
    bench.context = { ...bench.context, directories: [bench.cwd, bench.outside] };
    symlinkSync(bench.outside, bench.path('out'));
    expect(await inside('out/a.txt')).toBe(true);
  });

  test('a working folder reached through a link holds what is below, by both its names', async () => {
    const link = join(bench.root, 'link');
    symlinkSync(bench.cwd, link);
    bench.context = { ...bench.context, cwd: link, directories: [link] };
    expect(await inside('a.txt')).toBe(true);
    expect(await inside(bench.path('a.txt'))).toBe(true);
    expect(await inside(join(bench.outside, 'a.txt'))).toBe(false);
  });
});

describe('protected', () => {
  test.each([
    '.git/config',
    '.git',
    'packages/a/.GIT/hooks/pre-commit',
    '.claude/settings.json',
    '.claude/worktrees/w/.claude/settings.json',
    '.config/git/config',
    '.vscode/tasks.json',
    '.husky/pre-push',
    '.ssh/authorized_keys',
    '.envrc',
    '.bashrc',
    '.Zshrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pnp.cjs',
    '.pre-commit-config.yaml',
    'lefthook-local.yml',
    'gradle/wrapper/gradle-wrapper.properties',
    '.mcp.json',
  ])('%s', async (path) => {
    expect(await target(path)).toBe('protected');
  });

  test.each([
    'README.md',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.claude/worktrees/w/a.ts',
    '.config/other/git',
    'git/config',
    'bashrc',
    'src/.env',
  ])('not %s', async (path) => {
    expect(await target(path)).toBe('inside');
  });

  test('a harmless name that links to a protected file', async () => {
    bench.lay('.git/config', '');
    symlinkSync('.git/config', bench.path('notes.txt'));
    symlinkSync('.git', bench.path('notes'));
    expect(await target('notes.txt')).toBe('protected');
    expect(await target('notes/hooks/post-checkout')).toBe('protected');
  });
});
