// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { EventFacts, SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession, type SessionState } from '../../src-shared/session/state.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { instant, sessionTime } from '../../src-shared/units.ts';
import { ShellPart } from '../background/ShellPart.tsx';
import { ShellsButton } from '../background/ShellsButton.tsx';
import { sampleShell, stateWith } from '../background/samples.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { openDropped } from '../commands/actions.ts';
import { COMMANDS } from '../commands/commands.ts';
import { commandContext } from '../commands/keyboard.ts';
import { PausedBar } from '../debugger/PausedBar.tsx';
import { accessStore } from '../state/access-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { McpButton } from './McpButton.tsx';
import { StatusBar } from './StatusBar.tsx';

/** A window that only looks at a session offers nothing that acts on it, and says why. */

const why = 'Another window of Gantry works in this session. It is shown here read-only.';
const sessionId = 'made-up' as SessionId;
let bridge: FakeBridge;

beforeEach(() => {
  bridge = installFakeBridge({});
  viewStore.setState({ selectedCall: undefined, announcement: '' });
  accessStore.setState({ [sessionId]: { kind: 'reader', why, takeOver: true } }, true);
});
afterEach(cleanup);

function show(script: SessionScript, ...more: readonly EventFacts[]): SessionState {
  const before = script.events();
  const last = before.at(-1);
  const events = [
    ...before,
    ...more.map(
      (facts, at) =>
        ({
          ...facts,
          seq: before.length + at,
          at: instant((last?.at ?? 0) + at),
          t: sessionTime(9_000),
        }) as SessionEvent,
    ),
  ];
  const state = foldSession(events);
  sessionStore.setState({ phase: 'open', sessionId, state, events, version: 1, receivedAt: 0 }, true);
  return state;
}

/** A turn with a call that runs, one that asks and one in the queue. */
const script = () =>
  new SessionScript()
    .turn('t', 0)
    .call({ id: 'runs', tool: 'Bash', summary: 'sleep 9', queued: 0, start: 10, stages: [['run', 20]] })
    .call({ id: 'asks', tool: 'Edit', queued: 5, start: 30, ask: [40] })
    .call({ id: 'waits', tool: 'Read', queued: 6 });

/** Of the buttons with these names: off, with the reason. */
function expectOff(...names: readonly (string | RegExp)[]): void {
  for (const name of names) {
    const button = screen.getByRole<HTMLButtonElement>('button', { name });
    expect([String(name), button.disabled, button.title]).toEqual([String(name), true, why]);
    fireEvent.click(button);
  }
  expect(bridge.asked).toEqual([]);
}

const hold: EventFacts = { type: 'queue-held', on: true, by: 'person' };
const pause = (callId: string): EventFacts =>
  ({ type: 'call-paused', callId, breakpointId: 'b', why: 'before' }) as EventFacts;

function shown(element: ReactElement): void {
  render(element);
}

test('the bar of a held queue', () => {
  show(script(), hold);
  shown(<PausedBar />);
  expectOff(/^Start one/, /^Let the queue go/);
  act(() => accessStore.setState({ [sessionId]: { kind: 'owner' } }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Start one/ }).disabled).toBe(false);
});

test('the bar of a call at a breakpoint, which can still be looked at', () => {
  show(script(), pause('runs'));
  shown(<PausedBar />);
  expectOff('Edit the input', /^Step/, 'Go on');
  fireEvent.click(screen.getByRole('button', { name: 'Inspect' }));
  expect(viewStore.getState().selectedCall).toBe('runs');
});

test('shells in the background, in the status bar and in the inspector', () => {
  const state = stateWith(sampleShell());
  shown(<ShellsButton state={state} sessionId={sessionId} />);
  fireEvent.click(screen.getByRole('button', { name: '1 in background' }));
  expectOff('Stop bash_1');
  cleanup();
  shown(<ShellPart state={state} sessionId={sessionId} call={{ callId: 'launch' } as ToolCall} />);
  expectOff('Stop');
});

test('servers', () => {
  const state = show(script(), { type: 'mcp-server-changed', server: 'files', scope: 'project', status: 'failed' });
  shown(<McpButton state={state} sessionId={sessionId} />);
  fireEvent.click(screen.getByRole('button', { name: /MCP servers/ }));
  expectOff('Reconnect files');
});

test('the status bar promises no stop, and nobody waits for the person there', () => {
  show(script());
  shown(<StatusBar />);
  const words = () => screen.getByTestId('status-bar').textContent;
  expect(words()).not.toMatch(/Esc stops|for you/);
  act(() => accessStore.setState({ [sessionId]: { kind: 'owner' } }));
  expect(words()).toMatch(/1 waits for you.*Esc stops/);
});

test('commands of the palette', () => {
  show(script());
  const usable = () => COMMANDS.filter(({ when }) => when(commandContext())).map(({ id }) => id);
  const acting = ['turn.stop', 'permission.board', 'debug.hold', 'debug.step', 'session.compact', 'session.model'];
  expect(usable().filter((id) => acting.includes(id))).toEqual([]);
  expect(usable()).toContain('timeline.follow');
  accessStore.setState({ [sessionId]: { kind: 'owner' } });
  expect(usable()).toContain('turn.stop');
});

test('a picture that is dropped', async () => {
  show(script());
  await openDropped([new File(['x'], 'a.png', { type: 'image/png' })]);
  expect([viewStore.getState().announcement, bridge.asked]).toEqual([why, []]);
});
