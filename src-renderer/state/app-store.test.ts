// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { type AppInfo, appStore, startAppStore } from './app-store.ts';
import { startReloadMemory } from './reload-memory.ts';
import { closeSession, sessionStore } from './session-store.ts';

const stops: (() => void)[] = [];
const info = (more: Partial<AppInfo> = {}): AppInfo => ({
  version: '0.1.0',
  electron: '45',
  platform: 'linux',
  home: '/home/mira',
  gallery: false,
  ...more,
});

/** Loads the page: what main answers, what is on screen then. */
const load = (answer: AppInfo): FakeBridge => {
  for (const stop of stops.splice(0)) stop();
  sessionStore.setState({ phase: 'none' }, true);
  const bridge = installFakeBridge({
    'app.info': () => answer,
    'session.attach': () => ({ events: [], more: false, total: 0 }),
    'session.detach': () => undefined,
  });
  stops.push(startAppStore(), startReloadMemory());
  return bridge;
};
const shown = (): string => {
  const view = sessionStore.getState();
  return view.phase === 'open' ? view.sessionId : view.phase;
};

beforeEach(() => window.sessionStorage.clear());
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

test('the session that the program was started for is shown', async () => {
  load(info({ open: SessionId.parse('file') }));
  await expect.poll(shown).toBe('file');
});

test('main can ask to show another one', async () => {
  const bridge = load(info());
  bridge.push('session.show', { sessionId: SessionId.parse('dropped') });
  await expect.poll(shown).toBe('dropped');
});

test('after a reload the session that was on screen comes back, before the one of the start', async () => {
  const start = info({ open: SessionId.parse('file') });
  const bridge = load(start);
  bridge.push('session.show', { sessionId: SessionId.parse('other') });
  await expect.poll(() => window.sessionStorage.getItem('gantry.session')).toBe('other');
  load(start);
  await expect.poll(shown).toBe('other');
});

test('after a reload of the start page the start page comes back', async () => {
  load(info({ open: SessionId.parse('file') }));
  await expect.poll(shown).toBe('file');
  closeSession();
  load(info());
  await expect.poll(() => appStore.getState().info?.open).toBeUndefined();
  expect(shown()).toBe('none');
});

test('problems of the program are shown with what to do', async () => {
  const bridge = load(info());
  bridge.push('app.problem', { message: 'The disk is full.', hint: 'The session is paused. Make room, then go on.' });
  expect(appStore.getState().problem).toEqual({
    message: 'The disk is full.',
    hint: 'The session is paused. Make room, then go on.',
  });
});

test('a program that does not answer says so', async () => {
  installFakeBridge({ 'app.info': () => failing({ kind: 'internal', message: 'The program is shutting down.' }) });
  stops.push(startAppStore());
  await expect.poll(() => appStore.getState().problem?.message).toBe('The program is shutting down.');
});
