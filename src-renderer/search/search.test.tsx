// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { apply, emptySession } from '../../src-shared/session/state.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { filterStore, openSearch, setFilter } from '../state/filter-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { resetView, selectCall, viewStore } from '../state/view-store.ts';
import { AccessibleList } from '../timeline/AccessibleList.tsx';
import { bigSession } from '../timeline/samples/big.ts';
import { FilterButton } from './FilterButton.tsx';
import { FindField } from './FindField.tsx';

const script = () =>
  new SessionScript()
    .turn('turn-1', 0, 9_000)
    .call({ id: 'test', tool: 'Bash', summary: 'npm test', queued: 100, start: 100, end: 2_000, outcome: 'error' })
    .call({ id: 'lint', tool: 'Bash', summary: 'npm run lint', queued: 200, start: 200, lane: 1, end: 700 })
    .call({ id: 'read', tool: 'Read', summary: '/work/shop/a.ts', queued: 300, start: 300, lane: 2, end: 900 });

const show = (state = script().state(), version = 1, sessionId = 'one'): void =>
  act(() =>
    sessionStore.setState(
      { phase: 'open', sessionId: sessionId as SessionId, state, events: [], version, receivedAt: 0 },
      true,
    ),
  );

beforeEach(() => {
  installFakeBridge({});
  resetView();
  show();
});
afterEach(() => {
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
});

const violations = async (): Promise<readonly string[]> => {
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
};

test('filters are chosen in a form, counted in the button, and cleared there', async () => {
  render(
    <>
      <FilterButton />
      <AccessibleList />
    </>,
  );
  const listed = () => within(screen.getByRole('list', { name: 'Calls' })).queryAllByRole('button', { hidden: true });
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await violations()).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Bash 2' }));
  expect(screen.getByRole('button', { name: 'Filter, 2 of 3 calls match' })).toBeTruthy();
  expect(listed().map((button) => button.dataset.callId)).toEqual(['test', 'lint']);
  await userEvent.type(screen.getByRole('textbox', { name: 'that ran at least s' }), '0.9');
  expect(filterStore.getState().filter.leastMs).toBe(900);
  await userEvent.type(screen.getByRole('textbox', { name: 'with the text' }), 'LINT');
  expect(screen.getByRole('button', { name: 'Filter, 0 of 3 calls match' })).toBeTruthy();
  expect(listed()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.getByRole('button', { name: 'Filter' })).toBeTruthy();
  expect(listed()).toHaveLength(3);
});

test('the search counts what it finds and goes from match to match', async () => {
  render(<FindField />);
  expect(screen.queryByRole('search')).toBeNull();
  act(openSearch);
  const field = screen.getByRole('textbox', { name: 'Search the calls' });
  await userEvent.type(field, 'npm');
  expect(screen.getByRole('status').textContent).toBe('2 found');
  await userEvent.type(field, '{Enter}');
  expect([viewStore.getState().selectedCall, screen.getByRole('status').textContent]).toEqual(['test', '1 of 2']);
  await userEvent.type(field, '{Enter}{Enter}');
  expect(viewStore.getState().selectedCall).toBe('test');
  await userEvent.type(field, '{Shift>}{Enter}{/Shift}');
  expect([viewStore.getState().selectedCall, screen.getByRole('status').textContent]).toEqual(['lint', '2 of 2']);
  expect(await violations()).toEqual([]);
  await userEvent.type(field, 'x');
  expect(screen.getByRole('status').textContent).toBe('none');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next match' }).disabled).toBe(true);
  await userEvent.type(field, '{Escape}');
  expect(screen.queryByRole('search')).toBeNull();
  expect(filterStore.getState().found).toBeUndefined();
});

test('the search stays within the filter', async () => {
  render(<FindField />);
  act(() => setFilter({ tools: ['Read'] }));
  act(openSearch);
  await userEvent.type(screen.getByRole('textbox'), 'npm');
  expect(filterStore.getState().found?.size).toBe(0);
  act(() => setFilter({ tools: [] }));
  expect(filterStore.getState().found?.size).toBe(2);
});

test('what fits grows with the session, and is forgotten with it', () => {
  const events = script().events();
  const state = emptySession();
  for (const event of events.slice(0, 3)) apply(state, event);
  show(state, 1);
  act(() => setFilter({ tools: ['Bash'], outcomes: ['error', 'ok'] }));
  const early = filterStore.getState().matching?.size ?? -1;
  for (const event of events.slice(3)) apply(state, event);
  show(state, 2);
  expect([early, filterStore.getState().matching?.size]).toEqual([0, 2]);
  selectCall('lint' as never);
  show(script().state(), 1, 'two');
  expect(filterStore.getState()).toMatchObject({ matching: undefined, query: '', filter: { tools: [] } });
});

test('100,000 calls are looked at in pieces, and the sets change once', async () => {
  show(bigSession(100_000), 1, 'big');
  const versions: number[] = [];
  const stop = filterStore.subscribe(({ version }) => versions.push(version));
  const before = filterStore.getState().version;
  // Every look at the clock takes a millisecond.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
  setFilter({ text: 'no call holds this' });
  expect(filterStore.getState().version).toBe(before);
  await vi.waitFor(() => expect(filterStore.getState().version).toBe(before + 1), { timeout: 20_000 });
  stop();
  clock.mockRestore();
  expect(filterStore.getState().matching?.size).toBe(0);
  expect(versions.filter((version) => version > before)).toHaveLength(1);
});
