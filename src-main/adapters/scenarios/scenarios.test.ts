import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import { blocksOf, callsIn } from '../../../src-shared/scenario/scenario.ts';
import { FakeProcessRunner } from '../../ports/process-runner.fake.ts';
import { systemClock } from '../process/system-clock.ts';
import { createRegistry } from '../tools/registry.ts';
import { gallery, scenarioByName, summariseScenario } from './gallery.ts';
import { layFiles } from './lay-files.ts';
import { loadScenario, parseScenario } from './load-scenario.ts';

let root: string;
let cwd: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-scenarios-')));
  cwd = join(root, 'shop');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const failureOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error('no failure');
};
const parsing = (text: string) => failureOf(() => parseScenario(text, 'my.yaml'));

describe('a scenario file', () => {
  test('may be YAML or JSON, and as small as its least shape', async () => {
    const path = join(root, 'my.yaml');
    writeFileSync(
      path,
      'name: mine\nturns:\n  - - text: Hello.\n    - { tool: Bash, input: { command: ls }, delay: 5 }\n',
    );
    expect(await loadScenario(path)).toEqual({
      name: 'mine',
      turns: [[{ text: 'Hello.' }, { tool: 'Bash', input: { command: 'ls' }, delay: 5 }]],
    });
    writeFileSync(path, '{"name":"mine","turns":[]}');
    expect(await loadScenario(path)).toEqual({ name: 'mine', turns: [] });
  });

  test('that is not there is named', async () => {
    expect(await failureOf(() => loadScenario(join(root, 'nope.yaml')))).toEqual({
      kind: 'not-found',
      message: `The scenario ${join(root, 'nope.yaml')} cannot be read: it does not exist.`,
      hint: 'Check the path.',
    });
  });

  test('that is not YAML says where', async () => {
    expect((await parsing('name: [')).message).toMatch(/^my\.yaml is not YAML or JSON: .* at line 1, column \d+\.$/);
  });

  test.each([
    ['just text', 'The file: expected object, received string.'],
    ['turns: []', 'At name: this is missing.'],
    ['{ name: a, turns: [[{ txt: x }]] }', 'At turns.0.0: this is no block; it has neither text nor tool.'],
    ['{ name: a, turns: [[{ text: 7 }]] }', 'At turns.0.0.text: expected string, received number.'],
    ['{ name: a, turns: [[{ tool: Bash, input: {}, wait: 5 }]] }', 'At turns.0.0: wait is not known here.'],
    ['{ name: a, turns: [[{ tool: Bash, input: {}, delay: -1 }]] }', 'At turns.0.0.delay: Too small'],
    [
      '{ name: a, turns: [{ text: x }] }',
      'At turns.0: this is no message; it is neither a list of blocks nor {blocks: [block, …]}.',
    ],
    ['{ name: a, turns: [{ blocks: [], wait: 1 }] }', 'At turns.0: wait is not known here.'],
    [
      '{ name: a, turns: [], agents: { x: [[{ txt: x }]] } }',
      'At agents.x.0.0: this is no block; it has neither text nor tool.',
    ],
    ['{ name: a, turns: [], agents: { x: [3] } }', 'At agents.x.0: this is no message; it is neither'],
    ['{ name: a, turns: [], settings: { cap: 0 } }', 'At settings.cap: Too small'],
    ['{ name: a, turns: [], extra: 1 }', 'The file: extra is not known here.'],
  ])('%s is refused in words', async (text, words) => {
    const { kind, message, hint } = await parsing(text);
    expect(kind).toBe('bad-input');
    expect(message).toContain(`my.yaml is not a scenario. ${words}`);
    expect(hint).toContain('{name, turns: [[block, …], …]}');
  });

  test('with many mistakes shows the first ones and counts the others', async () => {
    const { message } = await parsing('{ name: a, turns: [[1, 2, 3, 4, 5]] }');
    expect(message).toMatch(/At turns\.0\.2: .* And 2 more\.$/);
  });
});

describe('files', () => {
  const lay = (files: Record<string, string>) => layFiles({ name: 'mine', turns: [], files }, root, cwd);

  test('are laid into the working folder and beside it', async () => {
    await lay({ 'README.md': '# Shop\n', 'src/a.js': 'a', '../neighbours/north.md': 'n' });
    expect(readFileSync(join(cwd, 'src/a.js'), 'utf8')).toBe('a');
    expect(readFileSync(join(root, 'neighbours/north.md'), 'utf8')).toBe('n');
  });

  test('the working folder is made even without any', async () => {
    await layFiles({ name: 'mine', turns: [] }, root, cwd);
    expect(existsSync(cwd)).toBe(true);
  });

  test.each(['../../evil', '/etc/evil', '../../../../../../tmp/evil'])('never %s', async (name) => {
    const failure = await failureOf(() => lay({ 'good.txt': 'x', [name]: 'x' }));
    expect(failure).toMatchObject({ kind: 'bad-input', message: expect.stringContaining(`wants to write ${name}`) });
    expect(existsSync(join(cwd, 'good.txt'))).toBe(false);
  });

  test('never through a link that leads out', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'gantry-outside-'));
    mkdirSync(cwd);
    symlinkSync(outside, join(cwd, 'out'));
    expect(await failureOf(() => lay({ 'out/evil': 'x' }))).toMatchObject({ kind: 'bad-input' });
    expect(existsSync(join(outside, 'evil'))).toBe(false);
    rmSync(outside, { recursive: true });
  });

  test('in a working folder below the root of the disk is no trouble', async () => {
    await layFiles({ name: 'mine', turns: [], files: { 'a.txt': 'x' } }, '/', cwd);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('x');
  });

  test('never replace what is there already, and then write nothing at all', async () => {
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'README.md'), 'my own');
    expect(await failureOf(() => lay({ 'a.txt': 'x', 'README.md': '# Shop\n' }))).toEqual({
      kind: 'not-writable',
      message: `${join(cwd, 'README.md')} exists already and is not what the scenario would put there. Nothing was written.`,
      hint: 'Choose an empty folder for it.',
    });
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('my own');
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
    await lay({ 'README.md': 'my own', 'a.txt': 'x' });
    expect(existsSync(join(cwd, 'a.txt'))).toBe(true);
  });

  test('that cannot be written are named with the reason', async () => {
    writeFileSync(cwd, 'a file');
    expect(await failureOf(() => lay({ 'a/b.txt': 'x' }))).toMatchObject({
      kind: 'not-writable',
      message: expect.stringMatching(/cannot be written: a file is where a folder has to be\.$/),
    });
  });
});

describe('the gallery', () => {
  test('has scenarios in the order of their files, each with a name of its own', () => {
    expect(gallery.map(({ name }) => name)).toEqual([
      'parallel-reads',
      'tests-pass',
      'tests-fail',
      'cascade',
      'exclusive-write',
      'big-output',
      'permission-storm',
      'interrupt',
      'hooks',
      'agents',
      'stream-break',
      'breakpoint',
    ]);
    expect(scenarioByName('cascade')?.title).toBe('Cascade');
    expect(scenarioByName('nope')).toBeUndefined();
  });

  test('shows each with a title, a sentence, a picture of its own and its calls', () => {
    const tiles = gallery.map(summariseScenario);
    expect(new Set(tiles.map(({ picture }) => picture)).size).toBe(gallery.length);
    for (const { title, description, calls } of tiles) {
      expect(title).toMatch(/^[A-Z]/);
      expect(description).toMatch(/\.$/);
      expect(calls).toBeGreaterThan(0);
    }
    expect(summariseScenario({ name: 'mine', turns: [[{ text: 'x' }]] })).toEqual({
      name: 'mine',
      title: 'mine',
      description: '',
      calls: 0,
      picture: 'parallel',
    });
  });

  const registry = createRegistry({
    processes: new FakeProcessRunner(),
    clock: systemClock,
    markerFor: (callId) => callId,
    ripgrep: 'rg',
  });

  describe.each(gallery.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
    test('calls tools that there are, with inputs they take, and no id twice', () => {
      const calls = callsIn(scenario);
      for (const { tool, input } of calls) {
        const parsed = registry.find(tool)?.inputSchema.safeParse(input);
        expect(parsed?.error?.message ?? parsed?.success).toBe(true);
      }
      const ids = calls.flatMap(({ id }) => (id === undefined ? [] : [id]));
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('has a prompt and ends with words', () => {
      expect(scenario.prompt).toBeTruthy();
      for (const turns of [scenario.turns, ...Object.values(scenario.agents ?? {})]) {
        expect(blocksOf(turns.at(-1) ?? []).map((block) => Object.keys(block)[0])).toEqual(['text']);
      }
    });

    test('reads and edits files that are there, and what it replaces stands there once', async () => {
      await layFiles(scenario, dirname(cwd), cwd);
      const written = new Set<string>();
      for (const { tool, input } of callsIn(scenario)) {
        const { file_path, old_string } = input as { file_path?: string; old_string?: string };
        if (file_path === undefined) continue;
        const path = join(cwd, file_path);
        if (tool === 'Write') written.add(path);
        else expect(written.has(path) || existsSync(path), `${tool} ${file_path}`).toBe(true);
        if (old_string !== undefined) expect(readFileSync(path, 'utf8').split(old_string)).toHaveLength(2);
      }
    });

    test('reads what it edits before', () => {
      const read = new Set<unknown>();
      for (const { tool, input } of callsIn(scenario)) {
        const { file_path } = input as { file_path?: string };
        if (tool === 'Read') read.add(file_path);
        if (tool === 'Edit') expect(read).toContain(file_path);
      }
    });
  });
});
