// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { TrustEntry, TrustState } from '../../src-shared/ipc/contract.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { Story } from '../conversation/story.ts';
import { accessStore } from '../state/access-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { TrustPanel } from './TrustPanel.tsx';
import { reviewTrust, startTrustStore, trustStore } from './trust-store.ts';

const sessionId = 'session' as SessionId;
const entry = (kind: string, full: string): TrustEntry => ({
  kind,
  full,
  file: '/work/.claude/settings.json',
  line: 4,
  key: full,
});
const rule = entry('allow rule', 'Bash(make:*)');
const hook = entry('hook', 'Stop: ./say.sh');

let state: TrustState;
let bridge: FakeBridge;
let stop: () => void;

beforeEach(() => {
  state = { folder: '/work', answer: 'none', waiting: [rule, hook], granted: [] };
  bridge = installFakeBridge({
    'trust.state': () => state,
    'trust.set': ({ answer, keys }) => {
      const confirmed = state.waiting.filter(({ key }) => keys.includes(key));
      state = {
        ...state,
        answer: answer === 'trust' ? 'trusted' : answer === 'never' ? 'never' : 'none',
        waiting: state.waiting.filter((one) => !confirmed.includes(one)),
        granted: answer === 'trust' ? [...state.granted, ...confirmed] : [],
      };
      return state;
    },
  });
  trustStore.setState({ state: undefined, putOff: new Set(), reviewing: false, isSending: false, problem: undefined });
  accessStore.setState({}, true);
  sessionStore.setState({ phase: 'none' }, true);
  stop = startTrustStore();
  render(<TrustPanel />);
});
afterEach(() => {
  stop();
  cleanup();
});

const settle = () => act(async () => {});
async function open(story = new Story(), id = sessionId): Promise<void> {
  const { events } = story;
  await act(async () =>
    sessionStore.setState(
      { phase: 'open', sessionId: id, state: story.state(), events, version: events.length, receivedAt: 0 },
      true,
    ),
  );
}
const panel = () => screen.queryByRole('region', { name: 'Settings of this folder' });
const click = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
};

test('a session in a folder that brings settings lists them all, with file and line', async () => {
  await open();
  const list = within(screen.getByRole('list', { name: 'Without effect' }));
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'allow ruleBash(make:*).claude/settings.json:4',
    'hookStop: ./say.sh.claude/settings.json:4',
  ]);
  expect(screen.getByRole('heading').textContent).toContain('1 allow rule, 1 hook');
});

test('trusting confirms what was on screen, not what has come meanwhile', async () => {
  await open();
  const later = entry('hook', 'Stop: evil');
  state = { ...state, waiting: [...state.waiting, later] };
  await click('Trust this folder');
  expect(bridge.inputsOf('trust.set')[0]).toMatchObject({ answer: 'trust', keys: [rule.key, hook.key], sessionId });
  expect(screen.getByRole('heading').textContent).toMatch(/^New in .* since you trusted it: 1 hook\./);
  expect(within(screen.getByRole('list', { name: 'Without effect' })).getByText('Stop: evil')).toBeTruthy();
});

test('put off it is gone until something new comes', async () => {
  await open();
  await click('Not now');
  expect(panel()).toBeNull();
  expect(bridge.inputsOf('trust.set')).toEqual([]);
  state = { ...state, waiting: [...state.waiting, entry('variable', 'A=1')] };
  await act(async () => bridge.push('trust.changed', { folder: '/work' }));
  expect(panel()).not.toBeNull();
});

test('a folder that nobody wants to be asked about shows nothing, until the list is asked for', async () => {
  await open();
  await click('Never for this folder');
  expect(bridge.inputsOf('trust.set')[0]).toMatchObject({ answer: 'never', keys: [] });
  expect(panel()).toBeNull();
  act(() => reviewTrust());
  await settle();
  expect(panel()).not.toBeNull();
  await click('Ask again for this folder');
  expect(bridge.inputsOf('trust.set')[1]).toMatchObject({ answer: 'forget' });
});

test('what is in effect can be looked at and taken back', async () => {
  state = { ...state, answer: 'trusted', waiting: [], granted: [rule] };
  await open();
  expect(panel()).toBeNull();
  act(() => reviewTrust());
  await settle();
  expect(within(screen.getByRole('list', { name: 'In effect' })).getByText('Bash(make:*)')).toBeTruthy();
  await click('Stop trusting this folder');
  expect(bridge.inputsOf('trust.set')[0]).toMatchObject({ answer: 'forget' });
});

test('a word that cannot be kept is told, and the panel stays', async () => {
  bridge = installFakeBridge({
    'trust.state': () => state,
    'trust.set': () => failing({ kind: 'not-writable', message: 'The list cannot be written.' }),
  });
  await open();
  await click('Trust this folder');
  expect(screen.getByRole('alert').textContent).toBe('The list cannot be written.');
});

test('files, and sessions that another window works in, ask nothing', async () => {
  const origin = { kind: 'imported', format: 'claude-code', path: '/f', clock: 'recorded' } as const;
  await open(new Story('File', origin));
  expect(bridge.inputsOf('trust.state')).toEqual([]);
  accessStore.setState({ [sessionId]: { kind: 'reader', why: '', takeOver: true } });
  await open();
  expect(bridge.inputsOf('trust.state')).toEqual([]);
  await act(async () => accessStore.setState({ [sessionId]: { kind: 'owner' } }));
  expect(panel()).not.toBeNull();
});
