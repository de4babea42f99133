import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { until } from '../adapters/process/until.fixture.ts';
import { hooksFor, hooksLaidBy, withTrustedHooks } from './session-hooks.ts';
import { settingsReader } from './settings.ts';

let root: string;
let cwd: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-composed-')));
  cwd = join(root, 'shop');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stopHook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
const write = (name: string, content: unknown): void => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
};
const env = () => ({
  ...process.env,
  GANTRY_HOME: join(root, 'gantry'),
  CLAUDE_CONFIG_DIR: join(root, 'claude'),
});
const settings = () => settingsReader(env()).settingsFor(cwd);
const scenario = (files: Scenario['files']): Scenario => ({ name: 'mine', turns: [], ...(files && { files }) });
const ofScenario = (files: Scenario['files']) => withTrustedHooks(settings(), hooksLaidBy(scenario(files), cwd));
const commands = (source: ReturnType<typeof settings>) =>
  source.current().hooks.hooks.map(({ scope, command }) => `${scope} ${command}`);
const inert = (source: ReturnType<typeof settings>) =>
  source.current().inert.map(({ kind, text }) => `${kind} ${text}`);

describe('in the folder of a scenario', () => {
  const laid = JSON.stringify(stopHook('ours'));

  test('hooks run that the scenario has laid, and nothing of them is called inert', () => {
    write('shop/.claude/settings.json', laid);
    write('claude/settings.json', stopHook('mine'));
    const source = ofScenario({ './.claude/settings.json': laid });
    expect(commands(source)).toEqual(['user mine', 'project ours']);
    expect(inert(source)).toEqual([]);
    expect(source.current()).toBe(source.current());
  });

  test('others that have come since do not, be they in the same file or beside it', () => {
    write('shop/.claude/settings.json', stopHook('theirs'));
    write('shop/.claude/settings.local.json', stopHook('ours'));
    const source = ofScenario({ '.claude/settings.json': laid });
    expect(commands(source)).toEqual([]);
    expect(inert(source)).toEqual(['hook Stop: theirs', 'hook Stop: ours']);
  });

  test('only hooks are trusted: what its settings allow has no effect', () => {
    const text = JSON.stringify({ ...stopHook('ours'), permissions: { allow: ['Bash(rm:*)'] } });
    write('shop/.claude/settings.json', text);
    const source = ofScenario({ '.claude/settings.json': text });
    expect(commands(source)).toEqual(['project ours']);
    expect(source.current().rules.allow).toEqual([]);
    expect(inert(source)).toEqual(['allow rule Bash(rm:*)']);
  });

  test('a person who has switched hooks off has none', () => {
    write('shop/.claude/settings.json', laid);
    write('claude/settings.json', { disableAllHooks: true });
    expect(commands(ofScenario({ '.claude/settings.json': laid }))).toEqual([]);
  });

  test('a scenario without settings, or with broken ones, has laid none', () => {
    write('shop/.claude/settings.json', laid);
    expect(commands(ofScenario(undefined))).toEqual([]);
    expect(commands(ofScenario({ 'README.md': '# Shop', '.claude/settings.json': '{' }))).toEqual([]);
  });
});

test('elsewhere the hooks of a folder are inert, and named, until somebody trusts it', () => {
  write('shop/.claude/settings.json', stopHook('theirs'));
  expect(commands(settings())).toEqual([]);
  expect(inert(settings())).toEqual(['hook Stop: theirs']);
  expect(commands(withTrustedHooks(settings(), () => true))).toEqual(['project theirs']);
});

test('a session’s hooks are those of its settings at that moment, and get their environment', async () => {
  write('shop/README.md', '# Shop');
  write('claude/settings.json', { ...stopHook('echo "$COLOUR" > seen'), env: { COLOUR: 'teal' } });
  const source = settings();
  const place = {
    sessionId: 'session-1' as SessionId,
    cwd,
    transcriptPath: join(root, 'journal.jsonl'),
    outputFolder: join(root, 'hook-output'),
  };
  const { runner, stopCap } = hooksFor(place, source, { ...env(), CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3' });
  expect(stopCap).toBe(3);
  expect(runner.handles('Stop')).toBe(true);
  const session = { ...place, permissionMode: 'default' } as const;
  const facts = { event: 'Stop', session, stopHookActive: false, lastAssistantMessage: '' } as const;
  const merged = await runner.run(facts, new AbortController().signal, {
    started: () => undefined,
    ended: () => undefined,
  });
  expect(merged.runs).toMatchObject([{ outcome: 'ok', exitCode: 0 }]);
  expect(readFileSync(join(cwd, 'seen'), 'utf8')).toBe('teal\n');
  write('claude/settings.json', {});
  await until('the change of the settings', () => !runner.handles('Stop'));
  await runner.close();
});
