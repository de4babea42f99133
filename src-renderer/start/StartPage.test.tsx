// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionId } from '../../src-shared/ids.ts';
import type { ScenarioSummary } from '../../src-shared/session/summary.ts';
import { type FakeBridge, failing, installFakeBridge } from '../bridge.fake.ts';
import { appStore } from '../state/app-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { DropTarget } from './DropTarget.tsx';
import { PICTURE_NAMES } from './ScenarioPicture.tsx';
import { StartPage } from './StartPage.tsx';

const scenario = (name: string, title: string, picture = 'cascade'): ScenarioSummary => ({
  name,
  title,
  description: 'One command fails.',
  calls: 5,
  picture,
});

const dropped = new File(['{}'], 'session.jsonl');
const nowhere = new File(['x'], 'from-a-mail.jsonl');
let bridge: FakeBridge;
beforeEach(() => {
  bridge = installFakeBridge(
    {
      'scenario.start': ({ name }) =>
        name === 'broken'
          ? failing({
              kind: 'not-readable',
              message: 'The scenario broken.yaml cannot be read.',
              hint: 'Line 3 is not YAML.',
            })
          : { sessionId: SessionId.parse('new') },
      'transcript.open': ({ path }) =>
        failing({ kind: 'not-readable', message: `${path} is not a transcript.`, hint: 'Choose a .jsonl file.' }),
      'session.attach': () => ({ events: [], more: false, total: 0 }),
    },
    new Map([[dropped, '/work/session.jsonl']]),
  );
  sessionStore.setState({ phase: 'none' }, true);
  appStore.setState({ starting: undefined, reading: undefined, openProblem: undefined });
  sessionsStore.setState({ scenarios: [scenario('cascade', 'Cascade'), scenario('broken', 'Broken')], loaded: true });
});
afterEach(cleanup);

const dropOn = (files: readonly File[]): void => {
  fireEvent.drop(window, { dataTransfer: { files, types: ['Files'] } });
};

test('a tile is named by all its words, its title first, and starts its scenario', async () => {
  render(<StartPage />);
  const tile = screen.getByRole('button', { name: /^Cascade/ });
  expect(tile.textContent).toContain('One command fails.');
  await userEvent.click(tile);
  expect(bridge.inputsOf('scenario.start')).toEqual([{ name: 'cascade' }]);
  await waitFor(() => expect(sessionStore.getState()).toMatchObject({ phase: 'open', sessionId: 'new' }));
});

test('two clicks start one session', async () => {
  render(<StartPage />);
  fireEvent.click(screen.getByRole('button', { name: /^Cascade/ }));
  fireEvent.click(screen.getByRole('button', { name: /^Cascade/ }));
  await waitFor(() => expect(appStore.getState().starting).toBeUndefined());
  expect(bridge.inputsOf('scenario.start')).toHaveLength(1);
});

test('a scenario that does not start says why on the page, until it is closed', async () => {
  render(<StartPage />);
  await userEvent.click(screen.getByRole('button', { name: /^Broken/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The scenario broken.yaml cannot be read. Line 3 is not YAML.');
  await userEvent.click(screen.getByRole('button', { name: 'Close this message' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a file dropped anywhere is opened by its path, and told about when it cannot be read', async () => {
  render(
    <>
      <StartPage />
      <DropTarget />
    </>,
  );
  dropOn([dropped]);
  expect((await screen.findByRole('alert')).textContent).toBe(
    '/work/session.jsonl is not a transcript. Choose a .jsonl file.',
  );
  expect(bridge.inputsOf('transcript.open')).toEqual([{ path: '/work/session.jsonl' }]);
});

test('something without a path on disk is refused with a way out', async () => {
  render(
    <>
      <StartPage />
      <DropTarget />
    </>,
  );
  dropOn([nowhere]);
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^from-a-mail.jsonl has no path on this machine\. Save it/,
  );
  expect(bridge.inputsOf('transcript.open')).toEqual([]);
});

test('while files hover over the window a frame says what dropping does', () => {
  render(<DropTarget />);
  const drag = { dataTransfer: { types: ['Files'] } };
  fireEvent.dragEnter(window, drag);
  fireEvent.dragEnter(window, drag);
  fireEvent.dragLeave(window, drag);
  expect(
    screen.getByText('Drop it to read it, or to add a picture to the message. Files are not changed.'),
  ).toBeTruthy();
  fireEvent.dragLeave(window, drag);
  expect(screen.queryByTestId('drop-frame')).toBeNull();
});

test('every picture draws, an unknown name too', () => {
  sessionsStore.setState({ scenarios: [...PICTURE_NAMES, 'unheard-of'].map((name) => scenario(name, name, name)) });
  const { container } = render(<StartPage />);
  const pictures = [...container.querySelectorAll('li svg')];
  expect(pictures).toHaveLength(PICTURE_NAMES.length + 1);
  for (const picture of pictures) expect(picture.querySelectorAll('path').length).toBeGreaterThan(2);
});
