import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectHooks, trustingHooks } from './settings.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const file = '/home/me/.claude/settings.json';
const collect = (settings: unknown, trusted = true) =>
  collectHooks({ files: [{ scope: 'user', file, settings }], trusted });
const one = (entry: unknown) => collect({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [entry] }] } });

test('a hook is read with all it can say', () => {
  const { hooks, findings } = one({
    type: 'command',
    command: 'check.sh',
    args: ['--all'],
    if: 'Bash(git *)',
    timeout: 1.5,
    shell: 'powershell',
    async: true,
    statusMessage: 'Checking',
    once: true,
  });
  expect(findings).toEqual([]);
  expect(hooks).toEqual([
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      command: 'check.sh',
      args: ['--all'],
      condition: 'Bash(git *)',
      timeoutMs: 1500,
      shell: 'powershell',
      mode: 'background',
      statusMessage: 'Checking',
      scope: 'user',
      file,
      path: 'hooks.PreToolUse[0].hooks[0]',
    },
  ]);
});

describe('a broken entry is skipped and reported with its place', () => {
  test.each<[unknown, string]>([
    ['check.sh', 'expected object'],
    [{ command: 'check.sh' }, 'type: expected "command"'],
    [{ type: 'command' }, 'command: expected string'],
    [{ type: 'command', command: ' ' }, 'command: it is empty'],
    [{ type: 'command', command: 'x', args: 'y' }, 'args: expected array'],
    [{ type: 'command', command: 'x', timeout: -1 }, 'timeout: '],
    [{ type: 'command', command: 'x', timeout: '60' }, 'timeout: expected number'],
    [{ type: 'command', command: 'x', shell: 'zsh' }, 'shell: '],
    [{ type: 'command', command: 'x', if: 'Bash(' }, 'Bash( is no permission rule'],
    [{ type: 'http', url: 'http://localhost' }, 'Hooks of type http are not run by Gantry'],
    [{ type: 'mcp_tool' }, 'type mcp_tool'],
    [{ type: 'prompt', prompt: 'Good?' }, 'type prompt'],
    [{ type: 'agent', prompt: 'Good?' }, 'type agent'],
  ])('%j', (entry, what) => {
    const { hooks, findings } = one(entry);
    expect(hooks).toEqual([]);
    expect(findings).toEqual([{ file, path: 'hooks.PreToolUse[0].hooks[0]', what: expect.stringContaining(what) }]);
  });

  test.each<[unknown, string, string]>([
    [{ hooks: [] }, 'hooks', 'has to be an object'],
    [{ hooks: { PreToolUse: {} } }, 'hooks.PreToolUse', 'has to be a list'],
    [{ hooks: { PreToolUse: ['x'] } }, 'hooks.PreToolUse[0]', 'expected object'],
    [{ hooks: { PreToolUse: [{ matcher: null, hooks: [] }] } }, 'hooks.PreToolUse[0]', 'matcher: expected string'],
    [{ hooks: { PreToolUse: [{ matcher: ' | ', hooks: [] }] } }, 'hooks.PreToolUse[0].matcher', 'no name'],
    [{ hooks: { toString: [] } }, 'hooks.toString', 'There is no hook event toString'],
    [{ hooks: { Setup: [] } }, 'hooks.Setup', 'Gantry has no event Setup'],
    [{ disableAllHooks: 'yes' }, 'disableAllHooks', 'has to be true or false'],
  ])('%j', (settings, path, what) => {
    expect(collect(settings).findings).toEqual([{ file, path, what: expect.stringContaining(what) }]);
  });
});

test('files without hooks, and files that are no settings at all, are quiet', () => {
  for (const settings of [{}, [], null, 'x', undefined]) {
    expect(collect(settings)).toEqual({ hooks: [], findings: [], leftOut: [], forbidden: undefined });
  }
});

test('any settings at all are read without a throw, and a hook is only ever what a well-formed entry says', () => {
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type: fc.constantFrom('command', 'http', 5),
        command: fc.oneof(fc.string(), fc.integer()),
        timeout: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  const group = fc.oneof(
    fc.jsonValue(),
    fc.record({ matcher: fc.oneof(fc.string(), fc.jsonValue()), hooks: fc.array(entry) }),
  );
  const settings = fc.record(
    {
      hooks: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'constructor'), fc.array(group)),
      ),
      disableAllHooks: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(settings, (value) => {
      const { hooks, leftOut } = collect(value);
      const text = JSON.stringify(value);
      for (const { command, timeoutMs } of [...hooks, ...leftOut.map(({ hook }) => hook)]) {
        expect(text).toContain(JSON.stringify(command));
        expect(timeoutMs === undefined || timeoutMs > 0).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('only managed hooks run where managed settings say so; a folder’s own files cannot say it', () => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] };
  const files = [
    { scope: 'managed', file: '/etc/managed.json', settings: { allowManagedHooksOnly: true, hooks } },
    { scope: 'user', file, settings: { hooks } },
  ] as const;
  const collected = collectHooks({ files, trusted: true });
  expect(collected.hooks.map(({ scope }) => scope)).toEqual(['managed']);
  expect(collected.leftOut).toMatchObject([{ hook: { scope: 'user' }, why: 'managed-hooks-only' }]);
  expect(collect({ allowManagedHooksOnly: true, hooks }).hooks).toHaveLength(1);
});

describe('of a folder that is not trusted', () => {
  const entry = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] });
  const files = (user: object = {}) =>
    [
      { scope: 'project', file: '/shop/.claude/settings.json', settings: { hooks: entry('ours') } },
      { scope: 'local', file: '/shop/.claude/settings.local.json', settings: { hooks: entry('theirs') } },
      { scope: 'managed', file: '/etc/managed.json', settings: { hooks: entry('managed') } },
      { scope: 'user', file, settings: { hooks: entry('mine'), ...user } },
    ] as const;
  const commands = (hooks: readonly { readonly command: string }[]) => hooks.map(({ command }) => command);

  test('single hooks may be trusted, and run in their place in the order', () => {
    const collected = trustingHooks(
      collectHooks({ files: files(), trusted: false }),
      ({ command }) => command === 'ours',
    );
    expect(commands(collected.hooks)).toEqual(['mine', 'ours', 'managed']);
    expect(commands(collected.leftOut.map(({ hook }) => hook))).toEqual(['theirs']);
  });

  test('none runs where hooks are switched off, whoever trusts it', () => {
    const off = collectHooks({ files: files({ disableAllHooks: true }), trusted: false });
    expect(off.forbidden).toBe('hooks-disabled');
    expect(commands(trustingHooks(off, () => true).hooks)).toEqual(['managed']);
  });
});
