// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import { NOT_READ } from '../../src-shared/library/session.ts';
import type { LibraryOverview, LibraryRow } from '../../src-shared/library/view.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { fakeLayout } from '../conversation/layout.fake.ts';
import { viewStore } from '../state/view-store.ts';
import { FoundHere } from './FoundHere.tsx';
import { LibraryPage } from './LibraryPage.tsx';
import { LibraryStatus } from './LibraryStatus.tsx';
import { countFound, emptyLibrary, libraryStore, showLibrary, startLibraryStore } from './library-store.ts';
import { sampleHit, sampleOverview, sampleRow } from './samples.ts';

let bridge: FakeBridge;
let stop: () => void;
let unsize: () => void;
let rows: readonly LibraryRow[];
let total: number | undefined;
let overview: LibraryOverview;
let isBroken = false;

beforeEach(() => {
  Object.assign(window, { innerWidth: 1440, innerHeight: 900 });
  unsize = fakeLayout(63);
  libraryStore.setState(emptyLibrary, true);
  viewStore.setState({ page: 'session', announcement: '', selectedCall: undefined });
  rows = [
    sampleRow(1, { title: 'Fix the rounding', hits: 9, first: [sampleHit(), sampleHit({ kind: 'prompt', tool: '' })] }),
    sampleRow(2, { title: '', problem: NOT_READ, shape: '' }),
    sampleRow(3, { title: 'Old export', timed: false, hits: 1, first: [sampleHit({ kind: 'input', tool: 'Read' })] }),
  ];
  total = undefined;
  overview = sampleOverview;
  isBroken = false;
  bridge = installFakeBridge({
    'library.refresh': () => undefined,
    'library.cancel': () => undefined,
    'library.overview': () => overview,
    'library.query': ({ offset, limit }) => {
      if (isBroken) failing({ kind: 'not-readable', message: 'The index of sessions cannot be used.', hint: 'Check.' });
      const page = total === undefined ? rows : rows.slice(0, 1).concat(filler(offset, limit));
      return {
        rows: page.slice(0, limit),
        total: total ?? rows.length,
        hits: 57,
        moreHits: false,
        looking: false,
        ms: 64,
      };
    },
    'library.hits': () => ({ hits: Array.from({ length: 9 }, (_, at) => sampleHit({ t: at * 1_000 })) }),
    'library.open': () => ({ sessionId: SessionId.parse('opened') }),
    'library.found': () => ({
      places: [
        { format: 'claude-code', folder: '/home/mira/.claude/projects', count: 4_906 },
        { format: 'codex', folder: '/home/mira/.codex/sessions', count: 0 },
      ],
    }),
    'session.attach': () => ({ events: [], more: false, total: 0 }),
  });
  stop = startLibraryStore();
});
afterEach(() => {
  stop();
  cleanup();
  unsize();
});

const filler = (offset: number, limit: number): LibraryRow[] =>
  Array.from({ length: limit - 1 }, (_, at) => sampleRow(1_000 + offset + at));

async function open(): Promise<HTMLElement> {
  const { container } = render(
    <>
      <LibraryPage />
      <footer>
        <LibraryStatus />
      </footer>
    </>,
  );
  await act(async () => showLibrary());
  return container;
}
const row = (name: RegExp): HTMLElement =>
  within(screen.getByRole('list', { name: 'Sessions' })).getByRole('button', { name });

test('sessions stand there with their source, facts and hits, and nothing is out of reach of a screen reader', async () => {
  const container = await open();
  expect(row(/^Fix the rounding Claude Code 2\.1\.92 .*17 calls 0:35 \$0\.06 1 error$/)).toBeTruthy();
  expect(row(/^Without a title .*not read yet$/)).toBeTruthy();
  expect(row(/^Old export .*no times recorded/)).toBeTruthy();
  const preview = screen.getByRole('complementary', { name: 'Preview' });
  expect(preview.textContent).toContain('Calls17, of them 1 error, 2 cancelled');
  expect(preview.textContent).toContain('None. All 486 events were read.');
  expect(screen.getByText(/^4,981 sessions, \d/)).toBeTruthy();
  const { violations } = await axe.run(container, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('a search tells what it found, and more hits are shown when asked for', async () => {
  await open();
  await userEvent.click(screen.getByRole('textbox', { name: 'Search all sessions' }));
  await userEvent.paste('toFixed');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('57 hits in 3 sessions, 64 ms'));
  expect(bridge.inputsOf('library.query').at(-1)?.query).toMatchObject({ text: 'toFixed', kinds: [] });
  const hits = screen.getByRole('list', { name: 'Hits in Fix the rounding' });
  expect(within(hits).getAllByText('toFixed')[0]?.tagName).toBe('MARK');
  await userEvent.click(screen.getByRole('button', { name: '7 more hits' }));
  await waitFor(() => expect(within(hits).getAllByRole('button')).toHaveLength(9));
  await userEvent.click(screen.getByRole('radio', { name: 'Outputs' }));
  expect(bridge.inputsOf('library.query').at(-1)?.query.kinds).toEqual(['output']);
});

test('Enter opens a session at the hit that is looked at, with its call selected', async () => {
  await open();
  await userEvent.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search all sessions' }));
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(row(/^Old export/));
  expect(screen.getByRole('button', { name: 'Open at this hit' })).toBeTruthy();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(viewStore.getState().selectedCall).toBe('toolu_1'));
  expect(bridge.inputsOf('library.open')).toEqual([{ id: 3 }]);
  expect(viewStore.getState()).toMatchObject({ page: 'session', inspectorTab: 'input' });
});

test('what is found is narrowed down by where, project, what it has and when', async () => {
  await open();
  for (const name of [/^Run in Gantry 73/, /^shop 200/, /^a cascade 118/, /^Last 30 days 612/]) {
    await userEvent.click(screen.getByRole('button', { name }));
  }
  await waitFor(() =>
    expect(bridge.inputsOf('library.query').at(-1)?.query).toMatchObject({
      where: 'own',
      project: '/work/shop',
      has: ['cascade'],
      when: 'month',
    }),
  );
  expect(screen.queryByRole('button', { name: /^oldest/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'all 7' }));
  expect(screen.getByRole('button', { name: /^oldest/ })).toBeTruthy();
});

test('of thousands only the pages on screen are asked for', async () => {
  total = 5_000;
  await open();
  const drawn = screen.getByRole('list', { name: 'Sessions' }).querySelectorAll('[data-library-row]').length;
  expect(drawn).toBeGreaterThan(5);
  expect(drawn).toBeLessThan(40);
  row(/^Fix the rounding/).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('Session 1001');
  expect(bridge.inputsOf('library.query').every(({ offset }) => offset === 0)).toBe(true);
});

test('reading is followed and can be stopped; failures and empty machines say what to do', async () => {
  await open();
  overview = { ...sampleOverview, index: { kind: 'reading', done: 312, total: 4_906 } };
  await act(async () => bridge.push('library.changed', { index: overview.index }));
  expect(screen.getByText('reading 312 of 4,906')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(bridge.inputsOf('library.cancel')).toHaveLength(1);

  rows = [];
  const none = { ...sampleOverview.facets.where, all: 0 };
  overview = { ...sampleOverview, facets: { ...sampleOverview.facets, where: none } };
  await act(async () => bridge.push('library.changed', { index: { kind: 'current' } }));
  expect(screen.getByText('No sessions were found on this machine.')).toBeTruthy();

  isBroken = true;
  await act(async () => bridge.push('library.changed', { index: { kind: 'current' } }));
  expect(screen.getByText('The index of sessions cannot be used.')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('The index of sessions cannot be used.')).toBeNull());
});

test('the start page tells what other programs have left here', async () => {
  render(<FoundHere />);
  await act(() => countFound());
  expect(screen.getByText(/Found on this machine:/).textContent).toBe(
    'Found on this machine: 4,906 sessions of Claude Code',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show them' }));
  expect(viewStore.getState().page).toBe('library');
});
