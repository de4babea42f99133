// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import { useFoldedPanels } from './folded-panels.ts';
import { layoutOf } from './layout.ts';

const open = () => {
  const { sidebarOpen, inspectorOpen } = viewStore.getState();
  return [sidebarOpen && 'sidebar', inspectorOpen && 'inspector'].filter(Boolean).join(' ');
};
const at = (width: number) => renderHook((w: number) => useFoldedPanels(layoutOf(w, 800)), { initialProps: width });

beforeEach(() => {
  viewStore.setState({ sidebarOpen: true, inspectorOpen: true, region: 'timeline' });
  sessionsStore.setState({ sessions: [{ sessionId: 's' } as never], loaded: true });
  sessionStore.setState({ phase: 'none' }, true);
});
afterEach(cleanup);

test('panels that would lie over the chart are closed as the window narrows, and come back as it widens', () => {
  const { rerender } = at(1440);
  expect(open()).toBe('sidebar inspector');
  rerender(1000);
  expect(open()).toBe('inspector');
  rerender(800);
  expect(open()).toBe('');
  rerender(1440);
  expect(open()).toBe('sidebar inspector');
});

test('what was closed by hand stays closed', () => {
  viewStore.setState({ inspectorOpen: false });
  const { rerender } = at(1440);
  rerender(700);
  rerender(1440);
  expect(open()).toBe('sidebar');
});

test('a narrow window starts with the chart, also when effects are set up twice', () => {
  renderHook(() => useFoldedPanels(layoutOf(700, 800)), { wrapper: StrictMode });
  expect(open()).toBe('');
});

test('an empty list stays away until there is something in it', () => {
  sessionsStore.setState({ sessions: [], loaded: true });
  at(1440);
  expect(open()).toBe('inspector');
  sessionsStore.setState({ sessions: [{ sessionId: 's' } as never] });
  expect(open()).toBe('sidebar inspector');
});
