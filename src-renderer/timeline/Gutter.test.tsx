// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { metricsOf } from '../../src-shared/chart/metrics.ts';
import { rowsOf } from '../../src-shared/chart/rows.ts';
import type { AgentId } from '../../src-shared/ids.ts';
import { buildTimeline } from '../../src-shared/timeline/model.ts';
import type { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { resetView, viewStore } from '../state/view-store.ts';
import { createChartStore, rowsSignature } from './chart-store.ts';
import { Gutter } from './Gutter.tsx';
import { PERMISSIONS_COLLAPSED, permissionSession } from './samples/permissions.ts';
import { roundingSession } from './samples/rounding.ts';

function show(script: SessionScript, collapsed: readonly string[] = [], selected?: string): void {
  const model = buildTimeline(script.state(), {
    now: sessionTime(0),
    collapsedAgents: collapsed as never,
    selectedCall: selected as never,
  });
  const store = createChartStore();
  const rows = rowsOf(model, metricsOf('normal'));
  store.setState({ model, rows, signature: rowsSignature(model, rows) });
  viewStore.setState({ collapsedAgents: collapsed as readonly AgentId[] });
  render(<Gutter store={store} chart={undefined} rowsRef={() => undefined} />);
}

beforeEach(() => resetView());
afterEach(cleanup);

test('every row has its name, in the order of the design', () => {
  show(roundingSession(), [], 'npm-test');
  const words = document.body.textContent ?? '';
  const order = [
    'from start',
    'Model',
    'main agent',
    'queue',
    '3 of 10',
    'lane 1',
    'lane 3',
    'Explore agent',
    'model',
    'Permission',
    'Hooks',
    'Processes',
    'of npm test',
  ];
  const places = order.map((name) => words.indexOf(name));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('a header folds its agent away', () => {
  show(roundingSession());
  const header = screen.getByRole('button', { name: 'Explore agent' });
  expect(header.getAttribute('aria-expanded')).toBe('true');
  fireEvent.click(header);
  expect(viewStore.getState().collapsedAgents).toEqual(['explore']);
});

test('collapsed agents stand under one header, which brings all of them back', () => {
  show(permissionSession(), PERMISSIONS_COLLAPSED);
  expect(screen.getByRole('button', { name: 'CI agent' }).getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(screen.getByRole('button', { name: 'sub-agents' }));
  expect(viewStore.getState().collapsedAgents).toEqual([]);
});
