// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallId, SessionId, ShellId } from '../../src-shared/ids.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { failing, installFakeBridge } from '../bridge.fake.ts';
import { viewStore } from '../state/view-store.ts';
import { LeftoversBar } from './LeftoversBar.tsx';
import { ShellPart } from './ShellPart.tsx';
import { ShellsButton } from './ShellsButton.tsx';
import { sampleShell, stateWith } from './samples.ts';
import { runningShells, shellTone, shellWords } from './words.ts';

afterEach(cleanup);

const sessionId = 'session' as SessionId;
const ended = (how: NonNullable<Shell['end']>['how'], survivors: NonNullable<Shell['end']>['survivors'] = []) =>
  sampleShell({ end: { at: sessionTime(61_000), how, bytes: 4_096, survivors } });

describe('the list of background shells', () => {
  test('is not there while nothing runs', () => {
    const { container } = render(
      <ShellsButton state={stateWith(ended({ kind: 'exited', code: 0 }))} sessionId={sessionId} />,
    );
    expect(container.textContent).toBe('');
  });

  test('names each with its last line, and stops it', async () => {
    const bridge = installFakeBridge({ 'shell.kill': () => ({ survivors: [] }) });
    const second = sampleShell({ shellId: 'bash_2' as ShellId, command: 'tail -f log', progress: undefined });
    render(<ShellsButton state={stateWith(sampleShell(), second)} sessionId={sessionId} />);
    await userEvent.click(screen.getByRole('button', { name: '2 in background' }));
    const [dev, tail] = screen.getAllByRole('listitem');
    expect(dev?.textContent).toContain('npm run dev');
    expect(dev?.textContent).toContain('listening on http://localhost:5173');
    expect(tail?.textContent).toContain('nothing printed yet');
    await userEvent.click(screen.getByRole('button', { name: 'Stop bash_2' }));
    expect(bridge.inputsOf('shell.kill')).toEqual([{ sessionId, shellId: 'bash_2' }]);
    expect(viewStore.getState().announcement).toBe('bash_2 is ended, nothing of it is left.');
  });

  test('says what could not be ended, and what could not be done', async () => {
    installFakeBridge({ 'shell.kill': () => ({ survivors: [{ pid: 7, command: 'sudo x' }] }) });
    render(<ShellsButton state={stateWith(sampleShell())} sessionId={sessionId} />);
    await userEvent.click(screen.getByRole('button', { name: '1 in background' }));
    await userEvent.click(screen.getByRole('button', { name: 'Stop bash_1' }));
    expect(viewStore.getState().announcement).toBe('bash_1 is ended, but these live on: 7 sudo x.');
    installFakeBridge({ 'shell.kill': () => failing({ kind: 'not-found', message: 'There is no such shell.' }) });
    await userEvent.click(screen.getByRole('button', { name: 'Stop bash_1' }));
    expect(viewStore.getState().announcement).toBe('There is no such shell.');
  });
});

test('of a session that is over nothing runs', () => {
  const state = stateWith(sampleShell());
  expect(runningShells(state)).toHaveLength(1);
  state.ended = 'end-of-file';
  expect(runningShells(state)).toEqual([]);
  expect(shellWords(sampleShell(), state)).toBe('its end is not recorded');
});

test.each([
  [sampleShell(), 'work', 'runs'],
  [ended({ kind: 'exited', code: 0 }), 'ok', 'ended with exit code 0'],
  [ended({ kind: 'exited', code: 1 }), 'error', 'ended with exit code 1'],
  [ended({ kind: 'killed', by: 'person' }), 'cancelled', 'was ended by the user'],
  [ended({ kind: 'session-closed' }), 'cancelled', 'was ended when its session was closed'],
  [ended({ kind: 'unknown' }), 'neutral', 'ended with Gantry; how is not known'],
] as const)('its state has a colour and words (%#)', (shell, tone, words) => {
  expect(shellTone(shell)).toBe(tone);
  expect(shellWords(shell, stateWith())).toBe(words);
});

describe('the inspector of the call that launched one', () => {
  const call = { callId: 'launch' as CallId } as ToolCall;
  const part = (shell: Shell) => render(<ShellPart sessionId={sessionId} state={stateWith(shell)} call={call} />);

  test('shows state, output and survivors', () => {
    part(ended({ kind: 'exited', code: 1 }, [{ pid: 7, command: 'sudo x' }]));
    const text = screen.getByText('In the background').closest('section')?.textContent ?? '';
    for (const words of ['bash_1', 'ended with exit code 1', '31 lines · 4 KB', '7 sudo x'])
      expect(text).toContain(words);
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  test('stops a running one', async () => {
    const bridge = installFakeBridge({ 'shell.kill': () => ({ survivors: [] }) });
    part(sampleShell());
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(bridge.inputsOf('shell.kill')).toEqual([{ sessionId, shellId: 'bash_1' }]);
  });

  test('is empty for other calls', () => {
    const { container } = part(sampleShell({ callId: 'other' as CallId }));
    expect(container.textContent).toBe('');
  });
});

describe('what an earlier run has left behind', () => {
  const found = [
    { pid: 7, command: 'node server.mjs', since: Date.now(), title: 'Cascade' },
    { pid: 8, command: 'sleep 1000', title: '' },
  ];
  const show = async (answers: Parameters<typeof installFakeBridge>[0]) => {
    const bridge = installFakeBridge(answers);
    await act(async () => void render(<LeftoversBar />));
    return bridge;
  };
  const bar = () => screen.queryByRole('region', { name: 'Left over from an earlier run' });

  test('is nothing, mostly', async () => {
    await show({ 'leftovers.list': () => [] });
    expect(bar()).toBeNull();
  });

  test('is listed, and ended when somebody says so', async () => {
    const bridge = await show({
      'leftovers.list': () => found,
      'leftovers.end': () => ({ ended: 2, survivors: [] }),
    });
    expect(bar()?.textContent).toContain('2 processes of an earlier run live on.');
    const [server, sleep] = within(bar() as HTMLElement).getAllByRole('listitem');
    expect(server?.textContent).toMatch(/node server\.mjs7 · since today \d\d:\d\d · of Cascade/);
    expect(sleep?.textContent).toBe('sleep 10008');
    await userEvent.click(screen.getByRole('button', { name: 'End them' }));
    expect(bridge.inputsOf('leftovers.end')).toHaveLength(1);
    expect(bar()).toBeNull();
    expect(viewStore.getState().announcement).toBe('2 processes ended, nothing is left.');
  });

  test('is left alone when somebody says that', async () => {
    const bridge = await show({ 'leftovers.list': () => found });
    await userEvent.click(screen.getByRole('button', { name: 'Leave them' }));
    expect(bar()).toBeNull();
    expect(bridge.inputsOf('leftovers.end')).toEqual([]);
  });

  test('stays listed as far as it could not be ended', async () => {
    await show({
      'leftovers.list': () => found,
      'leftovers.end': () => ({ ended: 1, survivors: [{ pid: 8, command: 'sleep 1000' }] }),
    });
    await userEvent.click(screen.getByRole('button', { name: 'End them' }));
    expect(bar()?.textContent).toContain('1 process of an earlier run lives on.');
    expect(screen.getByRole('alert').textContent).toMatch(/^These could not be ended\./);
  });
});
