import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId, SessionId } from '../../src-shared/ids.ts';
import type { LiveSession } from '../app/live-session.ts';
import type { OpenedTranscripts } from '../app/opened-transcripts.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import { createHandlers, type HandlerDeps } from './handlers.ts';

const electron = vi.hoisted(() => ({
  opened: [] as string[],
  copied: [] as string[],
  chosen: { canceled: true, filePaths: [] as string[] },
}));
vi.mock('electron', () => ({
  shell: { openExternal: async (url: string) => void electron.opened.push(url), showItemInFolder: () => undefined },
  clipboard: { writeText: (text: string) => void electron.copied.push(text) },
  dialog: { showOpenDialog: async () => electron.chosen },
}));

const S = 's' as SessionId;

function setUp(library: Partial<SessionLibrary> = {}) {
  const handlers = createHandlers({
    library: library as SessionLibrary,
    window: {} as HandlerDeps['window'],
    trust: {} as HandlerDeps['trust'],
    info: { version: '1', electron: '33', platform: 'linux', home: '/home/u', gallery: false },
    scenarios: { list: async () => [], find: async () => undefined },
    models: {} as HandlerDeps['models'],
    leftovers: {} as HandlerDeps['leftovers'],
    ledger: {} as HandlerDeps['ledger'],
    desk: {} as HandlerDeps['desk'],
    vault: {} as HandlerDeps['vault'],
    exports: {} as HandlerDeps['exports'],
    output: {} as HandlerDeps['output'],
  });
  return { handlers };
}

beforeEach(() => {
  electron.opened.length = 0;
  electron.chosen = { canceled: true, filePaths: [] };
});

describe('links', () => {
  test.each(['https://example.org/a?b#c', 'http://example.org'])('%s goes to the system’s browser', async (url) => {
    const { handlers } = setUp();
    expect(await handlers['link.open']({ url })).toEqual({ opened: true });
    expect(electron.opened).toEqual([new URL(url).href]);
  });

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://x/y',
    'ms-settings:',
    'example.org',
    '',
    'https://bank.example@evil.example/',
    'https://u:p@a.example',
  ])('%s goes nowhere', async (url) => {
    const { handlers } = setUp();
    expect(await handlers['link.open']({ url })).toEqual({ opened: false });
    expect(electron.opened).toEqual([]);
  });
});

describe('requests that lead nowhere', () => {
  test('a scenario that is not there says so', async () => {
    const { handlers } = setUp();
    await expect(handlers['scenario.start']({ name: 'none' })).rejects.toThrow('There is no scenario none.');
  });

  test('a dialog closed without a choice opens nothing', async () => {
    const { handlers } = setUp();
    expect(await handlers['transcript.choose'](undefined)).toEqual({});
  });

  test('a rule that its file does not take comes back as a failure with words', async () => {
    const failure = new FailureError({ kind: 'not-writable', message: 'The file is broken.' });
    const answerTo = vi.fn(() => {
      throw failure;
    });
    const { handlers } = setUp({ live: async () => ({ answer: answerTo }) as unknown as LiveSession });
    const answer = { kind: 'allow-and-add-rule', rule: 'Bash', scope: 'user' } as const;
    const request = { sessionId: S, callId: 'c' as CallId, askId: 'a' as AskId, answer };
    await expect(handlers['permission.answer'](request)).rejects.toBe(failure);
    expect(answerTo).toHaveBeenCalledWith('c', 'a', answer);
  });
});

test('a chosen file is opened', async () => {
  electron.chosen = { canceled: false, filePaths: ['/t.jsonl'] };
  const open = vi.fn(async () => ({ sessionId: S, findings: [] }));
  const { handlers } = setUp({ transcripts: { open } as Partial<OpenedTranscripts> as OpenedTranscripts });
  expect(await handlers['transcript.choose'](undefined)).toEqual({ sessionId: S });
  expect(open).toHaveBeenCalledWith('/t.jsonl', expect.any(AbortSignal));
});

test('commands say what they touch, from the folder and the home that are meant', async () => {
  const { handlers } = setUp();
  const answers = await handlers['what-if.commands']({ cwd: '/p', commands: ['cat a', 'touch ~/b'] });
  expect(answers).toMatchObject([
    { readOnly: true, reads: ['/p/a'], writes: [] },
    { readOnly: false, reads: [], writes: ['/home/u/b'] },
  ]);
});
