// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { failing, installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { closeExport, exportStore, openExport, startExportStore } from './export-store.ts';

const sessionId = 's1' as SessionId;
const report = {
  total: 3,
  pictures: 1,
  kinds: [
    {
      kind: 'email',
      distinct: 2,
      count: 3,
      places: [{ callId: 'c', call: 'Bash(git log)', where: 'output' as const, count: 3 }],
      morePlaces: 0,
    },
  ],
};

type Answers = Parameters<typeof installFakeBridge>[0];

function show(answers: Answers = {}) {
  const bridge = installFakeBridge({
    'export.preview': ({ redact }) => ({ calls: 1, unusablePatterns: 0, ...(redact ? { report } : {}) }),
    'export.write': () => ({ saved: true, path: '/home/ann/shop.html' }),
    'export.cancel': () => undefined,
    'export.reveal': () => undefined,
    ...answers,
  });
  const state = new SessionScript().turn('t', 0, 900).state();
  sessionStore.setState({ phase: 'open', sessionId, state, events: [], version: 1, receivedAt: 0 }, true);
  const stop = startExportStore();
  render(<ExportDialog />);
  openExport();
  return { bridge, stop, user: userEvent.setup() };
}

beforeEach(() => exportStore.setState({ phase: 'closed' }, true));
afterEach(() => {
  closeExport();
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
});

const saveButton = () => screen.getByRole('button', { name: /^Save/ });

describe('the export dialog', () => {
  test('says what was found where before anything can be saved', async () => {
    const { bridge } = show();
    expect((await screen.findByText(/3 places will be replaced/)).textContent).toContain(
      '1 picture in it is not looked into',
    );
    const kinds = screen.getByRole('list', { name: 'What is replaced' });
    expect(within(kinds).getByText('e-mail address')).toBeTruthy();
    expect(within(kinds).getByText('output of Bash(git log), 3 times')).toBeTruthy();
    expect(bridge.inputsOf('export.write')).toEqual([]);
    expect(bridge.inputsOf('export.preview')).toMatchObject([{ sessionId, redact: true }]);
  });

  test('writes what was chosen and says where it is', async () => {
    const { bridge, user } = show();
    await screen.findByText(/3 places/);
    await user.click(screen.getByRole('radio', { name: /^SVG picture/ }));
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    await user.click(saveButton());
    await screen.findByText('/home/ann/shop.html');
    expect(bridge.inputsOf('export.write')).toMatchObject([{ format: 'svg', theme: 'light', redact: true }]);
    await user.click(screen.getByRole('button', { name: 'Show in folder' }));
    expect(bridge.inputsOf('export.reveal')).toHaveLength(1);
  });

  test('redacts nothing only by choice, and says what that means', async () => {
    const { bridge, user } = show();
    await screen.findByText(/3 places/);
    await user.click(screen.getByRole('checkbox', { name: /^Replace keys/ }));
    expect(await screen.findByText(/secrets too/)).toBeTruthy();
    expect(screen.queryByText(/3 places/)).toBeNull();
    await user.click(saveButton());
    expect(bridge.inputsOf('export.write')).toMatchObject([{ redact: false }]);
  });

  test('offers what the chart shows only to formats that can hold a part', async () => {
    const { user } = show();
    await screen.findByText(/3 places/);
    await user.click(screen.getByRole('radio', { name: /^Gantry journal/ }));
    expect(screen.getByText('This format holds sessions as a whole.')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^What the chart shows/ }).disabled).toBe(true);
  });

  test('stays as it was when the system’s dialog is closed, and tells what went wrong', async () => {
    let answer: () => { saved: boolean } = () => ({ saved: false });
    const { user } = show({ 'export.write': () => answer() });
    await screen.findByText(/3 places/);
    await user.click(saveButton());
    expect(await screen.findByRole('button', { name: 'Cancel' })).toBeTruthy();
    answer = () => failing({ kind: 'not-writable', message: 'The disk is full.' });
    await user.click(saveButton());
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  });

  test('shows how far it has come, and stops what it began when it is closed', async () => {
    const { bridge, user } = show({ 'export.write': () => new Promise(() => undefined) });
    await screen.findByText(/3 places/);
    await user.click(saveButton());
    const [{ exportId } = { exportId: '' }] = bridge.inputsOf('export.write');
    bridge.push('export.progress', { exportId: 'another', phase: 'writing', written: 9 });
    bridge.push('export.progress', { exportId, phase: 'writing', written: 2_097_152 });
    expect(await screen.findByText('Writing, 2 MB')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(bridge.inputsOf('export.cancel')).toEqual([{ exportId }]);
    expect(exportStore.getState().phase).toBe('closed');
  });
});
