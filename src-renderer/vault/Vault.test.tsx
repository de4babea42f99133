// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LibraryPlaces } from '../../src-shared/library/view.ts';
import type { VaultOutcome, VaultOverview, VaultState } from '../../src-shared/vault/view.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { sampleRow } from '../library/samples.ts';
import { PlacesDialog } from './PlacesDialog.tsx';
import { samplePlaces, sampleVault } from './samples.ts';
import { VaultDialog } from './VaultDialog.tsx';
import { VaultRestore } from './VaultRestore.tsx';
import { VaultStatus } from './VaultStatus.tsx';
import { emptyVault, showPlaces, showVault, startVaultStore, vaultStore } from './vault-store.ts';

let bridge: FakeBridge;
let stop: () => void;
let overview: VaultOverview;
let places: LibraryPlaces;
let chosen: string | undefined;
let refusal: string | undefined;

beforeEach(() => {
  vaultStore.setState(emptyVault, true);
  overview = sampleVault;
  places = samplePlaces;
  chosen = '/media/mira/new';
  refusal = undefined;
  bridge = installFakeBridge({
    'vault.overview': () => overview,
    'vault.choose': ({ folder }) => {
      if (refusal !== undefined) failing({ kind: 'bad-input', message: refusal, hint: 'Choose another.' });
      overview = { ...sampleVault, folder };
    },
    'vault.leave': () => {
      overview = { whileRunning: false, state: { kind: 'idle' } };
    },
    'vault.set': ({ whileRunning }) => {
      overview = { ...overview, whileRunning };
    },
    'vault.run': () => undefined,
    'vault.verify': () => undefined,
    'vault.stop': () => undefined,
    'vault.restore': () => undefined,
    'library.places': () => places,
    'library.set-folder': () => undefined,
    'library.set-program': () => undefined,
    'folder.choose': () => (chosen === undefined ? {} : { path: chosen }),
  });
  stop = startVaultStore();
});
afterEach(() => {
  stop();
  cleanup();
});

async function open(show: () => void): Promise<HTMLElement> {
  render(
    <>
      <VaultDialog />
      <PlacesDialog />
      <VaultStatus />
    </>,
  );
  await act(async () => show());
  return screen.getByRole('dialog');
}
const push = (state: VaultState): Promise<void> => act(async () => bridge.push('vault.changed', { state }));
const violations = async (element: HTMLElement): Promise<readonly string[]> =>
  (await axe.run(element, { rules: { region: { enabled: false } } })).violations.map(({ id }) => id);

test('without a folder it says what the vault is for, and a chosen folder becomes it', async () => {
  overview = { whileRunning: false, state: { kind: 'idle' } };
  const dialog = await open(showVault);
  expect(dialog.textContent).toContain('Programs delete their own sessions');
  expect(within(dialog).queryByRole('button', { name: 'Run now' })).toBeNull();
  refusal = '/media/mira/new lies in /home/mira/.claude/projects, which is to be copied.';
  await userEvent.click(within(dialog).getByRole('button', { name: 'Choose a folder…' }));
  expect((await within(dialog).findByRole('alert')).textContent).toBe(`${refusal} Choose another.`);
  refusal = undefined;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Choose a folder…' }));
  await waitFor(() => expect(dialog.textContent).toContain('/media/mira/new'));
  expect(within(dialog).queryByRole('alert')).toBeNull();
});

test('what is covered stands there by program, with the last run, what waits and what is not copied', async () => {
  const dialog = await open(showVault);
  const rows = within(dialog)
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows).toContain('Claude Code4,1049,3121.8 GB');
  expect(rows).toContain('Folders you have added12401.1 MB');
  expect(rows.at(-1)).toBe('All4,50110,0662 GB');
  expect(dialog.textContent).toContain('14 files, 2.4 MB copied, 1 file could not be copied');
  expect(dialog.textContent).toContain('950 sessions whose own file is gone');
  expect(dialog.textContent).toContain('1 database of other programs');
  expect(await violations(dialog)).toEqual([]);
});

test('a run is followed, stopped, and says what it came to', async () => {
  const dialog = await open(showVault);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Run now' }));
  expect(bridge.inputsOf('vault.run')).toHaveLength(1);
  await push({ kind: 'busy', work: 'run', files: 12, ofFiles: 40, bytes: 1_024, ofBytes: 4_096 });
  expect(within(dialog).getByText('Copying 12 of 40 files, 1 KB of 4 KB')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Done' }).getAttribute('value')).toBe('1024');
  expect(within(dialog).queryByRole('button', { name: 'Verify' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
  expect(bridge.inputsOf('vault.stop')).toHaveLength(1);
  const first = Array.from({ length: 7 }, (_, at) => ({ path: `/p/${at}`, message: `/p/${at} is a link.` }));
  const outcome = { work: 'run', message: 'Stopped. 12 files copied.', first, problems: 9, done: true } as const;
  overview = { ...overview, state: { kind: 'idle', outcome } };
  await push(overview.state);
  expect(within(dialog).getByText('Stopped. 12 files copied.')).toBeTruthy();
  expect(within(dialog).getByText('and 4 more')).toBeTruthy();
});

test('a folder that is not there is said so, and can be changed or left', async () => {
  const { status: _, ...without } = sampleVault;
  overview = { ...without, problem: { message: 'There is no vault in /media.', hint: 'Is the disk connected?' } };
  const dialog = await open(showVault);
  expect(within(dialog).getByRole('alert').textContent).toContain('Is the disk connected?');
  expect(within(dialog).getByRole('button', { name: 'Run now' }).hasAttribute('disabled')).toBe(true);
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Keep it up to date/ }));
  expect(bridge.inputsOf('vault.set')).toEqual([{ whileRunning: false }]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave it' }));
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Choose a folder…' })).toBeTruthy());
});

test('a session that only the vault has is put back, or restored to a folder that is asked for', async () => {
  render(<VaultRestore row={sampleRow(7, { inVault: true })} />);
  await userEvent.click(screen.getByRole('button', { name: 'Put it back' }));
  await userEvent.click(screen.getByRole('button', { name: 'Restore to a folder…' }));
  chosen = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Restore to a folder…' }));
  expect(bridge.inputsOf('vault.restore')).toEqual([{ id: 7 }, { id: 7, to: '/media/mira/new' }]);
  const outcome: VaultOutcome = {
    work: 'restore',
    message: '3 files restored, 27 B.',
    first: [],
    problems: 0,
    done: true,
  };
  await push({ kind: 'idle', outcome });
  expect(screen.getByRole('status').textContent).toBe('3 files restored, 27 B.');
});

test('programs are left out and folders added or taken away; one that is not there is said to be missing', async () => {
  const dialog = await open(showPlaces);
  const codex = within(dialog).getByRole('checkbox', { name: /^Codex 312 files/ });
  expect((codex as HTMLInputElement).checked).toBe(false);
  await userEvent.click(codex);
  expect(bridge.inputsOf('library.set-program')).toEqual([{ format: 'codex', on: true }]);
  expect(within(dialog).getByText('is not there')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Take /media/mira/old away' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a folder…' }));
  expect(bridge.inputsOf('library.set-folder')).toEqual([
    { folder: '/media/mira/old', on: false },
    { folder: '/media/mira/new', on: true },
  ]);
  expect(await violations(dialog)).toEqual([]);
});
