import { describe, expect, test } from 'vitest';
import { readClaudeSettings } from './claude-settings.ts';
import { readGantrySettings } from './gantry-settings.ts';
import { mergeSettings } from './merge-settings.ts';
import type { SettingsScope } from './settings.ts';

type Files = Partial<Record<SettingsScope, unknown>> & {
  readonly gantryUser?: unknown;
  readonly gantryProject?: unknown;
};

/** Each value is the content of the file of that scope. */
function merge({ gantryUser, gantryProject, ...claude }: Files, trusted = true) {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 1));
  const own = { user: gantryUser, project: gantryProject };
  return mergeSettings({
    folder: '/work/shop',
    home: '/home/u',
    trusted,
    // Strongest first: the order of the files has to come from their scopes.
    claude: (['managed', 'local', 'project', 'user'] as const)
      .filter((scope) => claude[scope] !== undefined)
      .map((scope) => readClaudeSettings({ scope, file: `/${scope}.json`, text: text(claude[scope]) })),
    gantry: (['project', 'user'] as const)
      .filter((scope) => own[scope] !== undefined)
      .map((scope) => readGantrySettings({ scope, file: `/own-${scope}.json`, text: text(own[scope]) })),
    findings: [],
  });
}
const inert = (loaded: ReturnType<typeof merge>) => loaded.inert.map(({ kind, text }) => `${kind} ${text}`);
const rules = (list: readonly { readonly text: string; readonly scope: string }[]) =>
  list.map(({ text, scope }) => `${text} ${scope}`);

describe('several files', () => {
  test('lists add up; of single values the strongest file’s counts', () => {
    const loaded = merge({
      user: {
        permissions: { allow: ['Read'], deny: ['Bash(rm:*)'], defaultMode: 'plan' },
        env: { A: 'user', B: 'user' },
      },
      project: {
        permissions: { allow: ['Bash(make)'], defaultMode: 'acceptEdits', additionalDirectories: ['../docs'] },
      },
      local: { permissions: { ask: ['Edit'], additionalDirectories: ['~/notes', '/abs', '.'] }, env: { A: 'local' } },
      managed: { permissions: { deny: ['WebFetch'] } },
    });
    expect(rules(loaded.rules.allow)).toEqual(['Read user', 'Bash(make) project']);
    expect(rules(loaded.rules.deny)).toEqual(['Bash(rm:*) user', 'WebFetch managed']);
    expect(rules(loaded.rules.ask)).toEqual(['Edit local']);
    expect(loaded.mode).toEqual({ mode: 'acceptEdits', scope: 'project', file: '/project.json', line: 6 });
    expect(loaded.directories).toEqual(['/work/docs', '/home/u/notes', '/abs']);
    expect(loaded.env).toEqual({ A: 'local', B: 'user' });
    expect(loaded.inert).toEqual([]);
  });

  test('Gantry’s own: the folder’s values before the user’s, limits tool by tool', () => {
    const loaded = merge({
      gantryUser: { cap: 3, strategy: 'serial', results: { maxChars: { Bash: 1, Read: 2 } } },
      gantryProject: { cap: 5, results: { maxChars: { Bash: 9 } } },
    });
    expect(loaded.defaults).toEqual({ cap: 5, strategy: 'serial', maxResultChars: { Bash: 9, Read: 2 } });
  });
});

describe('a folder that is not trusted', () => {
  const hook = (command: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] });
  const files: Files = {
    user: { permissions: { allow: ['Read'] }, env: { A: 'user' }, hooks: hook('guard') },
    project: {
      permissions: {
        allow: ['Bash(make)'],
        ask: ['Edit'],
        deny: ['Bash(rm:*)'],
        additionalDirectories: ['/'],
        defaultMode: 'acceptEdits',
      },
      env: { PATH: '/evil' },
      hooks: hook('evil'),
    },
    local: { permissions: { allow: ['Bash'] } },
    gantryUser: { concurrency: { treatAsSafe: ['Bash(a)'] } },
    gantryProject: { cap: 2, concurrency: { treatAsSafe: ['Bash(b)'] } },
  };

  test('grants nothing; its deny and ask rules count', () => {
    const loaded = merge(files, false);
    expect(rules(loaded.rules.allow)).toEqual(['Read user']);
    expect(rules(loaded.rules.deny)).toEqual(['Bash(rm:*) project']);
    expect(rules(loaded.rules.ask)).toEqual(['Edit project']);
    expect(loaded).toMatchObject({ mode: undefined, directories: [], env: { A: 'user' }, treatAsSafe: ['Bash(a)'] });
    expect(loaded.hooks.hooks.map(({ command }) => command)).toEqual(['guard']);
    expect(loaded.defaults).toEqual({ cap: 2 });
    expect(inert(loaded)).toEqual([
      'allow rule Bash(make)',
      'folder /',
      'mode acceptEdits',
      'variable PATH',
      'allow rule Bash',
      'hook PreToolUse: evil',
      'scheduling rule Bash(b)',
    ]);
    expect(loaded.inert.find(({ kind }) => kind === 'hook')).toMatchObject({ file: '/project.json', line: 24 });
  });

  test('once it is trusted all of it has its effect', () => {
    const loaded = merge(files, true);
    expect(inert(loaded)).toEqual([]);
    expect(loaded.hooks.hooks.map(({ command }) => command)).toEqual(['guard', 'evil']);
    expect(loaded.treatAsSafe).toEqual(['Bash(a)', 'Bash(b)']);
    expect(loaded.env).toEqual({ A: 'user', PATH: '/evil' });
  });
});

describe('what an administrator says', () => {
  test('only managed allow rules count where it is so set; others’ deny rules still do', () => {
    const loaded = merge({
      user: { permissions: { allow: ['Bash'], deny: ['WebFetch'] }, allowManagedPermissionRulesOnly: true },
      managed: { allowManagedPermissionRulesOnly: true, permissions: { allow: ['Read'] } },
    });
    expect(rules(loaded.rules.allow)).toEqual(['Read managed']);
    expect(rules(loaded.rules.deny)).toEqual(['WebFetch user']);
    expect(loaded.inert).toMatchObject([{ text: 'Bash', why: 'managed-rules-only' }]);
  });

  test('a user cannot set it for themselves', () => {
    const loaded = merge({ user: { permissions: { allow: ['Bash'] }, allowManagedPermissionRulesOnly: true } });
    expect(rules(loaded.rules.allow)).toEqual(['Bash user']);
  });

  test('any file may forbid mode bypassPermissions, a broken one too', () => {
    const forbids = '{ "permissions": { "disableBypassPermissionsMode": "disable"';
    expect(merge({ managed: `${forbids} } }` }).forbidsBypass).toBe(true);
    expect(merge({ project: forbids }, false).forbidsBypass).toBe(true);
    expect(merge({ user: {} }).forbidsBypass).toBe(false);
  });
});

test('mode bypassPermissions comes from a person’s own settings, never from a folder’s, trusted or not', () => {
  const bypass = { permissions: { defaultMode: 'bypassPermissions' } };
  expect(merge({ user: bypass }).mode).toMatchObject({ mode: 'bypassPermissions' });
  const loaded = merge({ user: { permissions: { defaultMode: 'plan' } }, project: bypass });
  expect(loaded.mode).toMatchObject({ mode: 'plan' });
  expect(loaded.inert).toMatchObject([{ kind: 'mode', why: 'bypass-from-folder', file: '/project.json' }]);
});

test('findings of hooks have the line they stand in', () => {
  const { findings } = merge({
    user: '{ "hooks": {\n "PreToolUse": [\n { "hooks": [\n { "type": "command" } ] } ] } }',
  });
  expect(findings).toMatchObject([{ file: '/user.json', line: 4, kind: 'hook-entry' }]);
  expect(findings[0]?.message).toContain('hooks.PreToolUse[0].hooks[0]: ');
});
