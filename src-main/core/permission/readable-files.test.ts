import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedsFor } from '../bash/testing/random.ts';
import { CallFacts } from './call-facts.ts';
import { Ground, worldWithoutLinks } from './ground.ts';
import { concernOf } from './matching.ts';
import { type FileWorld, ReadableFiles } from './readable-files.ts';
import type { RuleSet, SourcedRule } from './rules.ts';
import { virtualRealPath } from './virtual-links.ts';

const worldWith = (links: Readonly<Record<string, string>> = {}, platform = 'linux'): FileWorld => ({
  ...worldWithoutLinks('/work/app', { platform }),
  realPath: virtualRealPath(links),
  isLink: (path) => Object.hasOwn(links, path),
});
const rulesOf = (texts: readonly string[]): readonly SourcedRule[] =>
  texts.map((text) => ({ text, scope: 'project' as const }));
const files = (lists: Partial<Record<'deny' | 'ask', readonly string[]>>, world = worldWith()): ReadableFiles =>
  new ReadableFiles({ deny: rulesOf(lists.deny ?? []), ask: rulesOf(lists.ask ?? []) } as RuleSet, world);

describe('a file that a search finds', () => {
  const below = (lists: Parameters<typeof files>[0], path: string, world?: FileWorld) =>
    files(lists, world).mayRead(path, '/work/app');

  test('is left out by a deny rule that means it, and by no other', () => {
    expect(below({ deny: ['Read(secrets/**)'] }, '/work/app/secrets/k')).toBe(false);
    expect(below({ deny: ['Read(secrets/**)'] }, '/work/app/a/secrets/k')).toBe(false);
    expect(below({ deny: ['Read(secrets/**)'] }, '/work/app/src/k')).toBe(true);
    expect(below({ deny: ['Edit(secrets/**)', 'Grep', 'Bash(cat *)'] }, '/work/app/secrets/k')).toBe(true);
  });

  test('is left out where a link on its way, or the file itself, leads to one', () => {
    const world = worldWith({ '/work/app/vendor': '/work/app/secrets', '/work/app/k': '/etc/shadow' });
    expect(below({ deny: ['Read(secrets/**)'] }, '/work/app/vendor/k', world)).toBe(false);
    expect(below({ deny: ['Read(//etc/**)'] }, '/work/app/k', world)).toBe(false);
    expect(below({ deny: ['Read(//etc/**)'] }, '/work/app/l', world)).toBe(true);
  });

  test('is left out where a link leads nobody knows where', () => {
    const world = worldWith({ '/work/app/a': '/work/app/b', '/work/app/b': '/work/app/a' });
    expect(below({ deny: ['Read(secrets/**)'] }, '/work/app/a', world)).toBe(false);
  });

  test('is left out by an ask rule, unless it was answered for the place that is searched', () => {
    const asking = files({ ask: ['Read(secrets/**)'] });
    expect(asking.mayRead('/work/app/secrets/k')).toBe(false);
    expect(asking.mayRead('/work/app/secrets/k', '/work/app')).toBe(false);
    expect(asking.mayRead('/work/app/secrets/k', '/work/app/secrets')).toBe(true);
    expect(asking.mayRead('/work/app/secrets/k', '/work/app/secrets/k')).toBe(true);
    expect(files({ deny: ['Read(secrets/k)'] }).mayRead('/work/app/secrets/k', '/work/app/secrets')).toBe(false);
  });
});

test('a folder in which nothing can be left out needs no look at its files', () => {
  const denying = files({ deny: ['Read(/secrets/**)', 'Read(//etc/**)'] });
  expect(denying.mayReadAll('/work/app/src')).toBe(true);
  expect(denying.mayReadAll('/work/app')).toBe(false);
  expect(denying.mayReadAll('/work/app/secrets/deep')).toBe(false);
  expect(files({ deny: ['Read(*.env)'] }).mayReadAll('/work/app/src')).toBe(false);
  expect(files({ ask: ['Read(secrets/**)'] }).mayReadAll('/work/app/secrets')).toBe(true);
  expect(files({ deny: ['Edit', 'Bash'] }).mayReadAll('/')).toBe(true);
});

const NAMES = ['a', 'b', '.env', 'src', 'secrets', 'x y', 'K'] as const;
const way = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const anchored = fc.constantFrom('', './', '/', '//work/', '//', '~/', '../');
const shape = fc.constantFrom(
  ...[
    '**',
    '*',
    '*.env',
    'secrets/**',
    'src/',
    'src/**/a',
    '**/b',
    'a/*',
    '.env',
    './secrets',
    '[ab]',
    'x y',
    '!a',
    'K*',
  ],
);
const rule = fc.oneof(
  fc.tuple(anchored, fc.oneof(shape, way)).map(([anchor, text]) => `Read(${anchor}${text})`),
  fc.constantFrom('Read', 'Read(*)', 'Edit(a)', 'Grep', 'Read( )'),
);
const links = fc.dictionary(
  way.map((text) => `/work/app/${text}`),
  fc.oneof(
    way.map((text) => `/work/app/${text}`),
    way.map((text) => `/elsewhere/${text}`),
  ),
  { maxKeys: 2 },
);
const path = fc
  .tuple(fc.constantFrom('/work/app/', '/work/', '/home/u/', '/elsewhere/'), way)
  .map((both) => both.join(''));

test.each(seedsFor([1_001]))('says of each file what the rules say of reading it (seed %i)', (seed) => {
  let met = 0;
  const lists = fc.record({ deny: fc.array(rule, { maxLength: 3 }), ask: fc.array(rule, { maxLength: 2 }) });
  fc.assert(
    fc.property(lists, links, path, way, fc.constantFrom('linux', 'darwin'), (given, linked, root, rest, platform) => {
      const file = `${root}/${rest}`;
      const world = worldWith(linked, platform);
      const facts = (tool: string, input: object) => new CallFacts({ tool, input }, new Ground(world));
      const concerned = (text: string): boolean =>
        concernOf({ text, scope: 'project' }, facts('Read', { file_path: file })) !== 'no';
      const wasAsked = (text: string): boolean =>
        concernOf({ text, scope: 'project' }, facts('Grep', { path: root })) === 'yes';
      const readable = files(given, world);
      const mayRead =
        !given.deny.filter((text) => text !== 'Grep').some(concerned) &&
        !given.ask.filter((text) => text !== 'Grep' && !wasAsked(text)).some(concerned);
      if (!mayRead) met++;
      expect(readable.mayRead(file, root), `${file} in ${root}`).toBe(mayRead);
      if (readable.mayReadAll(root)) expect(mayRead, `all of ${root}, ${file}`).toBe(true);
    }),
    { seed, numRuns: 5_000 },
  );
  expect(met).toBeGreaterThan(500);
});
