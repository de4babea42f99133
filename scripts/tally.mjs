import { readFile } from 'node:fs/promises';

/** @typedef {{readonly passed: number, readonly failed: number, readonly skipped: number}} Tally */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };
/** @type {Tally} */
export const ONE_PASSED = { ...NOTHING, passed: 1 };
/** @type {Tally} */
export const ONE_FAILED = { ...NOTHING, failed: 1 };

/**
 * @param {Tally} a
 * @param {Tally} b
 * @returns {Tally}
 */
export function addTallies(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** @param {Tally} tally */
export function tallyLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {string} file written by vitest's json reporter
 * @param {number} exitCode of vitest
 * @returns {Promise<Tally>}
 */
export async function readVitestReport(file, exitCode) {
  const report = await readJson(file);
  if (report === undefined) return ONE_FAILED;
  // A test file that could not be loaded has no tests of its own to fail.
  const brokenFiles = report.testResults.filter(
    (/** @type {any} */ result) => result.status === 'failed' && result.assertionResults.length === 0,
  ).length;
  return consistent(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/**
 * @param {string} file written by Playwright's json reporter
 * @param {number} exitCode of Playwright
 * @returns {Promise<Tally>}
 */
export async function readPlaywrightReport(file, exitCode) {
  const report = await readJson(file);
  if (report === undefined) return ONE_FAILED;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return consistent(exitCode, { passed: expected, failed: unexpected + flaky + report.errors.length, skipped });
}

/**
 * A runner that failed without a failed test (an unhandled error, a leaked handle, a crash) counts as one failure.
 * @param {number} exitCode
 * @param {Tally} tally
 * @returns {Tally}
 */
function consistent(exitCode, tally) {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/**
 * @param {string} file
 * @returns {Promise<any>} undefined when the runner died before it wrote its report
 */
async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
