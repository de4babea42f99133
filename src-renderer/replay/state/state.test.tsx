// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallId } from '../../../src-shared/ids.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import { SessionScript } from '../../../src-shared/timeline/session-script.ts';
import { installFakeBridge } from '../../bridge.fake.ts';
import { boardStore } from '../../permissions/board-store.ts';
import { sessionStore } from '../../state/session-store.ts';
import { useOpenSession } from '../../state/use-session.ts';
import { resetView, selectCall, viewStore } from '../../state/view-store.ts';
import { leavePlayhead, seekToTime } from '../playhead-store.ts';
import { AbortTreePart } from './AbortTree.tsx';
import { cutRows } from './cut-rows.ts';
import { LowerTabs } from './LowerTabs.tsx';
import { chooseLower, leaveForward, lowerStore, shownLower, showState } from './lower-store.ts';
import { StateAndRules } from './StateAndRules.tsx';
import { AheadPart, WhyBox } from './WhyBox.tsx';

const call = (id: string) => id as CallId;

/** Two commands run, a read has ended and is held back, an edit waits for the lock; at 3 s the first fails and cancels. */
const rounding = (): SessionScript =>
  new SessionScript()
    .turn('turn-1', 0, 5_000)
    .request('r1', 0, [100, 110, 120, 130], 200, { message: 'm1' })
    .call({
      id: 'test',
      tool: 'Bash',
      summary: 'npm test',
      message: 'm1',
      queued: 100,
      start: 100,
      end: 3_000,
      outcome: 'error',
      yielded: 3_100,
    })
    .call({
      id: 'lint',
      tool: 'Bash',
      summary: 'npm run lint',
      message: 'm1',
      queued: 110,
      start: 110,
      lane: 1,
      cancelled: { at: 3_000, reason: 'sibling_error', culprit: 'test' },
      end: 3_010,
      outcome: 'cancelled',
      yielded: 3_100,
    })
    .call({
      id: 'read',
      tool: 'Read',
      summary: 'docs/a.md',
      message: 'm1',
      queued: 120,
      start: 120,
      lane: 2,
      end: 500,
      yielded: 3_100,
    })
    .call({
      id: 'edit',
      tool: 'Edit',
      summary: 'src/invoice.ts',
      safe: false,
      message: 'm1',
      queued: 130,
      waits: [{ why: 'lock', by: ['test', 'lint'], at: 130 }],
      cancelled: { at: 3_000, reason: 'sibling_error', culprit: 'test' },
      end: 3_000,
      outcome: 'cancelled',
      yielded: 3_100,
    });

function open(script: SessionScript, until = Number.POSITIVE_INFINITY): void {
  const events = script.events().filter(({ t }) => t <= until);
  sessionStore.setState(
    {
      phase: 'open',
      sessionId: 'made-up' as never,
      state: foldSession(events),
      events,
      version: 1,
      receivedAt: performance.now(),
    },
    true,
  );
}

beforeEach(() => {
  window.sessionStorage.clear();
  resetView();
  leavePlayhead();
  chooseLower('conversation');
  boardStore.setState({ isFolded: false, answered: new Set(), refusal: undefined });
  installFakeBridge({});
});
afterEach(() => {
  cleanup();
  act(() => sessionStore.setState({ phase: 'none' }, true));
});

const rowsShown = () =>
  within(screen.getByRole('region', { name: 'State at the playhead' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).queryAllByRole('cell').concat(within(row).queryAllByRole('rowheader')))
    .map((cells) => cells.map(({ textContent }) => textContent));

describe('the state table', () => {
  test('says who waits for whom at the playhead, and how long', () => {
    open(rounding());
    seekToTime(1_430);
    render(<StateAndRules />);
    expect(screen.getByRole('heading', { name: 'State at 1.43 s' })).toBeTruthy();
    expect(rowsShown()).toEqual([
      ['4', 'queued', 'npm test and npm run lint', '1.3 s', 'Edit invoice.ts'],
      ['1', 'running', 'nothing', '1.3 s', 'Bash npm test'],
      ['2', 'running', 'nothing', '1.3 s', 'Bash npm run lint'],
      ['3', 'completed', 'its turn, after 1 and 2', '0.9 s', 'Read a.md'],
    ]);
    expect(screen.getByRole('list', { name: 'What it holds' }).textContent).toContain('Lanes 2 of 10');
  });

  test('follows the playhead, and tells of what was cancelled', () => {
    open(rounding());
    render(<StateAndRules />);
    act(() => seekToTime(3_050));
    expect(rowsShown().map((cells) => cells[1])).toEqual([
      'error',
      'cancelled while running',
      'completed',
      'never started',
    ]);
  });

  test('a live session is told as it is now', () => {
    open(rounding(), 1_430);
    render(<StateAndRules />);
    expect(screen.getByRole('heading', { name: 'State now' })).toBeTruthy();
    expect(rowsShown()[0]?.[1]).toBe('queued');
  });

  test('a row selects its call, and arrows move between rows', () => {
    open(rounding(), 1_430);
    render(<StateAndRules />);
    const edit = screen.getByRole('button', { name: 'Edit invoice.ts' });
    expect(edit.tabIndex).toBe(0);
    act(() => edit.focus());
    fireEvent.keyDown(edit, { key: 'ArrowDown' });
    const test = screen.getByRole('button', { name: 'Bash npm test' });
    expect(document.activeElement).toBe(test);
    expect([edit.tabIndex, test.tabIndex]).toEqual([-1, 0]);
    fireEvent.click(test);
    expect(viewStore.getState().selectedCall).toBe('test');
    expect(test.getAttribute('aria-pressed')).toBe('true');
  });

  test('has no faults that axe finds', async () => {
    open(rounding(), 1_430);
    const { container } = render(<StateAndRules />);
    const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
    expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  test('of 10,000 calls the first of each phase are listed, the selected one too, and the rest is counted', () => {
    const script = new SessionScript();
    for (let i = 0; i < 10_000; i++) {
      script.call({
        id: `c${i}`,
        tool: 'Read',
        summary: `${i}`,
        message: 'm1',
        queued: 1,
        ...(i < 10 ? { start: 2 } : {}),
      });
    }
    const { calls } = script.state();
    const inOrder = [
      ...calls.filter(({ phase }) => phase === 'queued'),
      ...calls.filter(({ phase }) => phase !== 'queued'),
    ];
    const rows = cutRows(inOrder, call('c5000'));
    expect(rows).toHaveLength(40 + 1 + 1 + 10);
    expect(rows.filter(({ kind }) => kind === 'more')).toEqual([{ kind: 'more', phase: 'queued', count: 9_949 }]);
    expect(rows.some((row) => row.kind === 'call' && row.call.callId === 'c5000')).toBe(true);
  });
});

describe('the tabs below the chart', () => {
  const tab = (name: RegExp) => screen.getByRole('tab', { name });
  const asking = (): SessionScript =>
    rounding().call({
      id: 'rm',
      tool: 'Bash',
      summary: 'rm x',
      message: 'm1',
      queued: 140,
      start: 1_000,
      ask: [1_200],
    });

  test('the conversation is first, and the choice is remembered', () => {
    open(rounding(), 1_000);
    render(<LowerTabs conversation="words" />);
    expect(screen.getByText('words')).toBeTruthy();
    act(() => showState());
    expect(tab(/State/).getAttribute('aria-selected')).toBe('true');
    expect(window.sessionStorage.getItem('gantry.lower')).toBe('state');
  });

  test('a question brings the conversation to the front, and gives the place back when it is answered', () => {
    act(() => chooseLower('state'));
    open(asking(), 1_100);
    render(<LowerTabs conversation="words" />);
    expect(screen.queryByText('words')).toBeNull();
    act(() => open(asking(), 1_300));
    expect(screen.getByText('words')).toBeTruthy();
    expect(tab(/^Conversation/).textContent).toBe('Conversation1');
    act(() => boardStore.setState({ answered: new Set(['ask-rm' as never]) }));
    expect(screen.queryByText('words')).toBeNull();
    expect(shownLower(lowerStore.getState())).toBe('state');
  });

  test('a person may look at the state while a question waits', () => {
    open(asking(), 1_300);
    render(<LowerTabs conversation="words" />);
    act(() => chooseLower('state'));
    expect(screen.queryByText('words')).toBeNull();
    act(() => leaveForward());
  });
});

function Parts({ id }: { readonly id: string }) {
  const session = useOpenSession();
  const at = session?.state.callIndex[id];
  const one = at === undefined ? undefined : session?.state.calls[at];
  if (session === undefined || one === undefined) return null;
  return (
    <>
      <WhyBox state={session.state} call={one} />
      <AheadPart call={one} />
      <AbortTreePart state={session.state} call={one} />
    </>
  );
}

describe('in the inspector', () => {
  test('why it waits, what becomes of it, and the way there', async () => {
    open(rounding());
    seekToTime(1_430);
    const { container } = render(<Parts id="edit" />);
    const why = screen.getByRole('region', { name: 'Why does it wait?' });
    expect(why.textContent).toContain(
      'Edit(invoice.ts) has waited 1.3 s. npm test and npm run lint hold the shared lock, and an edit needs it alone.',
    );
    fireEvent.click(within(why).getByRole('button', { name: 'npm run lint' }));
    expect(viewStore.getState().selectedCall).toBe('lint');
    expect(container.textContent).toContain('It never starts. At 3.00 s npm test fails and cancels it.');
    const found = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Go there' }));
    expect(container.textContent).toContain('Edit(invoice.ts) has ended and has waited 0 ms for its turn.');
    act(() => seekToTime(3_100));
    expect(screen.queryByRole('region', { name: 'Why does it wait?' })).toBeNull();
  });

  test('nothing is told of what lies ahead where no playhead is set', () => {
    open(rounding(), 1_430);
    const { container } = render(<Parts id="edit" />);
    expect(container.textContent).not.toContain('Ahead of the playhead');
  });

  test('the abort tree says what Esc would do, and after a cascade by whom each was cancelled', () => {
    open(rounding());
    seekToTime(1_430);
    act(() => selectCall(call('edit')));
    render(<Parts id="edit" />);
    const tree = screen.getByRole('list', { name: 'Abort tree' });
    expect(tree.textContent).toBe(
      ' turn 1 request 1, siblingsBash npm test · Esc stops itBash npm run lint · Esc stops it' +
        'Read a.md · has endedEdit invoice.ts · would not start',
    );
    act(() => seekToTime(4_000));
    expect(screen.getByRole('list', { name: 'Abort tree' }).textContent).toContain(
      'Edit invoice.ts · cancelled: npm test failed',
    );
    fireEvent.click(screen.getByRole('button', { name: 'turn 1' }));
    expect(screen.queryByRole('button', { name: /Edit/ })).toBeNull();
  });
});
