// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { fakeLayout } from '../conversation/layout.fake.ts';
import { viewStore } from '../state/view-store.ts';
import { DryRunPanel } from './DryRunPanel.tsx';
import { LedgerStatus } from './LedgerStatus.tsx';
import { LedgerTables } from './LedgerTables.tsx';
import { emptyLedger, ledgerStore, look, showLedger, startLedgerStore } from './ledger-store.ts';
import { sampleDecisions, sampleDryRun, sampleOverview } from './samples.ts';
import { fromWords, lastUsedWords, shownRules } from './selectors.ts';

let bridge: FakeBridge;
let stop: () => void;
let unsize: () => void;
beforeEach(() => {
  unsize = fakeLayout(28);
  ledgerStore.setState(emptyLedger, true);
  viewStore.setState({ page: 'session', announcement: '' });
  bridge = installFakeBridge({
    'ledger.overview': () => sampleOverview,
    'ledger.decisions': ({ query }) => {
      const rows = sampleDecisions.filter(({ kind }) => query.kind === undefined || query.kind === kind);
      return { total: rows.length, rows: [...rows] };
    },
    'ledger.dry-run': () => sampleDryRun,
    'ledger.save': ({ expected }) => ({ files: expected.map(({ file }) => file) }),
    'session.attach': () => ({ events: [], more: false, total: 0 }),
  });
  stop = startLedgerStore();
});
afterEach(() => {
  stop();
  cleanup();
  unsize();
});

async function open(): Promise<HTMLElement> {
  const { container } = render(
    <>
      <main>
        <LedgerTables />
      </main>
      <DryRunPanel />
      <footer>
        <LedgerStatus />
      </footer>
    </>,
  );
  await act(async () => showLedger());
  return container;
}
const row = (name: RegExp): HTMLElement => screen.getByRole('row', { name });

test('the rules stand there with hits, place and what is wrong with them, and nothing in it is out of reach', async () => {
  const container = await open();
  expect(row(/^deny Bash\(git push:\*\) project settings\.json:21 9/)).toBeTruthy();
  expect(row(/lint/).textContent).toContain('shadowed by line 5');
  expect(row(/pnpm/).textContent).toContain('–');
  expect(row(/internal/).textContent).toContain('cannot be changed');
  expect(row(/Grep/).textContent).toContain('session, 3 sessions');
  expect(screen.getByText('by you, 4.1 s on average')).toBeTruthy();
  expect(container.querySelector('footer')?.textContent).toBe('10 rules in 4 files1 broken');
  const { violations } = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});

test('filters count and choose; all words have to fit', async () => {
  await open();
  await userEvent.click(screen.getByRole('radio', { name: 'Shadowed 2' }));
  expect(screen.getAllByRole('row')).toHaveLength(3);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter rules' }), 'lint local');
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter rules' }), ' nothing');
  expect(screen.getByText('0 of 10 rules match.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(screen.getAllByRole('row')).toHaveLength(11);
});

test('the rows are gone through by keys, and Enter opens one', async () => {
  await open();
  row(/git push:/).focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(row(/npm run:/));
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('region', { name: 'Rule Bash(npm run:*)' })).toBeTruthy();
});

test('an edit is tried at once, shown with its file, and saved only then', async () => {
  await open();
  await userEvent.click(row(/npm run:/));
  const field = screen.getByRole('textbox', { name: 'Rules, one a line' });
  await userEvent.clear(field);
  await userEvent.type(field, 'Bash(npm run build){Control>}{Enter}{/Control}');
  await waitFor(() => expect(bridge.inputsOf('ledger.dry-run')).toHaveLength(1));
  expect(bridge.inputsOf('ledger.dry-run')[0]?.edits).toEqual([
    { scope: 'local', folder: '/work/shop', list: 'allow', before: 'Bash(npm run:*)', after: ['Bash(npm run build)'] },
  ]);
  const side = within(screen.getByRole('complementary', { name: 'Dry run' }));
  expect(side.getByText('not saved')).toBeTruthy();
  expect(row(/npm run:/).textContent).toContain('edited, not saved');
  // What allows more stands first.
  const calls = side.getAllByRole('row').map((each) => each.textContent?.replace(/\s+/g, ' '));
  expect(calls.slice(1)).toEqual([
    'npm run docsask allow1',
    'npm run deploy:stagingallow ask22',
    'npm run release headlessallow deny4',
  ]);
  expect(screen.getByText('checked 1,284 calls in 38 ms')).toBeTruthy();
  expect(bridge.inputsOf('ledger.save')).toEqual([]);
  await userEvent.click(side.getByRole('button', { name: 'Save 1 line' }));
  expect(bridge.inputsOf('ledger.save')[0]?.expected).toEqual([
    { file: '/work/shop/.claude/settings.local.json', after: sampleDryRun.files[0]?.after },
  ]);
  await waitFor(() => expect(screen.queryByText('not saved')).toBeNull());
  expect(viewStore.getState().announcement).toContain('It holds from the next decision on.');
});

test('edits are undone one by one, and a rule can be removed or moved', async () => {
  await open();
  await userEvent.click(row(/npm run:/));
  await userEvent.click(screen.getByRole('radio', { name: 'ask' }));
  await userEvent.click(screen.getByRole('button', { name: 'Try it' }));
  await userEvent.click(row(/notes/));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(row(/notes/).textContent).toContain('removed, not saved');
  expect(
    bridge
      .inputsOf('ledger.dry-run')
      .at(-1)
      ?.edits.map(({ list, before, after }) => [list, before, after]),
  ).toEqual([
    ['allow', 'Bash(npm run:*)', []],
    ['ask', undefined, ['Bash(npm run:*)']],
    ['allow', 'Read(~/notes/**)', []],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(row(/notes/).textContent).not.toContain('removed');
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByText('not saved')).toBeNull();
});

test('what cannot be saved says why, and the draft stays', async () => {
  bridge = installFakeBridge({
    'ledger.overview': () => sampleOverview,
    'ledger.dry-run': () => sampleDryRun,
    'ledger.save': () =>
      failing({ kind: 'not-writable', message: 'The rules cannot be saved in x.', hint: 'Look again.' }),
  });
  await open();
  await userEvent.click(row(/npm run:/));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save 1 line' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The rules cannot be saved in x. Look again.');
  expect(screen.getByText('not saved')).toBeTruthy();
});

test('an edit that cannot be made cannot be saved', async () => {
  bridge = installFakeBridge({
    'ledger.overview': () => sampleOverview,
    'ledger.dry-run': () => ({ ...sampleDryRun, problems: [{ edit: 0, message: 'Bash(x: This is no rule.' }] }),
  });
  await open();
  await userEvent.click(row(/npm run:/));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Bash(x: This is no rule.');
  expect(screen.getByRole('button', { name: 'Save 1 line' }).hasAttribute('disabled')).toBe(true);
});

test('rules that nobody may change here say so', async () => {
  await open();
  await userEvent.click(row(/internal/));
  expect(screen.getByText('An administrator set it. It cannot be changed here.')).toBeTruthy();
  await userEvent.click(row(/Grep/));
  expect(screen.getByText(/was added for single sessions/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try it' })).toBeNull();
});

test('from a rule to its decisions, and from a decision to its session', async () => {
  await open();
  await userEvent.click(row(/npm run:/));
  await userEvent.click(screen.getByRole('button', { name: '318 decisions in 9 sessions' }));
  await waitFor(() => expect(row(/npm publish/)).toBeTruthy());
  expect(bridge.inputsOf('ledger.decisions').at(-1)?.query.rule).toContain('Bash(npm run:*)');
  expect(row(/npm publish/).textContent).toContain('you denied it');
  await userEvent.click(screen.getByRole('radio', { name: 'Denied' }));
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  await userEvent.click(row(/git push/));
  expect(bridge.inputsOf('session.attach')).toEqual([{ sessionId: 'session-1', fromSeq: 0 }]);
  await waitFor(() => expect(viewStore.getState()).toMatchObject({ page: 'session', selectedCall: 'call-2' }));
});

test('while it is on screen it follows what is decided; elsewhere only the count', async () => {
  await open();
  expect(bridge.inputsOf('ledger.overview')).toHaveLength(1);
  await act(async () => bridge.push('ledger.changed', { decisions: 1_285, sessions: 96, unread: 0 }));
  expect(bridge.inputsOf('ledger.overview')).toHaveLength(2);
  viewStore.setState({ page: 'session' });
  await act(async () => bridge.push('ledger.changed', { decisions: 1_286, sessions: 96, unread: 0 }));
  expect(bridge.inputsOf('ledger.overview')).toHaveLength(2);
  expect(ledgerStore.getState().news?.decisions).toBe(1_286);
});

test('what cannot be read says so, and nothing is shown in its place', async () => {
  bridge = installFakeBridge({ 'ledger.overview': () => failing({ kind: 'not-readable', message: 'No way in.' }) });
  await open();
  expect(screen.getByText('No way in.')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('an older answer never covers a newer one', async () => {
  const answers: ((rows: typeof sampleDecisions) => void)[] = [];
  bridge = installFakeBridge({
    'ledger.overview': () => sampleOverview,
    'ledger.decisions': () =>
      new Promise((resolve) => answers.push((rows) => resolve({ total: rows.length, rows: [...rows] }))),
  });
  await open();
  act(() => look({ tab: 'decisions' }));
  act(() => look({ text: 'publish' }));
  await act(async () => answers[1]?.(sampleDecisions.slice(2, 3)));
  await act(async () => answers[0]?.(sampleDecisions));
  expect(ledgerStore.getState().decisions.rows).toHaveLength(1);
});

test('words of the table', () => {
  const now = new Date(2026, 2, 5, 9).getTime();
  expect([undefined, now, now - 86_400_000, now - 6 * 86_400_000].map((at) => lastUsedWords(at, now))).toEqual([
    'never',
    'today',
    'yesterday',
    '6 days ago',
  ]);
  expect(sampleOverview.rules.map(fromWords)).toContain('settings.local.json:5');
  expect(shownRules(sampleOverview.rules, { text: '', filter: 'unused' }).map(({ text }) => text)).toEqual([
    'Bash(npm run lint:*)',
    'Bash(git push origin dev)',
    'Read(~/notes/**)',
  ]);
});
