import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stampOf } from './read-settings.ts';

test('a file that has just been changed is known as such, since another change might carry the same time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-stamp-'));
  try {
    const file = join(folder, 'settings.json');
    writeFileSync(file, '{}');
    const { ctimeMs } = statSync(file);
    expect(stampOf(file, ctimeMs + 5).young).toBe(true);
    expect(stampOf(file, ctimeMs + 5_000).young).toBe(false);
    // Clocks of network drives go ahead or behind.
    expect(stampOf(file, ctimeMs - 5).young).toBe(true);
    expect(stampOf(join(folder, 'none'), 0)).toEqual({ text: 'missing', young: false });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
