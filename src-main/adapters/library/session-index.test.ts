import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionIndex } from './session-index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-index-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('an index that another process is just making is waited for', () => {
  const file = join(root, 'sessions.sqlite');
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  let pauses = 0;
  const index = new SessionIndex(file, () => {
    pauses += 1;
    if (pauses === 3) other.exec('COMMIT');
  });
  expect(pauses).toBe(3);
  expect(index.list()).toEqual([]);
  index.close();
  other.close();
});

test('an index that stays locked is not waited for without end, and is not taken for a damaged one', () => {
  const file = join(root, 'sessions.sqlite');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE kept (a); BEGIN IMMEDIATE');
  expect(() => new SessionIndex(file, () => undefined)).toThrow('locked');
  other.exec('COMMIT');
  expect(other.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'kept' }]);
  other.close();
});
