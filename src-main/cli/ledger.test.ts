import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { toLine } from '../../src-shared/session/stored-line.ts';
import { settingsReader } from '../composition/settings.ts';
import { UsageError } from './io.ts';
import { ledgerCommand } from './ledger.ts';

let root: string;
let userFile: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-ledger-'));
  userFile = join(root, 'claude', 'settings.json');
  vi.stubEnv('GANTRY_HOME', root);
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(root, 'claude'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
}

/** A session in which these commands were decided by these rules of the user's file, or by nobody. */
function session(commands: Readonly<Record<string, string | undefined>>): void {
  const id = 'session_1';
  const facts: object[] = [
    {
      type: 'session-started',
      sessionId: id,
      title: 'x',
      cwd: root,
      origin: { kind: 'live', provider: 'x' },
      app: 'x',
      settings: defaultSettings(),
    },
    ...Object.entries(commands).flatMap(([command, rule], at) => {
      const callId = `call_${at}`;
      const rules = rule === undefined ? [] : [{ list: 'allow', text: rule, scope: 'user', file: userFile, line: 1 }];
      return [
        {
          type: 'call-queued',
          callId,
          agentId: 'main',
          messageId: 'm',
          index: at,
          tool: 'Bash',
          input: { command },
          summary: command,
          safety: { safe: false, because: 'declared-unsafe' },
        },
        {
          type: 'permission-settled',
          callId,
          verdict: rule === undefined ? 'deny' : 'allow',
          by: rule === undefined ? 'no-user' : 'rule',
          trace: [{ step: 'allow-rules', verdict: rule === undefined ? 'ask' : 'allow', text: 'x', rules }],
        },
      ];
    }),
  ];
  const lines = facts.map((one, seq) => toLine({ seq, at: 1_000 + seq, t: seq, ...one } as unknown as SessionEvent));
  write(join(root, 'sessions', id, 'journal.jsonl'), `${lines.join('\n')}\n`);
}

async function run(...args: readonly string[]) {
  const out: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: () => undefined };
  const code = await ledgerCommand(args, io, settingsReader());
  return { code, text: out.join('') };
}

test('every rule is listed with its hits and what is wrong with it', async () => {
  write(userFile, {
    permissions: { allow: ['Bash(npm test:*)', 'Bash(npm test)', 'Bash(make'], deny: ['Bash(rm:*)'] },
  });
  session({ 'npm test': 'Bash(npm test:*)', 'npm test -- -w': 'Bash(npm test:*)', make: undefined });
  const { code, text } = await run();
  expect(code).toBe(0);
  expect(text.split('\n')).toEqual([
    `deny        0  Bash(rm:*)  ${userFile}:9`,
    `allow       2  Bash(npm test:*)  ${userFile}:4`,
    `allow       0  Bash(npm test)  ${userFile}:5  (shadowed by line 4)`,
    `allow       0  Bash(make  ${userFile}:6  (broken, skipped)`,
    '3 decisions in 1 session, 2 without a question, 0 by you, 1 denied. 4 rules in 1 file.',
    '',
  ]);
  const { rules, decisions } = JSON.parse((await run('--json')).text);
  expect([decisions, rules.length, rules[1].hits]).toEqual([3, 4, 2]);
});

test('a dry run says which past calls another file would decide differently, and writes nothing', async () => {
  write(userFile, { permissions: { allow: ['Bash(npm test:*)', 'Bash(ls -x *)'] } });
  session({ 'npm test': 'Bash(npm test:*)', make: undefined });
  const draft = join(root, 'draft.json');
  write(draft, { permissions: { allow: ['Bash(make)'] } });
  const before = readFileSync(userFile, 'utf8');
  const { code, text } = await run('--dry-run', draft);
  expect(text.split('\n')).toEqual([
    'deny  → allow       1  Bash make',
    'allow → ask         1  Bash npm test',
    '2 of 2 past calls would be decided differently: 1 newly allowed, 1 would ask, 0 denied.',
    '',
  ]);
  expect(code).toBe(1);
  expect(readFileSync(userFile, 'utf8')).toBe(before);
  const json = JSON.parse((await run('--dry-run', userFile, '--json')).text);
  expect(json).toMatchObject({ changed: 0, checked: 2, files: [userFile] });
  expect((await run('--dry-run', userFile)).code).toBe(0);
});

test('a dry run may be of a folder’s settings', async () => {
  session({ make: undefined });
  const draft = join(root, 'draft.json');
  write(draft, { permissions: { allow: ['Bash(make)'] } });
  expect((await run('--dry-run', draft, '--for', 'local', '--cwd', root)).text).toContain('1 newly allowed');
  expect((await run('--dry-run', draft, '--for', 'local', '--cwd', tmpdir())).text).toContain('0 newly allowed');
});

test('wrong words and files that cannot be read are said', async () => {
  for (const args of [['--for', 'user'], ['--dry-run', 'x', '--for', 'managed'], ['--yes'], ['file']]) {
    await expect(run(...args)).rejects.toThrow(UsageError);
  }
  await expect(run('--dry-run', join(root, 'nowhere.json'))).rejects.toThrow('nowhere.json cannot be read.');
});

test('without sessions and settings it says so in numbers', async () => {
  expect((await run()).text).toBe(
    '0 decisions in 0 sessions, 0 without a question, 0 by you, 0 denied. 0 rules in 0 files.\n',
  );
});
