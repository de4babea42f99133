import { expect, test } from 'vitest';
import type { FoundSession } from '../../src-shared/library/session.ts';
import type { LibraryRequest, SearchAnswer } from '../adapters/library/protocol.ts';
import { UsageError } from './io.ts';
import { searchCommand, sessionsCommand } from './sessions.ts';

const found: FoundSession = {
  path: '/h/.claude/projects/shop/a.jsonl',
  format: 'claude-code',
  version: '2.1.92',
  title: 'Fix the rounding',
  cwd: '/work/shop',
  startedAt: Date.UTC(2026, 0, 2, 3, 4),
  durationMs: 35_000,
  timed: true,
  bytes: 10,
  events: 40,
  calls: 17,
  errors: 1,
  cancelled: 0,
  cascades: 0,
  rejections: 0,
  savedOutputs: 0,
  savedBytes: 0,
  agents: 0,
  findings: 0,
  mostAtOnce: 2,
  asks: 0,
  askedMs: 0,
  tokensIn: 0,
  tokensOut: 0,
  interrupted: false,
  prompt: 'Fix the rounding',
  shape: '',
  problem: '',
};
const answer: SearchAnswer = {
  sessions: [
    {
      session: found,
      hits: [1, 2, 3, 4].map((at) => ({
        kind: 'output',
        tool: 'Bash',
        t: at * 1_000,
        snippet: 'v.toFixed(2)',
        marks: [],
      })),
    },
  ],
  hits: 4,
  more: false,
  ms: 3,
};

function setUp(hits: SearchAnswer = answer) {
  const asked: LibraryRequest['ask'][] = [];
  const out: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: () => undefined };
  const folders: (string | undefined)[] = [];
  const library = async (ask: LibraryRequest['ask'], _: unknown, onlyIn?: string) => {
    asked.push(ask);
    folders.push(onlyIn);
    return ask.kind === 'list'
      ? { kind: 'sessions' as const, sessions: [found] }
      : { kind: 'hits' as const, answer: hits };
  };
  return { asked, folders, io, library, out: () => out.join('') };
}

test('sessions are listed with what they came to and where they lie', async () => {
  const { io, library, out } = setUp();
  expect(await sessionsCommand([], io, library)).toBe(0);
  expect(out()).toBe(
    '2026-01-02 03:04  Fix the rounding  claude-code 2.1.92  /work/shop  17 calls, 1 error, 35.0 s\n' +
      '  /h/.claude/projects/shop/a.jsonl\n1 session.\n',
  );
});

test('sessions of other projects are left out', async () => {
  const { io, library, out } = setUp();
  await sessionsCommand(['--project', 'cart'], io, library);
  expect(out()).toBe('0 sessions.\n');
});

test('a folder is looked at by itself, and has to be there', async () => {
  const { io, library, folders } = setUp();
  await sessionsCommand(['--folder', import.meta.dirname], io, library);
  expect(folders).toEqual([import.meta.dirname]);
  await expect(sessionsCommand(['--folder', '/nowhere/at/all'], io, library)).rejects.toThrow('does not exist');
});

test('a search shows three hits of a session and counts the others', async () => {
  const { io, library, out, asked } = setUp();
  expect(await searchCommand(['toFixed(', '--in', 'outputs', '--newest'], io, library)).toBe(0);
  expect(asked).toEqual([
    { kind: 'search', query: { text: 'toFixed(', kinds: ['output'], project: '', order: 'newest', limit: 100 } },
  ]);
  expect(out()).toContain('1.0 s  Bash output: v.toFixed(2)\n');
  expect(out()).toContain('1 more hit\n4 hits in 1 session, 3 ms.\n');
});

test('a search that finds nothing says so with its exit code', async () => {
  const { io, library, out } = setUp({ sessions: [], hits: 0, more: false, ms: 1 });
  expect(await searchCommand(['nowhere', '--json'], io, library)).toBe(1);
  expect(out()).toBe('');
});

test.each([[[]], [['x', '--in', 'files']], [['x', '--limit', '0']], [['x', '--what']]])(
  '%j does not fit',
  async (args) => {
    const { io, library } = setUp();
    await expect(searchCommand(args, io, library)).rejects.toBeInstanceOf(UsageError);
  },
);
