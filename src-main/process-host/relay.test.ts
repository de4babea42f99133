import { expect, test } from 'vitest';
import { opensOutputByName } from './relay.ts';

test.each([
  ['echo x >/dev/stderr', true],
  ['echo x 2>/dev/stdout', true],
  ["printf 'a' >> /dev/fd/2", true],
  ['cat y > /proc/self/fd/1', true],
  ['cat y > /proc/$$/fd/2', true],
  ['echo x >&2', false],
  ['echo x >/dev/null', false],
  ['ls /dev/fd/10 /dev/stdin', false],
])('%s opens its output by name: %s', (command, does) => {
  expect(opensOutputByName(command, 'linux')).toBe(does);
  // Elsewhere the name stands for the open stream itself, and nothing is emptied.
  expect(opensOutputByName(command, 'darwin')).toBe(false);
});
