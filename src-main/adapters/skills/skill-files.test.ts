import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skillFiles } from './skill-files.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-skills-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lay = (name: string, text = 'Body'): string => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const list = () =>
  skillFiles({ user: join(root, 'home/.claude'), project: join(root, 'shop/.claude'), isTrusted: () => false }).list();
const names = (): readonly string[] => list().map(({ name, from, kind }) => `${name} ${from} ${kind}`);

test('skills and commands of both are found, commands in folders by their path', () => {
  lay('home/.claude/skills/mine/SKILL.md');
  lay('shop/.claude/skills/theirs/SKILL.md', '---\nname: named\n---\nBody');
  lay('shop/.claude/commands/fix.md');
  lay('shop/.claude/commands/web/check.md');
  lay('shop/.claude/commands/notes.txt');
  lay('shop/.claude/skills/empty/README.md');
  expect(names()).toEqual([
    'mine user skill',
    'named project skill',
    'fix project command',
    'web:check project command',
  ]);
  expect(list()[1]).toMatchObject({ base: join(root, 'shop/.claude/skills/theirs') });
});

test('a project cannot take the name of a skill of the person', () => {
  lay('home/.claude/skills/deploy/SKILL.md', 'Mine');
  lay('shop/.claude/skills/x/SKILL.md', '---\nname: deploy\n---\nTheirs');
  expect(list()).toMatchObject([{ name: 'deploy', body: 'Mine' }]);
});

test('one that is for people only is not offered, and hides none behind it', () => {
  lay('home/.claude/skills/deploy/SKILL.md', '---\ndisable-model-invocation: true\n---\nMine');
  lay('shop/.claude/skills/deploy/SKILL.md', 'Theirs');
  expect(list()).toEqual([]);
});

test('a link out of the project shows nothing; in the home folder it may', () => {
  const secret = lay('secret.txt', 'secret');
  mkdirSync(join(root, 'shop/.claude/skills/a'), { recursive: true });
  symlinkSync(secret, join(root, 'shop/.claude/skills/a/SKILL.md'));
  mkdirSync(join(root, 'home/.claude/skills/b'), { recursive: true });
  symlinkSync(secret, join(root, 'home/.claude/skills/b/SKILL.md'));
  expect(names()).toEqual(['b user skill']);
});

test('what is no file or far too large is passed over, and folders that are not there are no trouble', () => {
  expect(names()).toEqual([]);
  mkdirSync(join(root, 'shop/.claude/skills/a/SKILL.md'), { recursive: true });
  truncateSync(lay('shop/.claude/skills/b/SKILL.md'), 2_000_000);
  expect(names()).toEqual([]);
});
