import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { PermissionMode } from '../../../../src-shared/permission/event.ts';
import { type Damage, damaged, someDamages } from '../../../app/testing/damaged/damages.ts';
import { decidePermission, NO_HOOK } from '../../../core/permission/chain.ts';
import { worldWithoutLinks } from '../../../core/permission/ground.ts';
import type { LoadedSettings } from '../../../core/settings/settings.ts';
import { Home } from '../home.fixture.ts';

const hook = (command: string) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] });

/** What stands in each file before it is damaged. */
const WHOLE: Readonly<Record<string, unknown>> = {
  user: {
    permissions: {
      allow: ['Bash(npm test:*)', 'Read(src/**)', 'WebFetch(domain:example.com)'],
      ask: ['Bash(git push:*)'],
      deny: ['Read(.env)', 'Bash(rm:*)'],
      additionalDirectories: ['../docs'],
      defaultMode: 'acceptEdits',
    },
    env: { CI: '1' },
    hooks: hook('./guard.sh'),
  },
  project: { permissions: { allow: ['Bash(make:*)'], deny: ['Write(dist/**)'] }, env: { STAGE: 'dev' } },
  local: { permissions: { allow: ['Edit(notes.md)'], ask: ['Bash(make deploy)'] } },
  managed: { permissions: { deny: ['Bash(curl:*)'], disableBypassPermissionsMode: 'disable' } },
  own: { concurrency: { cap: 4 }, model: { provider: 'anthropic', model: 'claude-x' } },
  ownProject: { concurrency: { cap: 2 } },
};
const FILES = [...Object.keys(WHOLE), 'trustList'] as const;

const PROBES: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ...['npm test', 'git push origin', 'rm x', 'curl example.com', 'make', 'make deploy', 'ls', 'sh -c "rm x"'].map(
    (command) => ['Bash', { command }] as const,
  ),
  ['Read', { file_path: '.env' }],
  ['Read', { file_path: 'src/a.ts' }],
  ['Read', { file_path: '/etc/passwd' }],
  ['Write', { file_path: 'dist/a.js', content: 'x' }],
  ['Write', { file_path: 'a.txt', content: 'x' }],
  ['Edit', { file_path: 'notes.md', old_string: 'a', new_string: 'b' }],
  ['WebFetch', { url: 'https://example.com/', prompt: 'x' }],
];
const WIDTH = { deny: 0, ask: 1, allow: 2 } as const;

/** How far each probe may go under these settings, in the mode they set and in the others that they do not forbid. */
function widthsOf(loaded: LoadedSettings, cwd: string): readonly number[] {
  const modes: readonly PermissionMode[] = [
    loaded.mode?.mode ?? 'default',
    'acceptEdits',
    'dontAsk',
    'bypassPermissions',
  ];
  const world = worldWithoutLinks(cwd);
  return modes.flatMap((mode) =>
    PROBES.map(([tool, input]) => {
      if (mode === 'bypassPermissions' && loaded.forbidsBypass) return WIDTH.deny;
      const use = { tool, input };
      const { verdict } = decidePermission({ use, original: use, hook: NO_HOOK, rules: loaded.rules, mode, world });
      return WIDTH[verdict];
    }),
  );
}

/** What lets something be done that would be asked about otherwise. */
const grantsOf = ({ rules, directories, mode, env, hooks }: LoadedSettings): readonly string[] => [
  ...rules.allow.map(({ text }) => text),
  ...directories,
  ...(mode === undefined ? [] : [mode.mode]),
  ...Object.entries(env).flat(),
  ...hooks.hooks.map(({ command }) => command),
];
const denialsOf = ({ rules }: LoadedSettings) => [...rules.deny, ...rules.ask].map(({ text }) => text);
const BROKEN = new Set(['settings-broken', 'settings-unreadable']);

function layWhole(): { readonly home: Home; readonly pathOf: (name: string) => string } {
  const home = new Home();
  const { user, project, local, managed, own, ownProject, trustList } = home;
  const paths: Readonly<Record<string, string>> = { user, project, local, managed, own, ownProject, trustList };
  const pathOf = (name: string): string => paths[name] ?? '';
  for (const [name, content] of Object.entries(WHOLE)) home.write(pathOf(name), content);
  home.trust();
  return { home, pathOf };
}

/** What came of all of them: how often every file that was damaged was seen to be broken, and how often not. */
export type ReadSettings = { broken: number; readable: number };

/** Damages settings on disk by chance. Fails with the damage that it fails for. */
export function readDamagedSettings(seed: number, runs: number): ReadSettings {
  const sum: ReadSettings = { broken: 0, readable: 0 };
  const { home, pathOf } = layWhole();
  try {
    const texts = new Map(FILES.map((name) => [name, readFileSync(pathOf(name))]));
    const whole = home.settings().current();
    expect(grantsOf(whole).length).toBeGreaterThan(8);
    const damageOfFiles = fc.uniqueArray(fc.tuple(fc.constantFrom(...FILES), someDamages), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(damageOfFiles, (all) => {
        for (const [name, text] of texts) writeFileSync(pathOf(name), text);
        const watching = home.settings();
        expect(grantsOf(watching.current())).toEqual(grantsOf(whole));
        const damagedTexts = all.map(([name, damages]) => damageFile(pathOf(name), texts.get(name), damages));
        for (const now of [watching.current(), home.settings().current()]) {
          expectNothingInvented(now, whole, damagedTexts, home.shop);
        }
        const after = watching.current();
        const broken = new Set(after.findings.filter(({ kind }) => BROKEN.has(kind)).map(({ file }) => file));
        if (!all.every(([name]) => broken.has(pathOf(name)))) {
          sum.readable++;
          return;
        }
        sum.broken++;
        expectNoWider(after, whole, home.shop);
      }),
      { seed, numRuns: runs },
    );
  } finally {
    home.remove();
  }
  return sum;
}

function damageFile(path: string, whole: Buffer | undefined, damages: readonly Damage[]): string {
  const bytes = damaged(whole ?? Buffer.alloc(0), damages);
  writeFileSync(path, bytes);
  return bytes.toString('utf8');
}

/** What is granted stood in the whole files, or stands in a damaged one letter by letter; a folder as the way to it. */
function expectNothingInvented(
  now: LoadedSettings,
  whole: LoadedSettings,
  damagedTexts: readonly string[],
  cwd: string,
): void {
  const before = new Set(grantsOf(whole));
  const ways = damagedTexts.flatMap((text) =>
    [...text.matchAll(/"([^"]*)"/g)].map(([, way = '']) => resolve(cwd, way)),
  );
  const stands = (grant: string): boolean =>
    ways.includes(grant) ||
    damagedTexts.some((text) => text.includes(grant) || text.includes(JSON.stringify(grant).slice(1, -1)));
  expect(grantsOf(now).filter((grant) => !before.has(grant) && !stands(grant))).toEqual([]);
  for (const { file, line } of now.findings) {
    expect(file).not.toBe('');
    expect(line).toBeGreaterThanOrEqual(0);
  }
}

function expectNoWider(after: LoadedSettings, whole: LoadedSettings, cwd: string): void {
  const before = new Set(grantsOf(whole));
  expect(grantsOf(after).filter((grant) => !before.has(grant))).toEqual([]);
  expect(denialsOf(after)).toEqual(expect.arrayContaining([...denialsOf(whole)]));
  const widths = widthsOf(whole, cwd);
  for (const [at, width] of widthsOf(after, cwd).entries()) expect(width).toBeLessThanOrEqual(widths[at] ?? 0);
}
