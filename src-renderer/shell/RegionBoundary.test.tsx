// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { RegionBoundary } from './RegionBoundary.tsx';

afterEach(cleanup);

let broken = false;
function Fragile() {
  if (broken) throw new Error('no such lane');
  return <p>drawn</p>;
}

test('a fault stays in its region, says what is kept, and drawing is tried again on demand', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  broken = true;
  render(
    <>
      <RegionBoundary name="timeline">
        <Fragile />
      </RegionBoundary>
      <p>the rest</p>
    </>,
  );
  expect(screen.getByText('the rest')).toBeTruthy();
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('The timeline could not be drawn.');
  expect(alert.textContent).toContain('The session goes on and its journal is complete.');
  expect(log.mock.calls.some(([first]) => first === 'The timeline could not be drawn.')).toBe(true);
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Draw it again' }));
  expect(screen.getByText('drawn')).toBeTruthy();
  log.mockRestore();
});
