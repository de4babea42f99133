import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import { SessionOwners } from './session-owners.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const A = 'a' as SessionId;
const B = 'b' as SessionId;

test('the first window that shows a session owns it, later ones read', () => {
  const owners = new SessionOwners();
  owners.attach(1, A);
  owners.attach(2, A);
  expect([owners.ownerOf(A), owners.mayCommand(1, A), owners.mayCommand(2, A)]).toEqual([1, true, false]);
  expect(owners.windowsOf(A)).toEqual([1, 2]);
});

test('a session that no window shows is anybody’s', () => {
  const owners = new SessionOwners();
  expect(owners.mayCommand(7, A)).toBe(true);
});

test('when the owner turns away or closes, the next one owns it', () => {
  const owners = new SessionOwners();
  for (const window of [1, 2, 3]) owners.attach(window, A);
  owners.detach(1, A);
  expect(owners.ownerOf(A)).toBe(2);
  expect(owners.closed(2)).toEqual([]);
  expect(owners.ownerOf(A)).toBe(3);
  expect(owners.closed(3)).toEqual([A]);
  expect(owners.ownerOf(A)).toBeUndefined();
});

test('a reader takes over only what it shows', () => {
  const owners = new SessionOwners();
  owners.attach(1, A);
  expect([owners.takeOver(2, A), owners.takeOver(1, A), owners.takeOver(2, B)]).toEqual([false, false, false]);
  owners.attach(2, A);
  expect([owners.takeOver(2, A), owners.ownerOf(A), owners.mayCommand(1, A)]).toEqual([true, 2, false]);
  owners.detach(2, A);
  expect(owners.ownerOf(A)).toBe(1);
});

test('a page that is loaded again keeps what it owns, and lets go of it when it shows something else', () => {
  const owners = new SessionOwners();
  owners.attach(1, A);
  owners.attach(2, A);
  owners.reloaded(1);
  expect(owners.ownerOf(A)).toBe(1);
  owners.attach(1, A);
  expect(owners.ownerOf(A)).toBe(1);
  owners.reloaded(1);
  owners.attach(1, B);
  expect([owners.ownerOf(A), owners.ownerOf(B)]).toEqual([2, 1]);
});

test('whatever windows do, each session that is shown has one owner, which shows it', () => {
  const step = fc.record({
    what: fc.constantFrom('attach', 'detach', 'reloaded', 'closed', 'takeOver'),
    window: fc.integer({ min: 1, max: 3 }),
    session: fc.constantFrom(A, B),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const owners = new SessionOwners();
      for (const { what, window, session } of steps) {
        if (what === 'reloaded' || what === 'closed') owners[what](window);
        else owners[what as 'attach' | 'detach' | 'takeOver'](window, session);
        for (const each of [A, B]) {
          const windows = owners.windowsOf(each);
          const owner = owners.ownerOf(each);
          expect(owner === undefined ? windows.length === 0 : windows.includes(owner)).toBe(true);
          if (windows.length > 0) {
            expect(windows.filter((number) => owners.mayCommand(number, each))).toEqual([owner]);
          }
        }
      }
    }),
  );
});
