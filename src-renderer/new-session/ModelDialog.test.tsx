// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { KeyState } from '../../src-shared/model/key-state.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { viewStore } from '../state/view-store.ts';
import { EMPTY_FORM } from './form.ts';
import { formStore } from './form-store.ts';
import { ModelDialog } from './ModelDialog.tsx';

let bridge: FakeBridge;
let key: KeyState;
let models: () => { models: { id: string; name?: string }[] };

beforeEach(() => {
  key = { from: 'none', isOptional: false, protection: 'system' };
  models = () => ({ models: [{ id: 'claude-opus-4-1', name: 'Opus' }, { id: 'claude-sonnet-4-5' }] });
  formStore.setState({ form: EMPTY_FORM, folders: [], isReady: false }, true);
  viewStore.setState({ modelDialog: 'new-session' });
  bridge = installFakeBridge({
    'start.options': () => ({ folders: ['/work/shop', '/work/other'] }),
    'keys.state': () => key,
    'keys.set': ({ keep }) => {
      key = { ...key, from: keep };
      return key;
    },
    'keys.remove': () => {
      key = { ...key, from: 'none' };
      return key;
    },
    'models.list': () => models(),
    'folder.choose': () => ({ path: '/work/chosen' }),
    'session.start': () => ({ sessionId: 'new' as SessionId }),
    'session.attach': () => ({ events: [], more: false, total: 0 }),
    'session.detach': () => undefined,
  });
});
afterEach(() => {
  viewStore.setState({ modelDialog: 'closed' });
  cleanup();
});

async function open() {
  const user = userEvent.setup();
  render(<ModelDialog />);
  const dialog = within(await screen.findByRole('dialog', { name: 'New session' }));
  await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Folder' })).toHaveProperty('value', '/work/shop'));
  return { user, dialog };
}

test('a session starts by keyboard alone: folder, model, message, Ctrl Enter', async () => {
  key = { from: 'environment', variable: 'ANTHROPIC_API_KEY', isOptional: false, protection: 'system' };
  const { user, dialog } = await open();
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Folder' }));
  expect(await dialog.findByText('From the environment, ANTHROPIC_API_KEY.')).toBeTruthy();
  const model = dialog.getByRole('combobox', { name: 'Model' });
  await user.click(model);
  await user.keyboard('{ArrowDown}');
  await dialog.findByRole('option', { name: /claude-opus-4-1/ });
  await user.keyboard('{ArrowDown}{Enter}');
  expect(model).toHaveProperty('value', 'claude-sonnet-4-5');
  await user.type(dialog.getByRole('textbox', { name: 'Message' }), 'Fix the rounding');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(viewStore.getState().modelDialog).toBe('closed'));
  expect(bridge.inputsOf('session.start')).toEqual([
    {
      cwd: '/work/shop',
      model: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
      mode: 'default',
      prompt: 'Fix the rounding',
    },
  ]);
  expect(formStore.getState().form).toMatchObject({ prompt: '', folder: '/work/shop' });
});

test('what is missing is said at its field, and nothing starts', async () => {
  const { user, dialog } = await open();
  expect(dialog.queryByText('Choose a model, or type its name.')).toBeNull();
  await user.click(dialog.getByRole('button', { name: /Start session/ }));
  expect(dialog.getByText('Choose a model, or type its name.')).toBeTruthy();
  expect(bridge.inputsOf('session.start')).toEqual([]);
});

test('a server that cannot be asked says why, and the model can be typed', async () => {
  models = () =>
    failing({ kind: 'unsupported', message: 'Nobody answers at 127.0.0.1:11434.', hint: 'Start the server.' });
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('radio', { name: 'OpenAI-compatible' }));
  await user.click(dialog.getByRole('button', { name: 'Ollama' }));
  await user.click(dialog.getByRole('button', { name: 'List the server’s models' }));
  expect(await dialog.findByText('Nobody answers at 127.0.0.1:11434. Start the server.')).toBeTruthy();
  await user.type(dialog.getByRole('combobox', { name: 'Model' }), 'llama');
  await user.click(dialog.getByRole('button', { name: /Start session/ }));
  expect(bridge.inputsOf('session.start')).toMatchObject([
    { model: { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama' } },
  ]);
});

test('nothing is asked of a server before its list is opened', async () => {
  await open();
  expect(bridge.inputsOf('models.list')).toEqual([]);
});

test('a key that is typed goes to main, and nothing of it stays in the window', async () => {
  const { user, dialog } = await open();
  await user.type(await dialog.findByLabelText('Key'), 'sk-secret{Enter}');
  expect(await dialog.findByText('Kept, encrypted by the system.')).toBeTruthy();
  expect(bridge.inputsOf('keys.set')).toEqual([{ provider: 'anthropic', key: 'sk-secret', keep: 'stored' }]);
  expect(document.body.innerHTML).not.toContain('sk-secret');
  expect(JSON.stringify(formStore.getState())).not.toContain('sk-secret');
  await user.click(dialog.getByRole('button', { name: 'Forget' }));
  expect(await dialog.findByLabelText('Key')).toHaveProperty('value', '');
});

test('without a keyring a key is kept for this run, unless the person agrees to more', async () => {
  key = { from: 'none', isOptional: false, protection: 'weak' };
  const { user, dialog } = await open();
  expect(await dialog.findByText(/This system has no keyring/)).toBeTruthy();
  const field = dialog.getByLabelText('Key');
  await user.type(field, 'one{Enter}');
  expect(await dialog.findByText('Kept until Gantry ends.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Replace' }));
  await user.click(dialog.getByRole('checkbox'));
  await user.type(dialog.getByLabelText('Key'), 'two{Enter}');
  await waitFor(() => expect(bridge.inputsOf('keys.set').map(({ keep }) => keep)).toEqual(['this-run', 'stored']));
  expect(await dialog.findByText('Kept, weakly guarded.')).toBeTruthy();
});

test('a folder is chosen in the system’s dialog, or is one used lately', async () => {
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('button', { name: '/work/other' }));
  expect(dialog.getByRole('textbox', { name: 'Folder' })).toHaveProperty('value', '/work/other');
  await user.click(dialog.getByRole('button', { name: 'Choose…' }));
  expect(bridge.inputsOf('folder.choose')).toEqual([{ from: '/work/other' }]);
  await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Folder' })).toHaveProperty('value', '/work/chosen'));
});

test('Escape closes the list of models first, then the dialog, which forgets nothing', async () => {
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('combobox', { name: 'Model' }));
  await user.keyboard('{ArrowDown}');
  await dialog.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(dialog.queryByRole('listbox')).toBeNull();
  expect(viewStore.getState().modelDialog).toBe('new-session');
  await user.type(dialog.getByRole('textbox', { name: 'Message' }), 'Later');
  await user.keyboard('{Escape}');
  expect(viewStore.getState().modelDialog).toBe('closed');
  act(() => viewStore.setState({ modelDialog: 'new-session' }));
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Later');
});
