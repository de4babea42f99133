import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookInput } from '../../core/hooks/hook-input.ts';
import { decides, HookBench, says } from './testing/hook-bench.ts';

let bench: HookBench;
beforeEach(() => {
  bench = new HookBench();
});
afterEach(() => bench.close());

/** Which of these tools a matcher takes in, found out by really running its hook. */
async function fires(matcher: string | undefined, ...tools: readonly string[]): Promise<readonly string[]> {
  bench.setMatching('PreToolUse', matcher, says(''));
  const fired: string[] = [];
  for (const toolName of tools) {
    if ((await bench.run(bench.pre({ toolName }))).runs.length > 0) fired.push(toolName);
  }
  return fired;
}

describe('matchers', () => {
  test.each(['*', '', undefined])('H50 %j takes in every tool', async (matcher) => {
    expect(await fires(matcher, 'Bash', 'mcp__memory__add')).toEqual(['Bash', 'mcp__memory__add']);
  });

  test.each(['Edit|Write', 'Edit, Write', ' Edit ,Write|Bash'])('H51 %j is a list of whole names', async (matcher) => {
    const expected = matcher.includes('Bash') ? ['Edit', 'Write', 'Bash'] : ['Edit', 'Write'];
    expect(await fires(matcher, 'Edit', 'Write', 'Bash', 'NotebookEdit', 'EditX')).toEqual(expected);
  });

  test('H52 any other character makes it an expression that may be found anywhere', async () => {
    const tools = ['Edit', 'NotebookEdit', 'Bash'];
    expect(await fires('Edit.*', ...tools)).toEqual(['Edit', 'NotebookEdit']);
    expect(await fires('^Edit$', ...tools)).toEqual(['Edit']);
  });

  test('H53 an invalid expression takes in nothing and is reported; the call goes on', async () => {
    const { findings } = bench.setMatching('PreToolUse', 'Bash(', says('', 'no', 2));
    expect(findings).toEqual([
      {
        file: join(bench.home, '.claude/settings.json'),
        path: 'hooks.PreToolUse[0].matcher',
        what: 'Bash( is no valid regular expression. It matches nothing, so these hooks never run.',
      },
    ]);
    expect(await bench.run(bench.pre())).toMatchObject({ runs: [], verdict: { verdict: 'none' } });
  });

  test('H54 the name of a server alone takes in no tool of it, and is reported', async () => {
    const tools = ['mcp__memory__add', 'mcp__memory-2__add'];
    expect(await fires('mcp__memory', ...tools)).toEqual([]);
    expect(await fires('mcp__memory-2', ...tools)).toEqual([]);
    expect(await fires('mcp__memory__.*', ...tools)).toEqual(['mcp__memory__add']);
    const { findings } = bench.setMatching('PreToolUse', 'mcp__memory', says(''));
    expect(findings).toMatchObject([{ what: expect.stringContaining('Write mcp__memory__.*') }]);
  });

  test('H55 case counts', async () => {
    expect(await fires('bash', 'Bash')).toEqual([]);
  });

  test('H56 tools of a plugin’s server have the plugin in their name', async () => {
    const tool = 'mcp__plugin_my-plugin_db__query';
    expect(await fires('mcp__db__.*', tool)).toEqual([]);
    expect(await fires('mcp__plugin_my-plugin_db__.*', tool)).toEqual([tool]);
  });

  test('H57 on an event that knows no matcher one is ignored', async () => {
    for (const input of [bench.prompt(), bench.stop()]) {
      bench.setMatching(input.event, 'Nothing(', says(''));
      expect((await bench.run(input)).runs).toHaveLength(1);
    }
  });

  test.each<[string, (bench: HookBench) => HookInput]>([
    ['resume', (bench) => bench.start('resume')],
    ['other', (bench) => bench.end()],
    ['permission_prompt', (bench) => bench.notification()],
    ['manual', (bench) => bench.compact()],
    ['code-reviewer', (bench) => bench.subagentStop('code-reviewer')],
  ])('H51 outside of tools the matcher filters what the event is about: %s', async (subject, inputOf) => {
    const input = inputOf(bench);
    bench.setMatching(input.event, subject, says(''));
    expect((await bench.run(input)).runs).toHaveLength(1);
    bench.setMatching(input.event, 'something-else', says(''));
    expect((await bench.run(input)).runs).toHaveLength(0);
  });
});

describe('conditions', () => {
  const runs = async (condition: string, input: HookInput): Promise<boolean> => {
    bench.set(input.event, { command: says(''), if: condition });
    return (await bench.run(input)).runs.length > 0;
  };

  test.each([
    ['Bash(rm *)', 'echo $(rm -rf /)', true],
    ['Bash(rm *)', 'echo `rm -rf /`', true],
    ['Bash(git *)', 'FOO=bar git push', true],
    ['Bash(git *)', 'npm t && git push', true],
    ['Bash(git *)', 'git', true],
    ['Bash(rm *)', 'echo $(date)', false],
    ['Bash(rm *)', 'rmdir x', false],
    ['Bash(git push *)', 'echo $(date)', true],
    ['Bash(git push *)', 'echo date', false],
    ['Bash(git:*)', "FOO='a b' git push", true],
    ['Bash(rm *)', 'echo "unbalanced', true],
    ['Bash', 'ls', true],
    ['Edit(*.ts)', 'ls', false],
  ])('H58 %s on `%s`: %s', async (condition, command, expected) => {
    expect(await runs(condition, bench.bash(command))).toBe(expected);
  });

  test.each([
    ['Edit(*.ts)', 'Write', 'src/a.ts', true],
    ['Edit(*.ts)', 'Write', 'src/a.js', false],
    ['Edit(src/**)', 'Edit', 'src/deep/a.ts', true],
    ['Edit(src/**)', 'Edit', 'lib/src/a.ts', false],
    ['Edit(**/src/**)', 'Edit', 'lib/src/a.ts', true],
    ['Read(~/.ssh/**)', 'Read', '~/.ssh/id', true],
    ['Read(//etc/**)', 'Read', '/etc/passwd', true],
    ['Read(//etc/**)', 'Read', 'etc/passwd', false],
    ['Read(.env)', 'Read', 'deep/.env', true],
    ['Read(.env)', 'Edit', '.env', false],
  ])('H58 %s on %s of %s: %s', async (condition, toolName, path, expected) => {
    expect(await runs(condition, bench.pre({ toolName, toolInput: { file_path: path } }))).toBe(expected);
  });

  test('H59 on an event without a tool a hook with a condition never runs', async () => {
    expect(await runs('Bash(*)', bench.prompt())).toBe(false);
  });
});

describe('settings', () => {
  test('H60 the same program in two settings files runs once', async () => {
    const hooks = [{ type: 'command', command: says('') }];
    bench.settings({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } }, 'user');
    bench.settings({ hooks: { PreToolUse: [{ hooks }, { matcher: 'B.*', hooks }] } }, 'project');
    const merged = await bench.run(bench.pre());
    expect(merged.runs).toHaveLength(1);
    expect(merged.runs[0]?.hook.scope).toBe('project');
    expect((await bench.run(bench.pre({ toolName: 'Read' }))).runs).toHaveLength(1);
  });

  test('H61 a broken entry and an unknown event are skipped and reported; everything else of the file counts', async () => {
    const { findings } = bench.settings({
      hooks: {
        PreToolUse: [
          { matcher: 5, hooks: [{ type: 'command', command: says(decides('allow')) }] },
          {
            hooks: [
              { type: 'command' },
              { type: 'command', command: says(''), timeout: 'soon' },
              { type: 'prompt', prompt: 'Is it good?' },
              { type: 'command', command: says('', 'guarded', 2) },
            ],
          },
        ],
        PreTooluse: [],
        SubagentStart: [],
      },
    });
    expect(findings.map(({ path }) => path)).toEqual([
      'hooks.PreToolUse[0]',
      'hooks.PreToolUse[1].hooks[0]',
      'hooks.PreToolUse[1].hooks[1]',
      'hooks.PreToolUse[1].hooks[2]',
      'hooks.PreTooluse',
      'hooks.SubagentStart',
    ]);
    const merged = await bench.run(bench.pre());
    expect(merged.denial).toContain('guarded');
    expect(merged.runs).toHaveLength(1);
  });
});
