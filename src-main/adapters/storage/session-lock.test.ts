import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
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

/** Puts down the claim of a process. @returns its path */
function claim(pid: number, machine = hostname()): string {
  const path = `${journal}.claim-${pid}-00000000-${machine}`;
  writeFileSync(path, '');
  return path;
}
const claims = () => readdirSync(folder).filter((name) => name.includes('.claim-'));

/** The id of a process that has certainly ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('a session that is open is refused to a second window, and free again after it was given back', async () => {
  const release = await lockJournal(id, journal, never);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
  await release();
  await (await lockJournal(id, journal, never))();
});

test('the lock of a process that has died is taken over at once, and nothing is left of it', async () => {
  mkdirSync(`${journal}.lock`);
  claim(deadPid());
  const release = await lockJournal(id, journal, never);
  expect(claims()).toHaveLength(1);
  await release();
  expect(readdirSync(folder)).toEqual(['journal.jsonl']);
});

test('a lock is believed while one of those who claim it may live', async () => {
  mkdirSync(`${journal}.lock`);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
  claim(deadPid());
  for (const [pid, machine] of [
    [process.pid, hostname()],
    [deadPid(), 'another-machine'],
  ] as const) {
    const living = claim(pid, machine);
    await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
    expect(claims()).toHaveLength(2);
    rmSync(living);
  }
});

test('while another process takes over, the lock is left to it', async () => {
  mkdirSync(`${journal}.lock`);
  claim(deadPid());
  mkdirSync(`${journal}.taking-over`);
  await expect(lockJournal(id, journal, never)).rejects.toMatchObject({ failure: { kind: 'locked' } });
});
