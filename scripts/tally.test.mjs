import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlaywrightReport, readVitestReport, tallyLine } from './tally.mjs';

/** @type {string} */
let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tally-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @param {unknown} content */
async function report(content) {
  const file = join(folder, 'report.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** @param {object} changes */
const vitest = (changes) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...changes,
});
/** @param {object} stats */
const playwright = (stats) => ({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors: [] });

test('a step without a report counts as one failure, even when it exited with 0', async () => {
  expect(await readVitestReport(join(folder, 'absent.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(await readPlaywrightReport(await report('{"stats":'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a test file that could not be loaded counts as one failure', async () => {
  const file = await report(vitest({ numPassedTests: 3, testResults: [{ status: 'failed', assertionResults: [] }] }));
  expect(await readVitestReport(file, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a failing exit with only passed tests counts as one failure', async () => {
  expect(await readVitestReport(await report(vitest({ numPassedTests: 3 })), 1)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
  });
  expect(await readPlaywrightReport(await report(playwright({ expected: 2 })), 1)).toMatchObject({
    passed: 2,
    failed: 1,
  });
});

test('skipped and to-do tests are told apart from passed ones', async () => {
  const file = await report(vitest({ numPassedTests: 1, numPendingTests: 2, numTodoTests: 1 }));
  expect(await readVitestReport(file, 0)).toEqual({ passed: 1, failed: 0, skipped: 3 });
});

test('a flaky end-to-end test and an error outside of tests count as failures', async () => {
  const file = await report({ ...playwright({ expected: 4, flaky: 1 }), errors: [{ message: 'set-up failed' }] });
  expect(await readPlaywrightReport(file, 1)).toEqual({ passed: 4, failed: 2, skipped: 0 });
});

test('the line names skipped tests only when there are some', () => {
  expect(tallyLine({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed');
  expect(tallyLine({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped');
});
