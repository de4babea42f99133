import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../../src-shared/ids.ts';
import { lockJournal } from './session-lock.ts';

const id = 'session_1' as SessionId;
const never = (reason: Error): never => {
  throw reason;
};
let folder: string;
let journal: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-lock-'));
  journal = join(folder, 'journal.jsonl');
  writeFileSync(journal, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The id of a process that has certainly ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('a session that is open is refused to a second window, and free again after it was given back', async () => {
  const release = await lockJournal(id, journal, never);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
  await release();
  await (await lockJournal(id, journal, never))();
});

test('the lock of a process that has died is taken over at once', async () => {
  mkdirSync(`${journal}.lock`);
  writeFileSync(`${journal}.owner`, String(deadPid()));
  const release = await lockJournal(id, journal, never);
  expect(readFileSync(`${journal}.owner`, 'utf8')).toBe(String(process.pid));
  expect(existsSync(`${journal}.taking-over`)).toBe(false);
  await release();
});

test('while another process takes over, and where the owner is not known, the lock is believed', async () => {
  mkdirSync(`${journal}.lock`);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
  writeFileSync(`${journal}.owner`, String(deadPid()));
  mkdirSync(`${journal}.taking-over`);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
});
