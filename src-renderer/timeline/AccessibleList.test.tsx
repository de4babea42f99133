// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallId, ShellId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { sampleShell, stateWith } from '../background/samples.ts';
import { sessionStore } from '../state/session-store.ts';
import { resetView, selectCall, viewStore } from '../state/view-store.ts';
import { AccessibleList } from './AccessibleList.tsx';
import { bigSession } from './samples/big.ts';
import { roundingSession } from './samples/rounding.ts';

const show = (state: SessionState): void =>
  sessionStore.setState(
    { phase: 'open', sessionId: 's' as never, state, events: [], version: 1, receivedAt: 0 } as never,
    true,
  );

beforeEach(() => resetView());
afterEach(() => {
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
});

test('there is one button per call, named by its sentence', () => {
  show(roundingSession().state());
  render(<AccessibleList />);
  const buttons = within(screen.getByRole('list', { name: 'Calls' })).getAllByRole('button');
  expect(buttons).toHaveLength(23);
  expect(
    screen.getByRole('button', {
      name: 'Edit price.ts, lane 1, waited 5.2 s for Agent, hooks 0.3 s, ran 0.2 s, ok, 14 of 23',
    }),
  ).toBeTruthy();
  const test = buttons.find((button) => button.dataset.callId === 'npm-test');
  expect([test?.dataset.phase, test?.dataset.outcome, test?.dataset.lane]).toEqual(['yielded', 'error', '1']);
});

test('the focus moves the selection, and only the selected call is a stop of Tab', () => {
  show(roundingSession().state());
  render(<AccessibleList />);
  const button = screen.getAllByRole('button').find((one) => one.dataset.callId === 'agent') as HTMLElement;
  act(() => button.focus());
  expect(viewStore.getState().selectedCall).toBe('agent');
  expect(screen.getAllByRole('button').filter((one) => one.tabIndex === 0)).toEqual([button]);
  // The chart's arrow keys move the selection while the focus is in the list.
  act(() => selectCall('read-money' as never));
  expect((document.activeElement as HTMLElement).dataset.callId).toBe('read-money');
});

test('of a huge session the page holds the calls around the selected one, with their true places', () => {
  show(bigSession(5000));
  selectCall('call-2500' as never);
  render(<AccessibleList />);
  expect(screen.getAllByRole('button').length).toBeLessThanOrEqual(200);
  const item = screen.getByText(/2,501 of 5,000$/).closest('li');
  expect([item?.getAttribute('aria-posinset'), item?.getAttribute('aria-setsize')]).toEqual(['2501', '5000']);
});

test('commands in the background have a button each, which leads to the call that launched them', () => {
  const end = { at: sessionTime(65_000), how: { kind: 'exited', code: 1 }, bytes: 9, survivors: [] } as const;
  const over = sampleShell({
    shellId: 'bash_2' as ShellId,
    callId: 'second' as CallId,
    command: 'make\nmake test',
    end,
  });
  show(stateWith(sampleShell(), over));
  render(<AccessibleList />);
  const list = within(screen.getByRole('list', { name: 'Commands in the background' }));
  expect(list.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'bash_1, npm run dev, runs',
    'bash_2, make, ended with exit code 1, ran 1:04',
  ]);
  act(() => list.getByText(/bash_2/).click());
  expect(viewStore.getState().selectedCall).toBe('second');
});
