// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { viewStore } from '../state/view-store.ts';
import { HowToRead } from './HowToRead.tsx';

// happy-dom has no font loading; the pictures listen to it.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(() => {
  cleanup();
  viewStore.setState({ legendOpen: false });
});

test('the legend opens with its store, explains every ending, and closes with Escape', () => {
  render(<HowToRead />);
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => viewStore.setState({ legendOpen: true }));
  expect(screen.getByRole('dialog', { name: 'How to read a bar' })).toBeTruthy();
  for (const name of [
    'Error',
    'Cancelled while running',
    'Cancelled before start',
    'Rejected',
    'Unknown',
    'Waiting for permission',
    'Held until yield',
  ]) {
    expect(screen.getByText(name)).toBeTruthy();
  }
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(viewStore.getState().legendOpen).toBe(false);
});
