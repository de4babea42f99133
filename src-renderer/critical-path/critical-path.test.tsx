// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { COMMANDS } from '../commands/commands.ts';
import { leavePlayhead, seekToTime } from '../replay/playhead-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { selectCall, viewStore } from '../state/view-store.ts';
import { PathButton } from './PathButton.tsx';
import { PathPart } from './PathPart.tsx';
import { PathKeeper, pathStore } from './path-store.ts';
import { WaitCard } from './WaitCard.tsx';

/** Two turns. In the second an edit waits for two reads, and is asked about. */
const script = () =>
  new SessionScript()
    .turn('t1', 0, 1_000)
    .request('r0', 0, [500], 1_000, { turn: 't1', message: 'm0' })
    .turn('t2', 2_000, 12_000)
    .request('r1', 2_000, [3_000], 4_000, { turn: 't2', message: 'm1' })
    .call({
      id: 'a',
      tool: 'Read',
      summary: 'README.md',
      message: 'm1',
      queued: 3_000,
      start: 3_000,
      end: 5_000,
      yielded: 5_000,
    })
    .call({ id: 'b', tool: 'Grep', summary: 'TODO', message: 'm1', queued: 3_000, start: 3_000, lane: 1, end: 7_000 })
    .call({
      id: 'c',
      tool: 'Edit',
      summary: 'src/price.ts',
      message: 'm1',
      safe: false,
      queued: 4_000,
      waits: [{ why: 'lock', by: ['a', 'b'], at: 4_000 }],
      start: 7_000,
      ask: [7_000, 9_000],
      stages: [['run', 9_000, 10_000]],
      end: 10_000,
    })
    .request('r2', 10_000, [11_000], 12_000, { turn: 't2', message: 'm2' });

let state: SessionState;
beforeEach(() => {
  const events = [...script().events()];
  state = script().state();
  sessionStore.setState(
    { phase: 'open', sessionId: 's' as SessionId, state, events, version: 1, receivedAt: performance.now() },
    true,
  );
  pathStore.setState({ isShown: false });
  selectCall(undefined);
});
afterEach(() => {
  leavePlayhead();
  cleanup();
});

const call = (id: string) => {
  const found = callById(state, id as CallId);
  if (found === undefined) throw new Error(`no call ${id}`);
  return found;
};

test('the newest turn is told as one bar, as a table and in total', async () => {
  const { container } = render(<PathPart state={state} />);
  expect(screen.getByRole('heading', { name: /Critical path of the turn/ }).textContent).toContain('turn 2, 10.0 s');
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    '10.0 s: Model 3.0 s (30 %), Tools 5.0 s (50 %), You 2.0 s (20 %)',
  );
  expect(screen.getAllByRole('row').map((row) => row.textContent?.trim())).toEqual([
    'Model3.0 s30 %',
    'Tools5.0 s50 %',
    'You2.0 s20 %',
    'Hooks0 ms0 %',
    'Lock, no work meanwhile0 ms0 %',
  ]);
  const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(found.violations).toEqual([]);
});

test('the sentence on parallel work names the longest wait, and its names select their calls', async () => {
  render(<PathPart state={state} />);
  const part = screen.getByText(/of tool work/);
  expect(part.textContent).toBe(
    '1.4× 7.0 s of tool work in 5.0 s of tool time. The longest wait, 3.0 s, was that of Edit(price.ts) for Read(README.md) and Grep(TODO).',
  );
  await userEvent.click(within(part).getByRole('button', { name: 'Grep(TODO)' }));
  expect(viewStore.getState().selectedCall).toBe('b');
});

test('at the playhead it is the turn there, as a whole', () => {
  seekToTime(500 as never);
  render(<PathPart state={state} />);
  expect(screen.getByRole('heading', { name: /Critical path of the turn/ }).textContent).toContain('turn 1, 1.0 s');
});

test('a call says whether it lies on the path, and what it cost at most', () => {
  render(
    <>
      <PathPart state={state} call={call('a')} />
      <PathPart state={state} call={call('c')} />
    </>,
  );
  expect(screen.getByText(/^Read\(README\.md\) is not on the critical path\. /)).toBeTruthy();
  expect(screen.getByText(/^Edit\(price\.ts\) is on the critical path\./).textContent).toContain(
    'at most 3.0 s shorter',
  );
});

test('why a call waited: in the queue for others, whose names lead to them, then for an answer', async () => {
  const { container } = render(<WaitCard state={state} call={call('c')} />);
  const card = within(screen.getByRole('region', { name: 'Why did it wait?' }));
  expect(card.getByText(/held the shared lock/).textContent).toBe(
    'Edit(price.ts) waited 3.0 s: Read(README.md) and Grep(TODO) held the shared lock.',
  );
  expect(card.getByText('It waited 2.0 s for your answer.')).toBeTruthy();
  expect(card.queryByRole('list', { name: 'Go to' })).toBeNull();
  await userEvent.click(card.getByRole('button', { name: 'Read(README.md)' }));
  expect(viewStore.getState().selectedCall).toBe('a');
  const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(found.violations).toEqual([]);
});

test('a call that never waited has no card', () => {
  render(<WaitCard state={state} call={call('a')} />);
  expect(screen.queryByRole('region')).toBeNull();
});

test('button, part and command show and hide the same line', async () => {
  render(
    <>
      <PathButton />
      <PathPart state={state} />
    </>,
  );
  const pressed = () =>
    ['Critical path', 'Show in the chart'].map((name) =>
      screen.getByRole('button', { name }).getAttribute('aria-pressed'),
    );
  await userEvent.click(screen.getByRole('button', { name: 'Critical path' }));
  expect(pressed()).toEqual(['true', 'true']);
  await userEvent.click(screen.getByRole('button', { name: 'Show in the chart' }));
  expect(pressed()).toEqual(['false', 'false']);
  const command = COMMANDS.find(({ keys, scope }) => keys === 'C' && scope === 'chart');
  command?.run();
  expect(pathStore.getState().isShown).toBe(true);
});

test('the chart is given the paths of all turns', () => {
  const keeper = new PathKeeper(state);
  let frames = 0;
  while (keeper.update(frames * 1_000) && frames < 10) frames++;
  expect(keeper.columns?.starts[0]).toBe(0);
  expect(keeper.columns?.ends[(keeper.columns?.length ?? 0) - 1]).toBe(12_000);
});
