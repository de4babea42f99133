// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallId } from '../../src-shared/ids.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { type FakeBridge, installFakeBridge } from '../bridge.fake.ts';
import { nextMode } from '../modes/mode-words.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';
import { registerChart } from '../timeline/actions.ts';
import { COMMANDS } from './commands.ts';
import { commandContext, escapeStep, startKeyboard } from './keyboard.ts';

const initial = viewStore.getState();
let bridge: FakeBridge;
let stop: () => void;

const show = (script: SessionScript): void => {
  const events = script.events();
  sessionStore.setState(
    { phase: 'open', sessionId: 'made-up' as never, state: script.state(), events, version: 1, receivedAt: 0 },
    true,
  );
};

beforeEach(() => {
  vi.stubGlobal('innerWidth', 1440);
  viewStore.setState(initial, true);
  sessionStore.setState({ phase: 'none' }, true);
  bridge = installFakeBridge({
    'session.interrupt': () => ({ interrupted: true }),
    'session.set-mode': () => undefined,
    'transcript.choose': () => ({}),
  });
  stop = startKeyboard();
  document.body.innerHTML =
    '<div data-chart tabindex="0" id="chart"></div><input id="field"><button id="button"></button>';
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const press = (key: string, options: KeyboardEventInit & { readonly on?: string } = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  (options.on === undefined ? document.body : (document.querySelector(options.on) as Element)).dispatchEvent(event);
  return event;
};

describe('Escape', () => {
  const nothing = {
    paletteOpen: false,
    legendOpen: false,
    page: 'session',
    focusedCascade: undefined,
    selectedCall: undefined,
  } as const;
  const call = 'c1' as CallId;
  const quiet = { overlay: false, inTurn: false };

  test('closes, then clears, then stops, one thing at a time', () => {
    const running = { overlay: true, inTurn: true };
    const all = { ...nothing, paletteOpen: true, legendOpen: true, focusedCascade: call, selectedCall: call };
    expect(escapeStep(all, running)).toBe('close-palette');
    expect(escapeStep({ ...all, paletteOpen: false }, running)).toBe('close-legend');
    expect(escapeStep({ ...nothing, focusedCascade: call, selectedCall: call }, running)).toBe('close-overlay');
    expect(escapeStep({ ...nothing, focusedCascade: call, selectedCall: call }, { ...running, overlay: false })).toBe(
      'clear-cascade',
    );
    expect(escapeStep({ ...nothing, selectedCall: call }, { overlay: false, inTurn: true })).toBe('clear-selection');
    expect(escapeStep(nothing, { overlay: false, inTurn: true })).toBe('stop-turn');
    expect(escapeStep(nothing, quiet)).toBe('nothing');
    // What runs behind the ledger is not stopped from there.
    expect(escapeStep({ ...nothing, page: 'ledger', selectedCall: call }, { overlay: false, inTurn: true })).toBe(
      'leave-page',
    );
  });

  test('stops the turn, asks nothing, and says what it stopped', async () => {
    show(new SessionScript().turn('t', 0).call({ id: 'a', tool: 'Bash', summary: 'npm test', queued: 1, start: 2 }));
    press('Escape');
    await expect.poll(() => viewStore.getState().announcement).toBe('Stopped the turn: npm test.');
    expect(bridge.inputsOf('session.interrupt')).toEqual([{ sessionId: 'made-up', reason: 'escape' }]);
  });

  test('works while a text is typed, but not when the field has used it', () => {
    show(new SessionScript().turn('t', 0));
    const field = document.querySelector('#field') as HTMLElement;
    const consume = (event: Event): void => event.preventDefault();
    field.addEventListener('keydown', consume);
    press('Escape', { on: '#field' });
    expect(bridge.inputsOf('session.interrupt')).toHaveLength(0);
    field.removeEventListener('keydown', consume);
    press('Escape', { on: '#field' });
    expect(bridge.inputsOf('session.interrupt')).toHaveLength(1);
  });

  test('held down it stops once, and in a session where nothing runs it stops nothing', () => {
    show(new SessionScript().turn('t', 0));
    press('Escape');
    press('Escape', { repeat: true });
    expect(bridge.inputsOf('session.interrupt')).toHaveLength(1);
    show(new SessionScript().turn('t', 0, 10));
    press('Escape');
    expect(bridge.inputsOf('session.interrupt')).toHaveLength(1);
  });
});

describe('single letters', () => {
  test('reach the chart only while it has the focus', () => {
    show(new SessionScript().turn('t', 0));
    const done: string[] = [];
    const note = (name: string) => () => void done.push(name);
    const stopChart = registerChart({
      fit: note('fit'),
      zoomIn: note('in'),
      zoomOut: note('out'),
      fitSelection: note('fit selection'),
      zoomToTurn: note('turn'),
      toggleFollow: note('follow'),
      barPosition: () => undefined,
      look: () => undefined,
    });
    for (const on of ['#field', '#button', 'body']) press('f', { on });
    expect(done).toEqual([]);
    press('f', { on: '#chart' });
    press('0', { on: '#chart' });
    expect(done).toEqual(['follow', 'fit']);
    stopChart();
  });

  test('the question mark opens the legend, except while a text is typed', () => {
    press('?', { on: '#field', shiftKey: true });
    expect(viewStore.getState().legendOpen).toBe(false);
    press('?', { on: '#button', shiftKey: true });
    expect(viewStore.getState().legendOpen).toBe(true);
  });
});

describe('with Ctrl', () => {
  test('the palette opens and closes, and holds back other shortcuts while it is open', () => {
    expect(press('k', { ctrlKey: true, on: '#field' }).defaultPrevented).toBe(true);
    expect(viewStore.getState().paletteOpen).toBe(true);
    press('o', { ctrlKey: true });
    expect(bridge.asked).toEqual([]);
    press('k', { ctrlKey: true });
    expect(viewStore.getState().paletteOpen).toBe(false);
    press('o', { ctrlKey: true });
    expect(bridge.asked).toEqual([{ name: 'transcript.choose', input: undefined }]);
  });

  test('panels are shown and hidden; the inspector only with a session', () => {
    press('b', { ctrlKey: true });
    expect(viewStore.getState().sidebarOpen).toBe(false);
    press('i', { ctrlKey: true });
    expect(viewStore.getState().inspectorOpen).toBe(true);
    show(new SessionScript());
    press('i', { ctrlKey: true });
    expect(viewStore.getState().inspectorOpen).toBe(false);
  });
});

describe('Shift+Tab', () => {
  test('changes the mode from the chart, and stays the way back everywhere else', async () => {
    show(new SessionScript());
    expect(press('Tab', { shiftKey: true, on: '#button' }).defaultPrevented).toBe(false);
    expect(press('Tab', { shiftKey: true, on: '#chart' }).defaultPrevented).toBe(true);
    await expect.poll(() => viewStore.getState().announcement).toMatch(/^Accept edits/);
    expect(bridge.inputsOf('session.set-mode')).toEqual([{ sessionId: 'made-up', mode: 'acceptEdits' }]);
  });

  test('goes round, and leads back into the round from outside', () => {
    expect(['default', 'acceptEdits', 'plan', 'auto'].map((mode) => nextMode(mode as 'default'))).toEqual([
      'acceptEdits',
      'plan',
      'auto',
      'default',
    ]);
    expect(nextMode('bypassPermissions')).toBe('default');
    expect(nextMode('dontAsk')).toBe('default');
  });

  test('does nothing to a file', () => {
    show(new SessionScript({ origin: { kind: 'imported', format: 'claude-code', path: '/x', clock: 'recorded' } }));
    press('Tab', { shiftKey: true, on: '#chart' });
    expect(bridge.asked).toEqual([]);
  });
});

describe('the table', () => {
  test('no id and no key stands twice', () => {
    const ids = COMMANDS.map((command) => command.id);
    const keys = COMMANDS.flatMap((command) => command.keys ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('without a session only what makes sense can be used', () => {
    const usable = COMMANDS.filter((command) => command.when(commandContext())).map((command) => command.id);
    expect(usable).toEqual([
      'session.new',
      'transcript.open',
      'sessions.search',
      'app.new-window',
      'ledger.show',
      'library.show',
      'vault.show',
      'library.places',
      'palette.open',
      'sidebar.toggle',
      'theme.toggle',
      'legend.open',
    ]);
  });

  test('every title is a sentence without an end', () => {
    for (const { title } of COMMANDS) expect(title).toMatch(/^[A-Z][^.!]*$/);
  });
});
