import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { projectRoot, run, runMain, SetupError, say } from './process.mjs';
import {
  addTallies,
  NOTHING,
  ONE_FAILED,
  ONE_PASSED,
  readPlaywrightReport,
  readVitestReport,
  tallyLine,
} from './tally.mjs';

/** Far above what a step takes; it only keeps a hanging one from using up a whole CI run. The slow tests take an hour. */
const STEP_LIMIT_MS = (process.argv.includes('--slow') ? 4 * 60 : 30) * 60_000;

/**
 * `npm test`: every check in turn, each to its end, whatever failed before it. `--slow` runs the endurance and
 * fault tests (`*.slow.test.ts`, `*.slow.spec.ts`) instead. The last line is the tally.
 */
await runMain(async () => {
  const slow = process.argv.includes('--slow');
  const reports = await mkdtemp(join(tmpdir(), 'gantry-test-'));
  const env = { ...process.env, ...(slow ? { GANTRY_SLOW: '1' } : {}) };
  const steps = [
    ...(slow
      ? []
      : [
          check('types', 'typescript/bin/tsc', ['--noEmit']),
          check('lint', '@biomejs/biome/bin/biome', ['check', '.']),
        ]),
    {
      name: slow ? 'slow unit tests' : 'unit and property tests',
      work: () => unitTests(join(reports, 'unit.json'), env),
    },
    { name: 'build', work: build },
    {
      name: slow ? 'slow end-to-end tests' : 'end-to-end tests',
      work: () => endToEndTests(join(reports, 'e2e.json'), env),
    },
  ];
  let total = NOTHING;
  try {
    for (const step of steps) total = addTallies(total, await timed(step));
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
  process.stdout.write(`${tallyLine(total)}\n`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 * @typedef {{name: string, work: () => Promise<Tally>}} Step
 */

/**
 * @param {Step} step
 * @returns {Promise<Tally>}
 */
async function timed({ name, work }) {
  process.stdout.write(`== ${name}\n`);
  const startedAt = performance.now();
  const tally = await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`== ${name}: ${tallyLine(tally)} (${seconds} s)\n\n`);
  return tally;
}

/**
 * A step that passes or fails as a whole; its output is shown only when it failed.
 * @param {string} name
 * @param {string} bin a file under node_modules
 * @param {readonly string[]} args
 * @returns {Step}
 */
function check(name, bin, args) {
  return {
    name,
    work: async () => {
      const { code, output } = await node(bin, args, { timeoutMs: STEP_LIMIT_MS });
      if (code === 0) return ONE_PASSED;
      process.stdout.write(`${output.trim()}\n`);
      return ONE_FAILED;
    },
  };
}

/** @returns {Promise<Tally>} */
async function build() {
  try {
    await ensureBuilt({ force: true });
    return ONE_PASSED;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return ONE_FAILED;
  }
}

/**
 * @param {string} report
 * @param {NodeJS.ProcessEnv} env
 */
async function unitTests(report, env) {
  const args = ['run', '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await node('vitest/vitest.mjs', args, { env, output: 'show', timeoutMs: STEP_LIMIT_MS });
  return readVitestReport(report, code);
}

/**
 * The Electron, the system libraries, the build and the display are seen to by `playwright-setup.mjs`.
 * @param {string} report
 * @param {NodeJS.ProcessEnv} env
 */
async function endToEndTests(report, env) {
  const args = ['test', '--pass-with-no-tests', '--reporter=list,json'];
  const { code } = await node('@playwright/test/cli.js', args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    output: 'show',
    timeoutMs: STEP_LIMIT_MS,
  });
  return readPlaywrightReport(report, code);
}

/**
 * @param {string} bin a file under node_modules
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} options
 */
function node(bin, args, options) {
  return run(process.execPath, [join(projectRoot, 'node_modules', bin), ...args], options);
}
