import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandEnvironment, findBash, parseReport, readReport, SlotPool } from './shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-shell-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a report is the times of the shell and its children, then the folder', () => {
  expect(parseReport('0m0.010s 0m0.020s\n1m2.500s 0m0.005s\n/usr/share\n')).toEqual({
    cwd: '/usr/share',
    userMs: 62_510,
    systemMs: 25,
  });
});

test('a folder may have a line feed in its name, and a locale a comma in its numbers', () => {
  expect(parseReport('0m0,010s 0m0,000s\n0m0,000s 0m0,000s\n/a\nb\n')).toEqual({
    cwd: '/a\nb',
    userMs: 10,
    systemMs: 0,
  });
});

test('a report that breaks off is none', () => {
  expect(parseReport('')).toBeUndefined();
  expect(parseReport('0m0.010s 0m0.020s\n0m0.000s 0m0.000s\n')).toBeUndefined();
});

test('commands get no pager, no prompt and nothing that changes what a command means', () => {
  const env = commandEnvironment({
    PATH: '/bin',
    PAGER: 'less',
    BASH_ENV: '/home/a/.bashrc',
    SHELLOPTS: 'noexec',
    'BASH_FUNC_ls%%': '() { rm -rf x; }',
    ELECTRON_RUN_AS_NODE: '1',
    UNSET: undefined,
  });
  expect(env).toEqual({ PATH: '/bin', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' });
});

test("bash is the PATH's", () => {
  expect(findBash({ PATH: `${folder}:/bin` }, 'linux')).toBe('/bin/bash');
  writeFileSync(join(folder, 'bash'), '', { mode: 0o755 });
  expect(findBash({ PATH: `${folder}:/bin` }, 'linux')).toBe(join(folder, 'bash'));
});

test('a slot is lent out again, with an empty report', () => {
  const pool = new SlotPool(folder);
  const slot = pool.take()!;
  expect(pool.take()).not.toEqual(slot);
  writeFileSync(slot.reportFile, '0m0.010s 0m0.020s\n0m0.000s 0m0.000s\n/usr\n');
  expect(readReport(slot)?.cwd).toBe('/usr');
  pool.giveBack(slot);
  expect(pool.take()).toEqual(slot);
  expect(readFileSync(slot.reportFile, 'utf8')).toBe('');
  pool.dispose();
  expect(readdirSync(folder)).toEqual([]);
});

test('the folder of a host that was killed is swept, that of a living one stays', () => {
  // Larger than any pid that Linux or macOS gives out.
  mkdirSync(join(folder, 'gantry-host-99999999-abc'));
  mkdirSync(join(folder, `gantry-host-${process.ppid}-abc`));
  mkdirSync(join(folder, 'gantry-host-notes'));
  const pool = new SlotPool(folder);
  expect(readdirSync(folder).filter((name) => !name.startsWith(`gantry-host-${process.pid}-`))).toEqual(
    [`gantry-host-${process.ppid}-abc`, 'gantry-host-notes'].sort(),
  );
  pool.dispose();
});

test('without a place for its files a pool has no slots, and says so quietly', () => {
  const pool = new SlotPool(join(folder, 'missing'));
  expect(pool.take()).toBeUndefined();
  pool.dispose();
});
