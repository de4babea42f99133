import { expect, test } from 'vitest';
import { isProtected } from './protected-paths.ts';

test.each([
  '.git/config',
  '.git',
  'packages/a/.GIT/hooks/pre-commit',
  '.claude/settings.json',
  '.claude/worktrees/w/.claude/settings.json',
  '.config/git/config',
  '.vscode/tasks.json',
  '.idea/workspace.xml',
  '.husky/pre-push',
  '.cargo/config.toml',
  '.devcontainer/devcontainer.json',
  '.yarn/releases/yarn.cjs',
  '.mvn/jvm.config',
  '.ssh/authorized_keys',
  '.gitconfig',
  '.gitmodules',
  '.envrc',
  '.bashrc',
  '.bash_aliases',
  '.profile',
  '.Zshrc',
  '.zlogout',
  '.npmrc',
  '.yarnrc.yml',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.bunfig.toml',
  '.bazelrc',
  '.pre-commit-config.yaml',
  'lefthook-local.yml',
  '.lefthook.yaml',
  'gradle/wrapper/gradle-wrapper.properties',
  '.mvn/wrapper/maven-wrapper.properties',
  '.devcontainer.json',
  '.ripgreprc',
  'pyrightconfig.json',
  '.mcp.json',
  '.claude.json',
])('%s is protected', (path) => {
  expect(isProtected(`/proj/${path}`)).toBe(true);
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
  'package.json',
])('%s is not', (path) => {
  expect(isProtected(`/proj/${path}`)).toBe(false);
});

test('scratch folders of scenarios are ordinary, the rest of our own folder is not', () => {
  expect(isProtected('/home/u/.gantry/sessions/session_1/scratch/shop/a.js')).toBe(false);
  expect(isProtected('/home/u/.gantry/sessions/session_1/scratch/shop/.git/config')).toBe(true);
  expect(isProtected('/home/u/.gantry/sessions/session_1/journal.jsonl')).toBe(true);
  expect(isProtected('/home/u/.gantry/settings.json')).toBe(true);
});
