import { expect, test } from 'vitest';
import { CascadePolicy } from '../session/settings.ts';
import { cascades } from './cascade.ts';
import type { ScheduledCall } from './types.ts';

const kinds: readonly ScheduledCall['kind'][] = ['bash-read-only', 'bash-mutating', 'write', 'other'];

// The table of spec 1.8: whose failure cancels the siblings.
const table: Readonly<Record<CascadePolicy, readonly ScheduledCall['kind'][]>> = {
  'any-error': ['bash-read-only', 'bash-mutating', 'write', 'other'],
  'except-writes': ['bash-read-only', 'bash-mutating', 'other'],
  bash: ['bash-read-only', 'bash-mutating'],
  'bash-mutating': ['bash-mutating'],
  none: [],
};

test.each(CascadePolicy.options)('under %s the right calls cascade', (policy) => {
  expect(kinds.filter((kind) => cascades(policy, { kind }))).toEqual(table[policy]);
});
