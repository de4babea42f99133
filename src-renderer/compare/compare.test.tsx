// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { failing, installFakeBridge } from '../bridge.fake.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { closeCompare, openCompare } from './compare-store.ts';

const run = (fails: boolean) =>
  new SessionScript()
    .turn('turn-1', 0, 3_000)
    .call({ id: 'read', tool: 'Read', summary: 'a.ts', queued: 100, start: 100, end: 200 })
    .call({
      id: 'test',
      tool: 'Bash',
      summary: 'npm test',
      queued: 300,
      start: 300,
      end: 2_000,
      outcome: fails ? 'error' : 'ok',
    });
const id = (name: string) => name as SessionId;
const row = (name: string) => ({ sessionId: id(name), title: `Session ${name}`, calls: 2, durationMs: 3_000 }) as never;

const page = () => ({ events: [...run(true).events()], more: false, total: 1 });

function start(other: typeof page = page) {
  const bridge = installFakeBridge({ 'session.attach': other, 'session.detach': () => undefined });
  sessionsStore.setState({ sessions: [row('one'), row('two')] });
  const script = run(false);
  sessionStore.setState(
    { phase: 'open', sessionId: id('one'), state: script.state(), events: script.events(), version: 1, receivedAt: 0 },
    true,
  );
  render(<CompareDialog />);
  return bridge;
}

afterEach(() => {
  closeCompare();
  cleanup();
  sessionStore.setState({ phase: 'none' }, true);
  sessionsStore.setState({ sessions: [] });
});

test('another session of the list is read, let go of, and compared with the one on screen', async () => {
  const bridge = start();
  act(() => openCompare(id('two')));
  const table = await screen.findByRole('table', { name: 'Differences' });
  expect(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((one) => one.textContent),
  ).toEqual(['0.3 s0.3 sBash(npm test)ok in A, error in Bfirst difference']);
  expect(screen.getByText('The first call is the same.')).toBeTruthy();
  expect(bridge.inputsOf('session.detach')).toEqual([{ sessionId: 'two' }]);
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  await userEvent.click(within(table).getByRole('button', { name: 'Bash(npm test)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Show in A' }));
  expect([viewStore.getState().selectedCall, screen.queryByRole('dialog')]).toEqual(['test', null]);
});

test('a session and itself differ in nothing; a session that cannot be read is told', async () => {
  start(() => failing({ kind: 'not-found', message: 'The file is gone.' }));
  act(() => openCompare(id('two')));
  expect((await screen.findByRole('alert')).textContent).toContain('The file is gone.');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Session B' }), 'one');
  expect(await screen.findByText('Both sides are the same. Choose another session or turn.')).toBeTruthy();
});
