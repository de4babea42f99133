import { describe, expect, test } from 'vitest';
import { CallFacts } from './call-facts.ts';
import { Ground, type World, worldWithoutLinks } from './ground.ts';
import { concernOf, coverOf } from './matching.ts';
import type { SourcedRule } from './rules.ts';
import { virtualRealPath } from './virtual-links.ts';

const project = (text: string): SourcedRule => ({ text, scope: 'project' });
const WORLD = worldWithoutLinks('/proj/app');
const windows: World = {
  ...WORLD,
  cwd: 'C:\\Users\\alice\\app',
  startedIn: 'C:\\Users\\alice\\app',
  projectRoot: 'C:\\Users\\alice\\app',
  home: 'C:\\Users\\alice',
  directories: [],
  platform: 'win32',
};
const withLinks = (links: Record<string, string>): World => ({ ...WORLD, realPath: virtualRealPath(links) });

const factsOf = (tool: string, file_path: string, world: World) =>
  new CallFacts({ tool, input: { file_path } }, new Ground(world));
const denies = (rule: string | SourcedRule, path: string, world = WORLD, tool = 'Read') =>
  concernOf(typeof rule === 'string' ? project(rule) : rule, factsOf(tool, path, world));
const allows = (rule: string | SourcedRule, path: string, world = WORLD, tool = 'Edit'): boolean =>
  coverOf([typeof rule === 'string' ? project(rule) : rule], factsOf(tool, path, world)) !== undefined;

/** Pattern, path, and whether it is meant in a deny rule and in an allow rule. */
test.each<[string, string, boolean, boolean]>([
  // A bare name at any depth below the anchor.
  ['.env', '.env', true, true],
  ['.env', 'a/b/.env', true, true],
  ['.env', '/proj/.env', false, false],
  ['**/.env', '.env', true, true],
  ['*.env', 'a/prod.env', true, true],
  ['.env', '.env.example', false, false],
  ['.env.*', '.env.local', true, true],
  ['secrets', 'a/secrets/k', true, true],
  // With a dot in front: one place in an allow rule, any depth for a bare name in a deny rule.
  ['./.env', '.env', true, true],
  ['./.env', 'a/.env', true, false],
  ['./config/db.json', 'config/db.json', true, true],
  ['./config/db.json', 'a/config/db.json', false, false],
  ['../lib/**', '/proj/lib/a', true, true],
  ['../lib/**', 'lib/a', false, false],
  // One folder name.
  ['src/**', 'src/app.ts', true, true],
  ['src/**', 'vendor/pkg/src/lib.js', true, false],
  ['src/', 'vendor/src/a', true, false],
  ['src/**', 'src', false, false],
  // All other shapes.
  ['/src/**', 'src/app.ts', true, true],
  ['/src/**', 'vendor/pkg/src/lib.js', false, false],
  ['**/src/**', 'vendor/pkg/src/lib.js', true, true],
  ['src/components/**', 'vendor/src/components/a', false, false],
  ['/src/*.ts', 'src/a.ts', true, true],
  ['/src/*.ts', 'src/b/a.ts', false, false],
  ['/src/**/*.ts', 'src/a.ts', true, true],
  ['/src/**/*.ts', 'src/b/c/a.ts', true, true],
  ['secrets-*/config.json', 'secrets-a/config.json', true, true],
  // Anchors.
  ['/Users/alice/file', '/Users/alice/file', false, false],
  ['//Users/alice/file', '/Users/alice/file', true, true],
  ['//**/.env', '/other/x/.env', true, true],
  ['~/Documents/*.pdf', '/home/u/Documents/a.pdf', true, true],
  ['~/Documents/*.pdf', '~/Documents/a.pdf', true, true],
  ['~/Documents/*.pdf', '~/Documents/b/a.pdf', false, false],
  ['~', '~/x', true, true],
  ['**', 'a/b', true, true],
  ['**', '/etc/hosts', false, false],
  ['.', 'a/b', true, true],
  // Characters with and without a meaning.
  ['a\\[1\\].txt', 'a[1].txt', true, true],
  ['a[12].txt', 'a1.txt', true, true],
  ['#a', '#a', true, true],
  ['a b', 'a b', true, true],
  ['a\nb', 'b', false, false],
  // The dots of the path itself.
  ['/src/**', 'src/../x', false, false],
  ['/src/**', 'x/../src/a', true, true],
])('%j and the path %j: deny %j, allow %j', (pattern, path, denied, allowed) => {
  expect(denies(`Read(${pattern})`, path)).toBe(denied ? 'yes' : 'no');
  expect(allows(`Edit(${pattern})`, path)).toBe(allowed);
});

describe('a path with one slash in front', () => {
  const world: World = { ...WORLD, cwd: '/proj/app/sub', startedIn: '/proj/app/start', projectRoot: '/proj/app' };
  test.each<[SourcedRule['scope'], string]>([
    ['project', '/proj/app/x'],
    ['user', '/home/u/.claude/x'],
    ['local', '/proj/app/start/x'],
    ['session', '/proj/app/start/x'],
    ['cli', '/proj/app/start/x'],
    ['managed', '/x'],
  ])('of %s settings is %s', (scope, path) => {
    const others = ['/proj/app/x', '/home/u/.claude/x', '/proj/app/start/x', '/proj/app/sub/x', '/x'];
    const rule = { text: 'Read(/x)', scope };
    expect(others.filter((other) => denies(rule, other, world) === 'yes')).toEqual([path]);
  });

  test('of a file given with a flag is in its folder', () => {
    expect(denies({ text: 'Read(/x)', scope: 'cli', root: '/etc/gantry' }, '/etc/gantry/x')).toBe('yes');
  });
});

describe('links', () => {
  test('a deny rule needs one name of a file, an allow rule all of them', () => {
    const world = withLinks({ '/proj/app/key': '/home/u/.ssh/id_rsa' });
    expect(denies('Read(~/.ssh/**)', 'key', world)).toBe('yes');
    expect(denies('Read(key)', 'key', world)).toBe('yes');
    expect(allows('Edit(key)', 'key', world)).toBe(false);
    expect(allows('Edit(~/.ssh/**)', 'key', world)).toBe(false);
    expect(coverOf(['Edit(key)', 'Edit(~/.ssh/**)'].map(project), factsOf('Edit', 'key', world))).toBeUndefined();
  });

  test('folders that are links count, and those above the working folder change nothing', () => {
    const world = withLinks({ '/mnt/proj/app/d': '/data', '/proj': '/mnt/proj' });
    expect(denies('Read(//data/**)', 'd/x', world)).toBe('yes');
    expect(allows('Edit(src/**)', 'src/a', world)).toBe(true);
    expect(denies('Edit(src/**)', '/mnt/proj/app/src/a', world, 'Edit')).toBe('yes');
  });

  test('where links lead in a circle nothing is allowed, and a deny rule may be meant', () => {
    const world = withLinks({ '/proj/app/a': '/proj/app/b', '/proj/app/b': '/proj/app/a' });
    expect(allows('Edit(a)', 'a', world)).toBe(false);
    expect(denies('Read(other)', 'a', world)).toBe('perhaps');
  });
});

describe('platforms', () => {
  test('Linux heeds case, macOS and Windows do not', () => {
    expect(denies('Read(secrets/**)', 'Secrets/k')).toBe('no');
    expect(denies('Read(secrets/**)', 'Secrets/k', { ...WORLD, platform: 'darwin' })).toBe('yes');
    expect(denies('Read(Secrets/**)', 'secrets\\k', windows)).toBe('yes');
  });

  test('macOS heeds neither how accents are composed nor /private', () => {
    const mac: World = { ...WORLD, platform: 'darwin' };
    expect(denies('Read(caf\u00e9/**)', 'cafe\u0301/k', mac)).toBe('yes');
    expect(denies('Read(caf\u00e9/**)', 'cafe\u0301/k')).toBe('no');
    expect(denies('Read(//etc/**)', '/private/etc/hosts', mac)).toBe('yes');
    expect(denies('Read(//private/etc/**)', '/etc/hosts', mac)).toBe('yes');
  });

  test.each([
    'C:\\Users\\alice\\secrets\\k',
    'c:\\users\\ALICE\\Secrets\\k',
    'C:/Users/alice/secrets/k',
    '\\\\?\\C:\\Users\\alice\\secrets\\k',
    '\\??\\C:\\Users\\alice\\secrets\\k',
    '\\\\.\\C:\\Users\\alice\\secrets\\k',
    '~\\secrets\\k',
    '..\\secrets\\k',
    'C:\\Users\\alice\\secrets\\k.',
    'C:\\Users\\alice\\secrets\\k::$DATA',
    'C:\\Users\\alice\\secrets. \\k',
  ])('Windows: %s', (path) => {
    expect(denies('Read(//c/Users/alice/secrets/k)', path, windows)).toBe('yes');
    expect(denies('Read(C:\\Users\\alice\\secrets\\**)', path, windows)).toBe('yes');
    expect(denies('Read(~\\secrets\\**)', path, windows)).toBe('yes');
  });

  test('Windows: all drives, shares, and names that stand for others', () => {
    expect(denies('Read(//**/.env)', 'D:\\x\\.env', windows)).toBe('yes');
    expect(denies('Read(//server/share/**)', '\\\\server\\share\\x', windows)).toBe('yes');
    expect(denies('Read(//server/share/**)', '\\\\?\\UNC\\server\\share\\x', windows)).toBe('yes');
    expect(denies('Read(//c/Users/alice/secrets/**)', 'C:\\Users\\ALICE~1\\x', windows)).toBe('perhaps');
    expect(allows('Edit(//c/**)', 'C:\\PROGRA~1\\x', windows)).toBe(false);
  });
});

describe('tools', () => {
  const concern = (rule: string, tool: string, input: unknown) =>
    concernOf(project(rule), new CallFacts({ tool, input }, new Ground(WORLD)));

  test('a Read rule binds all tools that read, and those that change what they read', () => {
    for (const tool of ['Read', 'Edit', 'Write', 'MultiEdit', 'LSP']) {
      expect(concern('Read(secrets/**)', tool, { file_path: 'secrets/k' }), tool).toBe('yes');
    }
    expect(concern('Read(secrets/**)', 'NotebookEdit', { notebook_path: 'secrets/a.ipynb' })).toBe('no');
    expect(concern('Edit(secrets/**)', 'NotebookEdit', { notebook_path: 'secrets/a.ipynb' })).toBe('yes');
    expect(concern('Edit(secrets/**)', 'Read', { file_path: 'secrets/k' })).toBe('no');
  });

  test('it binds a search in a folder all of which is meant, and not one above it', () => {
    expect(concern('Read(secrets/**)', 'Grep', { pattern: 'x', path: 'secrets' })).toBe('yes');
    expect(concern('Read(secrets/**)', 'Grep', { pattern: 'x', path: 'a/secrets/deep' })).toBe('yes');
    expect(concern('Read(secrets/**)', 'Grep', { pattern: 'x' })).toBe('no');
    expect(concern('Read(secrets/**)', 'Glob', { pattern: '*', path: 'secrets' })).toBe('yes');
    expect(concern('Read(secrets/**)', 'Glob', { pattern: 'secrets/*.key' })).toBe('yes');
    expect(concern('Read(secrets/**)', 'Glob', { pattern: '/proj/app/secrets/*' })).toBe('yes');
    expect(concern('Read(secrets/**)', 'Glob', { pattern: '**/*.ts' })).toBe('no');
    expect(concern('Read(*.key)', 'Grep', { pattern: 'x', path: 'secrets' })).toBe('no');
  });

  test('rules without a path are about the tools', () => {
    expect(concern('Read', 'Grep', {})).toBe('yes');
    expect(concern('Read', 'Write', {})).toBe('yes');
    expect(concern('Edit', 'NotebookEdit', {})).toBe('yes');
    expect(concern('Write', 'Edit', {})).toBe('no');
    expect(allows('Edit', '/etc/x', WORLD, 'Write')).toBe(true);
    expect(allows('Write', 'a', WORLD, 'Edit')).toBe(false);
    expect(allows('Read', '/etc/x', WORLD, 'Grep')).toBe(true);
  });

  test('an Edit rule with a path also allows reading there, one without does not', () => {
    expect(allows('Edit(//srv/**)', '/srv/a', WORLD, 'Read')).toBe(true);
    expect(allows('Edit', '/srv/a', WORLD, 'Read')).toBe(false);
    expect(allows('Read(//srv/**)', '/srv/a', WORLD, 'Edit')).toBe(false);
  });

  test('a star in brackets is the working folder, for Bash it is everything', () => {
    expect(allows('Edit(*)', 'a/b')).toBe(true);
    expect(allows('Edit(*)', '/etc/hosts')).toBe(false);
    expect(denies('Read(*)', '/etc/hosts')).toBe('yes');
  });

  test('paths are compared with rules for Edit and Read only', () => {
    expect(concern('Write(src/**)', 'Write', { file_path: 'src/a' })).toBe('no');
    expect(allows('Write(src/**)', 'src/a', WORLD, 'Write')).toBe(false);
  });

  test('a path that is too long to be one is never allowed, and may be meant', () => {
    const long = 'a/'.repeat(20_000);
    expect(concern('Read(secrets/**)', 'Read', { file_path: long })).toBe('perhaps');
    expect(concern('Read(secrets/**)', 'Bash', { command: `cat ${long}` })).toBe('perhaps');
    expect(allows('Edit(**)', long)).toBe(false);
  });

  test('an input without a path may be about any', () => {
    expect(concern('Read(secrets/**)', 'Read', {})).toBe('perhaps');
    expect(concern('Read(secrets/**)', 'Read', Object.create({ file_path: 'a' }))).toBe('perhaps');
    expect(
      coverOf([project('Read(**)')], new CallFacts({ tool: 'Read', input: {} }, new Ground(WORLD))),
    ).toBeUndefined();
  });
});
