import { symlinkSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileReading } from '../../app/file-reading.ts';
import { seedsFor } from '../../core/bash/testing/random.ts';
import type { RuleSet } from '../../core/permission/rules.ts';
import type { AnyTool } from '../../ports/tool.ts';
import { Runs } from '../process/runs.fixture.ts';
import { systemClock } from '../process/system-clock.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { exclusions } from './left-out.ts';
import type { ToolServices } from './services.ts';
import { Workbench } from './workbench.fixture.ts';

let runs: Runs;
let grep: AnyTool;
let glob: AnyTool;
let bench: Workbench;
let calls = 0;
/** Every command that was given to bash. */
let commands: string[] = [];
let beforeNext: (command: string) => void = () => undefined;
beforeAll(async () => {
  runs = await Runs.open();
  const services: ToolServices = {
    processes: {
      run: (spec, hooks) => {
        commands.push(spec.command);
        beforeNext(spec.command);
        return runs.host.run(spec, hooks);
      },
      listTree: (marker) => runs.host.listTree(marker),
      close: () => runs.host.close(),
    },
    clock: systemClock,
    markerFor: (callId) => `rules-test.${process.pid}.${calls++}.${callId}`,
    ripgrep: rgPath,
  };
  grep = grepTool(services);
  glob = globTool(services);
});
afterAll(() => runs.close());
beforeEach(() => {
  commands = [];
  beforeNext = () => undefined;
  bench = new Workbench({
    'a.txt': 'hit in a\n',
    'secrets/key.txt': 'hit in key\nmore\nhit again\n',
    'secrets/deep/other.txt': 'hit in other\n',
    'src/.env': 'hit in env\n',
    'src/b.txt': 'before\nhit in b\nafter\n',
  });
});
afterEach(() => bench.dispose());

function setRules(lists: Partial<Record<'deny' | 'ask', readonly string[]>>): void {
  const sourced = (texts: readonly string[] = []) => texts.map((text) => ({ text, scope: 'project' as const }));
  const rules: RuleSet = { allow: [], deny: sourced(lists.deny), ask: sourced(lists.ask) };
  const reading = new FileReading({ rules: () => rules, context: () => bench.context, clock: systemClock });
  bench.host = {
    mayRead: (path, within) => reading.mayRead(path, within),
    mayReadAll: (folder) => reading.mayReadAll(folder),
  };
}
const search = async (input: object) => (await bench.run(grep, { pattern: 'hit', ...input })).text;
const list = async (input: object) => (await bench.run(glob, { pattern: '**/*.txt', ...input })).text;

describe('a search over the parent of a denied folder', () => {
  beforeEach(() => setRules({ deny: ['Read(secrets/**)', 'Read(.env)'] }));

  test('leaves its files out, in every kind of answer, and says how many without their names', async () => {
    const note = '(3 files were left out by permission rules.)';
    expect(await search({})).toBe(`Found 2 files\na.txt\nsrc/b.txt\n${note}`);
    expect(await search({ output_mode: 'count' })).toBe(`a.txt:1\nsrc/b.txt:1\n${note}`);
    expect(await search({ output_mode: 'content' })).toBe(`a.txt:1:hit in a\nsrc/b.txt:2:hit in b\n${note}`);
    expect(await search({ output_mode: 'content', '-C': 1 })).toBe(
      `a.txt:1:hit in a\n--\nsrc/b.txt-1-before\nsrc/b.txt:2:hit in b\nsrc/b.txt-3-after\n${note}`,
    );
    expect(await list({})).toBe('a.txt\nsrc/b.txt\n(2 files were left out by permission rules.)');
  });

  test('does not open them', async () => {
    await search({});
    expect(commands.length).toBe(2);
    expect(commands[0]).toContain("'--files'");
    expect(commands[1]).toContain("'--glob=!/secrets' '--glob=!/src/.env'");
  });

  test('does not tell whether they hold the text: the number is of files, not of matches', async () => {
    expect(await search({ pattern: 'in key' })).toBe('No files found\n(3 files were left out by permission rules.)');
    expect(await search({ pattern: 'nowhere' })).toBe('No files found\n(3 files were left out by permission rules.)');
  });

  test('counts only those that are meant', async () => {
    expect(await search({ glob: '*.env' })).toBe('No files found\n(1 file was left out by permission rules.)');
    expect(await search({ glob: 'a.*' })).toBe('Found 1 file\na.txt');
    expect(await search({ path: 'src', glob: '*.txt' })).toBe('Found 1 file\nsrc/b.txt');
    expect(await list({ path: 'src' })).toBe('src/b.txt');
  });

  test('works from a folder below, with paths that lead upwards', async () => {
    bench.context = { ...bench.context, cwd: bench.path('src') };
    setRules({ deny: [`Read(/${bench.path('secrets')}/**)`] });
    expect(await search({ path: '..' })).toBe(
      'Found 3 files\n../a.txt\n../src/.env\n../src/b.txt\n(2 files were left out by permission rules.)',
    );
    expect(commands[1]).toContain("'--glob=!../secrets'");
  });

  test('does not ask ripgrep twice where no rule can mean anything', async () => {
    setRules({ deny: ['Read(/secrets/**)', 'Read(//etc/**)', 'Bash(rm *)'] });
    expect(await search({ path: 'src' })).toBe('Found 2 files\nsrc/.env\nsrc/b.txt');
    expect(commands.length).toBe(1);
  });

  test('lets no file slip in that comes between the listing and the search', async () => {
    beforeNext = (command) => {
      if (!command.includes("'--files'")) bench.lay('new/.env', 'hit\n');
    };
    const found = await search({});
    expect(found).toBe('Found 2 files\na.txt\nsrc/b.txt\n(3 files were left out by permission rules.)');
  });
});

test('a folder reached through a link is known by both names', async () => {
  symlinkSync(bench.path('secrets'), bench.path('way'));
  setRules({ deny: ['Read(way/deep/**)'] });
  expect(await search({ path: 'way' })).toBe(
    'Found 1 file\nsecrets/key.txt\n(1 file was left out by permission rules.)',
  );
  setRules({ deny: ['Read(/secrets/deep/**)'] });
  expect(await list({ path: 'way' })).toBe('secrets/key.txt\n(1 file was left out by permission rules.)');
});

test('an ask rule leaves out too, but not where it was asked', async () => {
  setRules({ ask: ['Read(secrets/**)'] });
  expect(await search({})).toContain('(2 files were left out by permission rules.)');
  expect(await search({ path: 'secrets' })).toBe('Found 2 files\nsecrets/deep/other.txt\nsecrets/key.txt');
});

test('names with special characters are excluded as they are', async () => {
  bench.lay('odd [a]*/x{1}?.txt', 'hit\n');
  bench.lay('odd a/x1.txt', 'hit\n');
  bench.lay("it's/!k.txt", 'hit\n');
  setRules({ deny: ['Read(odd \\[a\\]\\*/**)', "Read(it's/**)", 'Read(secrets/**)', 'Read(src/**)'] });
  expect(await search({})).toBe('Found 2 files\na.txt\nodd a/x1.txt\n(6 files were left out by permission rules.)');
  expect(commands[1]).toContain('\\[a\\]\\*');
});

test('folders with nothing else in them are excluded whole, and the words do not grow without end', () => {
  const paths = ['./a/x', './a/b/y', './c/z', './c/w'];
  expect(exclusions(paths, new Set(['./a/x', './a/b/y', './c/z']))).toEqual(['--glob=!/a', '--glob=!/c/z']);
  const many = Array.from({ length: 20_000 }, (_, at) => `./f/${at}`);
  const text = exclusions([...many, './f/keep'], new Set(many)).join(' ');
  expect(text.length).toBeLessThan(50_000);
});

const name = fc.constantFrom('a', 'b', '.env', 'src', 'secrets', 'x y', '[ab]');
const file = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}/f.txt`);
const rule = fc
  .tuple(
    fc.constantFrom('', './', '/'),
    fc.oneof(
      fc.constantFrom('secrets/**', '.env', '*.env', 'src/', 'a/*', '**/b/**', '\\[ab\\]', 'x y/**', '**/f.txt', 'src'),
      file,
    ),
  )
  .map((both) => `Read(${both.join('')})`);

test.each(seedsFor([1_001]))(
  'finds what it finds without rules, less what they mean (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 8 }),
        fc.array(rule, { maxLength: 3 }),
        fc.constantFrom('.', 'src', 'a'),
        async (laid, deny, path) => {
          bench.dispose();
          bench = new Workbench({ 'src/z.txt': 'hit\n', 'a/z.txt': 'hit\n' });
          for (const one of laid) bench.lay(one, 'hit\n');
          bench.host = {};
          const all = (await search({ path, output_mode: 'count' })).split('\n');
          setRules({ deny });
          const { mayRead } = bench.host;
          const kept = all.filter((line) => mayRead?.(bench.path(line.replace(/:1$/, '')), bench.path(path)));
          const found = (await search({ path, output_mode: 'count' })).split('\n');
          const gone = all.length - kept.length;
          const note =
            gone === 0 ? [] : [`(${gone} ${gone === 1 ? 'file was' : 'files were'} left out by permission rules.)`];
          expect(found).toEqual([...(kept.length === 0 ? ['No matches found'] : kept), ...note]);
        },
      ),
      { seed, numRuns: 60 },
    );
  },
);
