// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { AS_RECORDED } from '../../src-shared/what-if/rules.ts';
import { installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { resetView, viewStore } from '../state/view-store.ts';
import { bigSession } from '../timeline/samples/big.ts';
import { RulesTable } from './RulesTable.tsx';
import { WhatIfStrip } from './WhatIfStrip.tsx';
import { changeSafety, NOTHING, whatIfStore } from './what-if-store.ts';

/** `npm test` fails and cancels `npm run lint`; a read runs beside them, an edit of the same file waits. */
const cascade = () =>
  new SessionScript()
    .turn('turn-1', 0, 5_000)
    .request('r1', 0, [100, 200, 300, 400], 500, { message: 'm1' })
    .call({
      id: 'test',
      tool: 'Bash',
      summary: 'npm test',
      queued: 100,
      start: 100,
      end: 2_000,
      outcome: 'error',
      message: 'm1',
    })
    .call({
      id: 'lint',
      tool: 'Bash',
      summary: 'npm run lint',
      queued: 200,
      start: 200,
      lane: 1,
      cancelled: { at: 2_000, reason: 'sibling_error', culprit: 'test' },
      end: 2_010,
      outcome: 'cancelled',
      message: 'm1',
    })
    .call({
      id: 'read',
      tool: 'Read',
      summary: '/work/shop/a.ts',
      input: { file_path: 'a.ts' },
      queued: 300,
      start: 300,
      lane: 2,
      end: 900,
      message: 'm1',
    })
    .call({
      id: 'edit',
      tool: 'Edit',
      safe: false,
      summary: '/work/shop/a.ts',
      input: { file_path: '/work/shop/a.ts' },
      queued: 400,
      cancelled: { at: 2_000, reason: 'sibling_error', culprit: 'test' },
      end: 2_000,
      outcome: 'cancelled',
      message: 'm1',
    });

const show = (state: ReturnType<SessionScript['state']>, sessionId = 'made-up'): void =>
  sessionStore.setState(
    { phase: 'open', sessionId: sessionId as never, state, events: [], version: 1, receivedAt: 0 },
    true,
  );

beforeEach(() => {
  resetView();
  whatIfStore.setState({ ...NOTHING, isOpen: false, variant: undefined, safety: AS_RECORDED });
  installFakeBridge({
    'what-if.commands': ({ commands }) =>
      commands.map(() => ({ readOnly: false, reads: [], folders: [], writes: [], complete: false })),
  });
});
afterEach(() => {
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
});

const ready = () => vi.waitFor(() => expect(whatIfStore.getState().phase).toBe('ready'));
const cellsOf = (name: RegExp): readonly (string | null)[] =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('the table compares the recorded rules with others, and says at least where a length is not known', async () => {
  show(cascade().state());
  render(<RulesTable />);
  await act(ready);
  expect(cellsOf(/^recorded streaming, bash/)).toEqual(['5.0 s', '2', '1.8 s', '0']);
  expect(cellsOf(/^streaming, none/)).toEqual(['≥ 5.0 s', '0', '0 ms', '0']);
  expect(cellsOf(/^all at once/)).toEqual(['≥ 5.4 s', '0', '0 ms', '1']);
});

test('a row that is chosen becomes the ghost row’s rules', async () => {
  show(cascade().state());
  render(
    <>
      <WhatIfStrip />
      <RulesTable />
    </>,
  );
  await act(ready);
  expect(screen.queryByRole('region', { name: 'What if' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'serial, none' }));
  expect(whatIfStore.getState()).toMatchObject({ isOpen: true, variant: { strategy: 'serial', cap: 10 } });
  expect(screen.getByRole('button', { name: 'serial, none' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'Strategy: serial' })).toBeTruthy();
});

test('the raced pairs are listed, and lead to their calls', async () => {
  show(cascade().state());
  render(<RulesTable />);
  await act(ready);
  fireEvent.click(screen.getByRole('button', { name: 'Show the pair' }));
  fireEvent.click(screen.getByRole('button', { name: 'Edit(a.ts)' }));
  expect(viewStore.getState().selectedCall).toBe('edit');
});

test('the strip says how much faster, how many are cancelled, and what is not known', async () => {
  show(cascade().state());
  whatIfStore.setState({ isOpen: true });
  render(<WhatIfStrip />);
  await act(ready);
  expect(screen.getByTestId('what-if-sentence').textContent).toBe(
    'at best as long as recorded, 0 cancelled. How long Bash(npm run lint) and Edit(a.ts) take is not known.',
  );
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'The turn differs: a.ts runs, npm run lint ends by itself.',
  );
});

test('a call that counts as safe is named, until it is taken back; another session forgets it', async () => {
  show(cascade().state());
  render(<WhatIfStrip />);
  act(() => changeSafety('edit' as never, true));
  await act(ready);
  fireEvent.click(screen.getByRole('button', { name: 'Edit(a.ts) is safe' }));
  expect(whatIfStore.getState().safety.calls).toEqual({});
  act(() => changeSafety('edit' as never, true));
  act(() => show(cascade().state(), 'another'));
  expect(whatIfStore.getState().safety.calls).toEqual({});
});

test('a turn that still runs, and a file without times, say so instead', async () => {
  whatIfStore.setState({ isOpen: true });
  show(new SessionScript().turn('turn-1', 0).state());
  render(<WhatIfStrip />);
  expect(screen.getByTestId('what-if-sentence').textContent).toContain('The turn still runs.');
  const origin = { kind: 'imported', format: 'x', path: '/x', clock: 'order-only' } as const;
  act(() => show(new SessionScript({ origin }).turn('turn-1', 0, 9).state()));
  expect(screen.getByTestId('what-if-sentence').textContent).toContain('The file holds no times');
});

test('without a selection it is the newest turn that has ended; a selected call has its own', async () => {
  const two = cascade()
    .turn('turn-2', 6_000, 6_500)
    .request('r2', 6_000, [6_100], 6_110, { turn: 'turn-2', message: 'm2' })
    .call({ id: 'later', tool: 'Read', queued: 6_100, start: 6_100, end: 6_400, message: 'm2' })
    .turn('turn-3', 7_000);
  show(two.state());
  render(<RulesTable />);
  await act(ready);
  expect(screen.getByText('turn 2')).toBeTruthy();
  act(() => viewStore.setState({ selectedCall: 'lint' as never }));
  await act(ready);
  expect(screen.getByText('turn 1')).toBeTruthy();
});

test('ten thousand calls are computed in parts, and it shows meanwhile', async () => {
  const state = bigSession(10_000);
  show({ ...state, turns: [{ turnId: 't' as never, agentId: 'main' as never, from: 0 as never, end: undefined }] });
  render(<RulesTable />);
  expect(screen.getAllByText('Computing…').length).toBeGreaterThan(0);
  const counts: number[] = [];
  const stop = whatIfStore.subscribe(({ rows }) => void counts.push(rows.length));
  await act(() => vi.waitFor(() => expect(whatIfStore.getState().phase).toBe('ready'), { timeout: 20_000 }));
  stop();
  expect(new Set(counts).size).toBeGreaterThan(2);
}, 30_000);

test('strip and table have no faults that axe knows of', async () => {
  show(cascade().state());
  whatIfStore.setState({ isOpen: true });
  const { container } = render(
    <>
      <WhatIfStrip />
      <RulesTable />
    </>,
  );
  await act(ready);
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
