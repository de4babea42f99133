import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainBashCommand } from './explain-bash.ts';
import { explainPermissionCommand } from './explain-permission.ts';
import { UsageError } from './io.ts';
import { linesOf } from './json-lines.ts';

type Command = typeof explainBashCommand;

/** Runs a command with a text on standard input, in pieces as a pipe delivers it. */
async function run(command: Command, args: readonly string[], stdin = '') {
  const out = { stdout: '', stderr: '' };
  const add = (to: keyof typeof out) => (text: string) => {
    out[to] += text;
  };
  const code = await command(args, { stdout: add('stdout'), stderr: add('stderr') }, inPieces(stdin));
  const lines = out.stdout.split('\n').filter((line) => line !== '');
  return { code, ...out, lines };
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const jsonl = (...rows: readonly unknown[]): string => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

describe('lines', () => {
  const all = async (text: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const line of linesOf(inPieces(text))) lines.push(line);
    return lines;
  };

  test('end with \\n or \\r\\n and with nothing else, and the last one may lack its end', async () => {
    expect(await all('a\r\nb\n\nc')).toEqual(['a', 'b', '', 'c']);
    expect(await all('{"x":"ä\u2028ö\u0085ü"}\n')).toEqual(['{"x":"ä\u2028ö\u0085ü"}']);
    expect(await all('')).toEqual([]);
  });
});

describe('gantry explain-bash', () => {
  test('answers each line with one, in order', async () => {
    const stdin = jsonl(
      { command: 'ls | head' },
      { command: 'ls; rm x' },
      { command: 'ls "' },
      { command: 'TZ=UTC\u2028ls' },
    );
    const { code, lines, stderr } = await run(explainBashCommand, ['--stdin-jsonl'], stdin);
    expect([code, stderr]).toEqual([0, '']);
    const answers = lines.map((line) => JSON.parse(line));
    expect(answers.map(({ readOnly }) => readOnly)).toEqual([true, false, false, false]);
    expect(answers[0]).toEqual({
      readOnly: true,
      reason: 'Only reads: ls, head.',
      commands: [
        expect.objectContaining({ argv: ['ls'], readOnly: true, span: { start: 0, end: 2 } }),
        expect.objectContaining({ argv: ['head'], readOnly: true }),
      ],
      parsed: true,
    });
    expect(answers[1]).toMatchObject({ reason: 'rm is not known to only read.', decides: { start: 4, end: 6 } });
  });

  test('names a line that cannot be answered, answers the others, and exits with 1', async () => {
    const stdin = `{"command":"ls"}\nls\n\n{"cmd":"ls"}\n[]\n{"command":"pwd"}`;
    const { code, lines, stderr } = await run(explainBashCommand, ['--stdin-jsonl'], stdin);
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['Only reads: ls.', 'Only reads: pwd.']);
    expect(stderr.split('\n').map((line) => line.replace(/: .*/, ''))).toEqual([
      'gantry explain-bash',
      'gantry explain-bash',
      'gantry explain-bash',
      '',
    ]);
    expect(stderr).toContain('line 2: This is not JSON');
    expect(stderr).toContain('line 4: A line looks like {"command": "ls"}. command: expected string');
    expect(stderr).toContain('line 5: ');
  });

  test('explains one command to people, the deciding part marked', async () => {
    const { code, stdout } = await run(explainBashCommand, ['ls src && rm -rf x']);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Not read-only: rm is not known to only read.
        ls src && rm -rf x
                  ^^
        reads   ls src  (ls only reads here.)
        more    rm -rf x  (rm is not known to only read.)
      "
    `);
    expect((await run(explainBashCommand, ['ls'])).stdout).toMatch(/^Only reads: /);
    expect(JSON.parse((await run(explainBashCommand, ['ls', '--json'])).stdout).readOnly).toBe(true);
  });

  test.each([[[]], [['ls', 'x']], [['--stdin-jsonl', 'ls']], [['--no-such']]])('%j are wrong words', async (args) => {
    await expect(run(explainBashCommand, args)).rejects.toThrow(UsageError);
  });
});

const question = (more: object = {}) => ({
  settings: { source: 'project', allow: ['Bash(npm test)'], deny: ['Bash(curl *)'] },
  mode: 'default',
  hook: null,
  cwd: '/proj/app',
  project_root: '/proj/app',
  home: '/home/u',
  platform: 'linux',
  tool: 'Bash',
  input: { command: 'npm test' },
  ...more,
});

describe('gantry explain-permission', () => {
  test('answers each line with a decision and a trace, in order', async () => {
    const stdin = jsonl(
      question(),
      question({ input: { command: 'curl x' } }),
      question({ tool: 'Write', input: { file_path: 'a' } }),
    );
    const { code, lines, stderr } = await run(explainPermissionCommand, ['--stdin-jsonl'], stdin);
    expect([code, stderr]).toEqual([0, '']);
    const answers = lines.map((line) => JSON.parse(line));
    expect(answers.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'ask']);
    expect(answers[1]).toEqual({
      decision: 'deny',
      by: 'rule',
      trace: [
        { step: 'hook', verdict: 'pass', text: 'No hook had a say', detail: 'no hook ran' },
        {
          step: 'deny-rules',
          verdict: 'deny',
          text: 'A deny rule matches',
          detail: 'Bash(curl *) · project',
          rules: [{ list: 'deny', text: 'Bash(curl *)', scope: 'project' }],
        },
      ],
    });
  });

  test('names a line that cannot be answered, answers the others, and exits with 1', async () => {
    const rows = ['{', question(), question({ mode: 'yolo' }), question({ tool: undefined }), question({ hook: 7 })];
    const stdin = `${rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')}\n`;
    const { code, lines, stderr } = await run(explainPermissionCommand, ['--stdin-jsonl'], stdin);
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line).decision)).toEqual(['allow']);
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => /line \d+/.exec(line)?.[0]),
    ).toEqual(['line 1', 'line 3', 'line 4', 'line 5']);
    expect(stderr).toContain('mode: ');
    expect(stderr).toContain('tool: ');
  });

  test('what a question leaves out is this machine’s', async () => {
    const { stdout } = await run(explainPermissionCommand, [
      '{"tool":"Read","input":{"file_path":"package.json"}}',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'allow', by: 'tool' });
  });

  test('explains one question to people, with warnings', async () => {
    const settings = { allow: ['B*', 'Bash(npm test)'] };
    const { stdout } = await run(explainPermissionCommand, [JSON.stringify(question({ settings }))]);
    expect(stdout).toMatchInlineSnapshot(`
      "allow
        hook         pass   No hook had a say (no hook ran)
        deny-rules   pass   No deny rule matches (0 rules looked at)
        ask-rules    pass   No ask rule matches (0 rules looked at)
        tool         pass   Not read-only: This program is known to only read when asked for its version or help.
        mode         pass   Mode default changes nothing
        allow-rules  allow  An allow rule covers it (Bash(npm test) · project)
      warning: B* (allow, project): An allow rule names its tool; a star may only stand behind mcp__server__.
      "
    `);
  });

  test.each([[[]], [['{}', '{}']], [['--stdin-jsonl', '{}']], [['{']]])('%j are wrong words', async (args) => {
    await expect(run(explainPermissionCommand, args)).rejects.toThrow(UsageError);
  });

  test('all collected cases, in one go', async () => {
    const file = join(import.meta.dirname, '..', 'core', 'permission', 'fixtures', 'permissions.jsonl');
    const stdin = readFileSync(file, 'utf8');
    const { code, lines, stderr } = await run(explainPermissionCommand, ['--stdin-jsonl'], stdin);
    expect([code, stderr]).toEqual([0, '']);
    expect(lines).toHaveLength(stdin.trim().split('\n').length);
  });
});
