import { beforeEach, expect, test, vi } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { contract } from '../../src-shared/ipc/contract.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { KeyState } from '../../src-shared/model/key-state.ts';
import type { NewSession } from '../app/new-session.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import type { KeyPlace, KeyStore } from '../ports/key-store.ts';
import { modelHandlers } from './model-handlers.ts';

const electron = vi.hoisted(() => ({ chosen: { canceled: true, filePaths: [] as string[] }, asked: [] as unknown[] }));
vi.mock('electron', () => ({
  dialog: {
    showOpenDialog: async (options: unknown) => {
      electron.asked.push(options);
      return electron.chosen;
    },
  },
}));
vi.mock('node:os', async (original) => ({ ...(await original<typeof import('node:os')>()), homedir: () => '/home/u' }));

const S = 's' as SessionId;
const MODEL: ModelChoice = { provider: 'anthropic', model: 'm' };

class HandKeys implements KeyStore {
  readonly kept = new Map<string, string>();
  state({ provider }: KeyPlace): KeyState {
    return { from: this.kept.has(provider) ? 'stored' : 'none', isOptional: false, protection: 'system' };
  }
  keyFor({ provider }: KeyPlace): string | undefined {
    return this.kept.get(provider);
  }
  set({ provider }: KeyPlace, key: string): void {
    this.kept.set(provider, key);
  }
  remove({ provider }: KeyPlace): void {
    this.kept.delete(provider);
  }
}

function setUp(configured: Partial<ModelChoice> = {}) {
  const remembered: unknown[] = [];
  const started: NewSession[] = [];
  const library = {
    startSession: async (session: NewSession) => {
      started.push(session);
      return S;
    },
  } as unknown as SessionLibrary;
  const recent = {
    folders: [] as string[],
    model: undefined as ModelChoice | undefined,
    read: () => ({ folders: recent.folders, model: recent.model }),
    remember: (choice: unknown) => void remembered.push(choice),
  };
  const keys = new HandKeys();
  const models = async () => [{ id: 'm' }];
  const handlers = modelHandlers(library, { keys, recent, defaultModel: () => configured, models });
  return { handlers, started, remembered, recent, keys };
}

beforeEach(() => {
  electron.chosen = { canceled: true, filePaths: [] };
  electron.asked.length = 0;
});

test('a session starts in the folder that is meant by ~, and the choice is remembered', async () => {
  const { handlers, started, remembered } = setUp();
  expect(await handlers['session.start']({ cwd: ' ~/shop ', model: MODEL, prompt: 'Hi' })).toEqual({ sessionId: S });
  expect(started).toMatchObject([{ cwd: '/home/u/shop', prompt: 'Hi' }]);
  expect(remembered).toEqual([{ folder: '/home/u/shop', model: MODEL }]);
});

test('the last choice is proposed before that of the settings, and half a choice is none', async () => {
  const half = setUp({ provider: 'anthropic' });
  expect(await half.handlers['start.options'](undefined)).toEqual({ folders: [] });
  const { handlers, recent } = setUp(MODEL);
  expect(await handlers['start.options'](undefined)).toEqual({ folders: [], model: MODEL });
  recent.model = { ...MODEL, model: 'last' };
  expect(await handlers['start.options'](undefined)).toMatchObject({ model: { model: 'last' } });
});

test('a key goes in and never comes out', async () => {
  const { handlers, keys } = setUp();
  const answers = [
    await handlers['keys.set']({ provider: 'anthropic', key: 'sk-secret', keep: 'stored' }),
    await handlers['keys.state']({ provider: 'anthropic' }),
    await handlers['models.list']({ provider: 'anthropic' }),
  ];
  expect(keys.kept.get('anthropic')).toBe('sk-secret');
  expect(JSON.stringify(answers)).not.toContain('sk-secret');
  expect(await handlers['keys.remove']({ provider: 'anthropic' })).toMatchObject({ from: 'none' });
});

test('a folder is chosen in the system’s dialog, which starts where the field stands', async () => {
  const { handlers } = setUp();
  expect(await handlers['folder.choose']({ from: '~/shop' })).toEqual({});
  electron.chosen = { canceled: false, filePaths: ['/p'] };
  expect(await handlers['folder.choose']({})).toEqual({ path: '/p' });
  expect(electron.asked).toMatchObject([
    { defaultPath: '/home/u/shop' },
    { properties: ['openDirectory', 'createDirectory'] },
  ]);
});

test.each([
  ['a kind that servers do not take', { mediaType: 'image/svg+xml', data: 'iVBORw==' }],
  ['what is no base64', { mediaType: 'image/png', data: '<svg/>' }],
  ['what is too large', { mediaType: 'image/png', data: 'A'.repeat(7_000_000) }],
])('a picture of %s is refused', (_, image) => {
  const { input } = contract.requests['session.send'];
  expect(input.safeParse({ sessionId: S, text: 'x', images: [image] }).success).toBe(false);
});
