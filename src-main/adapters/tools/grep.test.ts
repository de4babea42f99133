import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { FakeProcessRunner } from '../../ports/process-runner.fake.ts';
import { type AnyTool, CallAborted } from '../../ports/tool.ts';
import { Runs } from '../process/runs.fixture.ts';
import { systemClock } from '../process/system-clock.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import type { ToolServices } from './services.ts';
import { Workbench } from './workbench.fixture.ts';

/** Grep and Glob, which both ask ripgrep. */

let runs: Runs;
let settings: string;
let grep: AnyTool;
let glob: AnyTool;
let bench: Workbench;
let calls = 0;
beforeAll(async () => {
  // A user's settings for ripgrep could run programs; they must not be read.
  settings = mkdtempSync(join(tmpdir(), 'gantry-ripgrep-'));
  writeFileSync(join(settings, 'ripgreprc'), '--invert-match\n');
  runs = await Runs.open({ ...process.env, RIPGREP_CONFIG_PATH: join(settings, 'ripgreprc') });
  const services: ToolServices = {
    processes: runs.host,
    clock: systemClock,
    markerFor: (callId) => `search-test.${process.pid}.${calls++}.${callId}`,
    ripgrep: rgPath,
  };
  grep = grepTool(services);
  glob = globTool(services);
});
afterAll(async () => {
  await runs.close();
  rmSync(settings, { recursive: true });
});
beforeEach(() => {
  bench = new Workbench({
    'price.ts': 'export const price = (n: number) => n * 1.2\n',
    'src/add.js': 'export function add(a, b) { return a + b }\n',
    'src/tax.js': 'export const tax = 0.25\n',
    'src/todo.txt': 'TODO: fix rounding\n',
    '.git/config': 'TODO: never look here\n',
    '.github/ci.yml': 'TODO: look here\n',
  });
});
afterEach(() => bench.dispose());

const search = async (input: object) => (await bench.run(grep, input)).text;
const list = async (input: object) => (await bench.run(glob, input)).text;

describe('Grep', () => {
  // Recorded: agents-batch, mixed-batch.
  test('gives matching lines with file and number, in the order of paths', async () => {
    expect(await search({ pattern: 'export', output_mode: 'content' })).toBe(
      'price.ts:1:export const price = (n: number) => n * 1.2\nsrc/add.js:1:export function add(a, b) { return a + b }\nsrc/tax.js:1:export const tax = 0.25',
    );
    expect(await search({ pattern: 'rounding', output_mode: 'content' })).toBe('src/todo.txt:1:TODO: fix rounding');
  });

  test('looks at hidden files, but not at those of git, whatever the glob says', async () => {
    const all = '.github/ci.yml:1:TODO: look here\nsrc/todo.txt:1:TODO: fix rounding';
    expect(await search({ pattern: 'TODO', output_mode: 'content' })).toBe(all);
    expect(await search({ pattern: 'TODO', output_mode: 'content', glob: '**/*' })).toBe(all);
  });

  test('lists files, counts, and names the file even when there is only one', async () => {
    expect(await search({ pattern: 'export' })).toBe('Found 3 files\nprice.ts\nsrc/add.js\nsrc/tax.js');
    expect(await search({ pattern: 'TODO', path: 'src/todo.txt' })).toBe('Found 1 file\nsrc/todo.txt');
    expect(await search({ pattern: 'TODO', path: 'src/todo.txt', output_mode: 'count' })).toBe('src/todo.txt:1');
    expect(
      await search({ pattern: 'TODO', path: bench.path('src/todo.txt'), output_mode: 'content', '-n': false }),
    ).toBe('src/todo.txt:TODO: fix rounding');
  });

  test('that finds nothing says so and is no error', async () => {
    const { text, ending } = await bench.run(grep, { pattern: 'nowhere', output_mode: 'content' });
    expect(text).toBe('No matches found');
    expect(ending.isError).toBe(false);
    expect(await search({ pattern: 'nowhere' })).toBe('No files found');
  });

  test('takes case, type, lines around, several lines, limit and offset into account', async () => {
    expect(await search({ pattern: 'todo', '-i': true, type: 'txt' })).toBe('Found 1 file\nsrc/todo.txt');
    bench.lay('lines.txt', 'one\ntwo\nthree\nfour\n');
    expect(await search({ pattern: 'two', path: 'lines.txt', output_mode: 'content', context: 1 })).toBe(
      'lines.txt-1-one\nlines.txt:2:two\nlines.txt-3-three',
    );
    expect(await search({ pattern: 'two', path: 'lines.txt', output_mode: 'content', '-A': 1 })).toBe(
      'lines.txt:2:two\nlines.txt-3-three',
    );
    expect(await search({ pattern: 'one.two', path: 'lines.txt', output_mode: 'content', multiline: true })).toBe(
      'lines.txt:1:one\nlines.txt:2:two',
    );
    expect(await search({ pattern: 'export', head_limit: 1, offset: 1 })).toBe(
      'Found 3 files\nsrc/add.js\n(1 more. Raise head_limit or offset to see them.)',
    );
    expect(await search({ pattern: 'export', head_limit: 0 })).toMatch(/^Found 3 files\n.*\n.*\n.*$/);
  });

  test('takes pattern, glob and path as texts, never as options or shell', async () => {
    bench.lay("it's.txt", '--files $(touch hacked) `x`\n');
    expect(await search({ pattern: '--files', output_mode: 'content' })).toMatch(/^it's\.txt:1:/);
    expect(await search({ pattern: '\\$\\(touch hacked\\)', path: "it's.txt" })).toBe("Found 1 file\nit's.txt");
    expect(await search({ pattern: 'x', glob: "it's*" })).toBe("Found 1 file\nit's.txt");
    bench.lay('--pre=touch', 'needle\n');
    expect(await search({ pattern: 'needle', path: '--pre=touch' })).toBe('Found 1 file\n--pre=touch');
    expect(existsSync(bench.path('hacked'))).toBe(false);
  });

  test('tells what is wrong with a pattern, a type or a glob in the words of ripgrep', async () => {
    await expect(search({ pattern: '(' })).rejects.toThrow(/^ripgrep says: regex parse error:\n[\s\S]*unclosed group$/);
    await expect(search({ pattern: 'a', type: 'zzz' })).rejects.toThrow(/unrecognized file type: zzz/);
    await expect(search({ pattern: 'a', glob: '{a' })).rejects.toThrow(/error parsing glob/);
  });

  test('shortens very long lines', async () => {
    bench.lay('long.txt', `${'x'.repeat(600)}\n`);
    expect((await search({ pattern: 'xxx', path: 'long.txt', output_mode: 'content' })).length).toBeLessThan(600);
  });

  test('outside of the working folders is asked for, a missing path refused', async () => {
    const permission = async (path: string) =>
      (await grep.checkPermissions({ pattern: 'a', path }, bench.context)).verdict;
    symlinkSync(bench.outside, bench.path('out'));
    expect(await permission('src')).toBe('allow');
    expect(await permission('out')).toBe('pass');
    expect(await permission('..')).toBe('pass');
    expect(await bench.refusal(grep, { pattern: 'a', path: 'nope' })).toBe(
      `Path does not exist: ${bench.path('nope')}.`,
    );
  });

  test('does not follow a link out of the folder', async () => {
    writeFileSync(join(bench.outside, 'secret.txt'), 'TODO: secret\n');
    symlinkSync(bench.outside, bench.path('out'));
    symlinkSync(join(bench.outside, 'secret.txt'), bench.path('innocent.txt'));
    expect(await search({ pattern: 'secret' })).toBe('No files found');
  });
});

describe('Glob', () => {
  // Recorded: mixed-batch.
  test('lists files relative to the working folder, in the order of paths', async () => {
    expect(await list({ pattern: '**/*.js' })).toBe('src/add.js\nsrc/tax.js');
    expect(await list({ pattern: '*.js', path: 'src' })).toBe('src/add.js\nsrc/tax.js');
    expect(await list({ pattern: './src/*.txt' })).toBe('src/todo.txt');
    expect(await list({ pattern: 'nothing' })).toBe('No files found');
  });

  test('never lists what is of git', async () => {
    expect(await list({ pattern: '**/*' })).toBe('.github/ci.yml\nprice.ts\nsrc/add.js\nsrc/tax.js\nsrc/todo.txt');
  });

  test('understands absolute patterns and those that lead upwards, and asks for their folder', async () => {
    writeFileSync(join(bench.outside, 'far.js'), '');
    mkdirSync(join(bench.outside, 'deep'));
    writeFileSync(join(bench.outside, 'deep', 'deep.js'), '');
    expect(await list({ pattern: `${bench.cwd}/src/*.js` })).toBe('src/add.js\nsrc/tax.js');
    expect(await list({ pattern: `${bench.outside}/*.js` })).toBe('../outside/far.js');
    expect(await list({ pattern: '../outside/**/*.js' })).toBe('../outside/deep/deep.js\n../outside/far.js');
    expect(await list({ pattern: `${bench.cwd}/price.ts` })).toBe('price.ts');
    const permission = async (input: object) => (await glob.checkPermissions(input, bench.context)).verdict;
    expect(await permission({ pattern: '**/*.js' })).toBe('allow');
    expect(await permission({ pattern: `${bench.cwd}/src/*.js` })).toBe('allow');
    expect(await permission({ pattern: `${bench.outside}/*.js` })).toBe('pass');
    expect(await permission({ pattern: '../**/*.js' })).toBe('pass');
    expect(await permission({ pattern: '/**/*.js', path: 'src' })).toBe('pass');
    expect(await permission({ pattern: '~/*.js' })).toBe('pass');
  });

  test('says how many are left out', async () => {
    for (let i = 0; i < 102; i++) bench.lay(`many/${String(i).padStart(3, '0')}.md`, '');
    const lines = (await list({ pattern: '**/*.md' })).split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('(2 more files. Use a narrower pattern.)');
  });

  test('refuses a folder that is not there, and a pattern that is none', async () => {
    expect(await bench.refusal(glob, { pattern: '*', path: 'nope' })).toBe(
      `Directory does not exist: ${bench.path('nope')}.`,
    );
    await expect(list({ pattern: '{a' })).rejects.toThrow(/^ripgrep says: error parsing glob/);
  });
});

describe('links', () => {
  test('that are turned round after the permission do not lead a search outside', async () => {
    writeFileSync(join(bench.outside, 'secret.txt'), 'TODO: secret\n');
    for (const [tool, input] of [
      [grep, grep.inputSchema.parse({ pattern: 'TODO', path: 'link' })],
      [glob, glob.inputSchema.parse({ pattern: '*.txt', path: 'link' })],
    ] as const) {
      symlinkSync('src', bench.path('link'));
      expect((await tool.checkPermissions(input, bench.context)).verdict).toBe('allow');
      rmSync(bench.path('link'));
      symlinkSync(bench.outside, bench.path('link'));
      const { output } = await tool.call(input, bench.context, bench.environment());
      expect(resultText(tool.mapResult(output))).toMatch(/src\/todo\.txt$/);
      rmSync(bench.path('link'));
    }
  });

  test('to the working folder itself change nothing in what is shown', async () => {
    const link = join(bench.root, 'link');
    symlinkSync(bench.cwd, link);
    bench.context = { ...bench.context, cwd: link, directories: [link] };
    expect(await search({ pattern: 'rounding' })).toBe('Found 1 file\nsrc/todo.txt');
    expect(await list({ pattern: '*.txt', path: join(link, 'src') })).toBe('src/todo.txt');
    expect(await list({ pattern: `${bench.cwd}/src/*.txt` })).toBe('src/todo.txt');
  });
});

test('the proposed rule is about reading the folder, and there is none without one', () => {
  expect(grep.suggestRule({ pattern: 'a', path: '../outside' })).toBe('Read(../outside)');
  expect(grep.suggestRule({ pattern: 'a' })).toBeUndefined();
  expect(glob.suggestRule({ pattern: '*.md', path: '../outside' })).toBe('Read(../outside)');
  expect(glob.suggestRule({ pattern: '/etc/*', path: '../outside' })).toBeUndefined();
});

test('a search leaves no file behind, and stops with its call', async () => {
  await search({ pattern: 'export' });
  expect(readdirSync(join(bench.root, 'tool-results'))).toEqual([]);
  const controller = new AbortController();
  controller.abort('escape');
  await expect(bench.run(grep, { pattern: 'a' }, controller.signal)).rejects.toThrow(CallAborted);
});

describe('what ripgrep could not do', () => {
  const faked = (end: Parameters<FakeProcessRunner['runs'][number]['end']>[0], output: string) => {
    const processes = new FakeProcessRunner((run) => {
      writeFileSync(run.spec.outputFile, output);
      run.end(end);
    });
    return grepTool({ processes, clock: systemClock, markerFor: (callId) => callId, ripgrep: 'rg' });
  };
  const unreadable = { end: { kind: 'exited', code: 2 } } as const;

  test('files that could not be read are mentioned beside the others', async () => {
    const text = async (output: string) => (await bench.run(faked(unreadable, output), { pattern: 'a' })).text;
    expect(await text('./a.txt\0')).toBe('Found 1 file\na.txt\n(Some files could not be read.)');
    expect(await text('')).toBe('No files found\n(Some files could not be read.)');
  });

  test('more than is looked at is mentioned, and a torn last line left out', async () => {
    const cut = faked({ end: { kind: 'output-limit', limitBytes: 1 } }, `./a.txt\0./b${'x'.repeat(21 * 1024 * 1024)}`);
    const { text } = await bench.run(cut, { pattern: 'a' });
    expect(text).toBe('Found 1 file\na.txt\n(More text matches than is looked at. Use a narrower pattern or a glob.)');
  });

  test('a search that takes too long says what to do', async () => {
    const slow = faked({ end: { kind: 'timed-out', limitMs: 60_000 } }, '');
    await expect(bench.run(slow, { pattern: 'a' })).rejects.toThrow(/longer than 60 s\. Narrow it/);
  });
});
