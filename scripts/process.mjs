import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, with no slash at its end. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Trouble that the user can act on: its message is the whole output, without a stack. */
export class SetupError extends Error {
  /**
   * @param {string} message what, where and what to do
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'SetupError';
    this.exitCode = exitCode;
  }
}

/**
 * Where a program lies on PATH; undefined when it is not there.
 * @param {string} program
 */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder; the next one may have it.
    }
  }
  return undefined;
}

/**
 * @typedef {object} Run
 * @property {number} code exit code; 128 + n after signal n, 127 when the program could not be started
 * @property {string} output stdout and stderr as they came, when captured; else the start error or ''
 */

/**
 * Runs a program to its end. A SIGTERM or SIGINT that reaches this process goes on to the program.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, output?: 'capture' | 'show' | 'stderr', timeoutMs?: number}} [options]
 *   `stderr` sends the program's stdout to our stderr, for callers whose own stdout carries data
 * @returns {Promise<Run>}
 */
export function run(program, args, { cwd = projectRoot, env = process.env, output = 'capture', timeoutMs } = {}) {
  const out = output === 'capture' ? 'pipe' : output === 'stderr' ? 2 : 'inherit';
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', out, output === 'capture' ? 'pipe' : 'inherit'] });
    let text = '';
    child.stdout?.on('data', (chunk) => (text += chunk));
    child.stderr?.on('data', (chunk) => (text += chunk));
    const stopForwarding = forwardSignals(child);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    /** @param {Run} result */
    const finish = (result) => {
      clearTimeout(timer);
      stopForwarding();
      resolve(result);
    };
    child.on('error', (error) => finish({ code: 127, output: `${program}: ${error.message}` }));
    child.on('close', (code, signal) => finish({ code: exitCodeOf(code, signal), output: text }));
  });
}

/**
 * The shell's convention, so that a child killed by a signal never looks like a success.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(code, signal) {
  if (code !== null) return code;
  return signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 137;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} stops the forwarding
 */
export function forwardSignals(child) {
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  return () => {
    process.off('SIGINT', forward);
    process.off('SIGTERM', forward);
  };
}

/**
 * Progress goes to stderr: stdout belongs to the answer.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a script's main function; a `SetupError` becomes its message and its exit code, a bug keeps its stack.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`gantry: ${error.message}`);
    process.exitCode = error.exitCode;
  }
}

/**
 * @param {string} moduleUrl import.meta.url of the asking file
 * @returns whether that file is the one that node was started with
 */
export function isMainModule(moduleUrl) {
  return process.argv[1] !== undefined && fileURLToPath(moduleUrl) === process.argv[1];
}

/**
 * Two set-ups at once (two terminals, two test runs) do the work once; the second waits and finds it done.
 * @template T
 * @param {string} lockPath the lock itself, a folder that this call makes and removes; its parent exists
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lockPath, work) {
  const { default: lockfile } = await import('proper-lockfile');
  // A lock whose owner was killed is taken over once it has not been renewed for 15 s.
  const options = { lockfilePath: lockPath, realpath: false, stale: 15_000 };
  const retries = { retries: 900, minTimeout: 250, maxTimeout: 1000 };
  const release = await lockfile.lock(lockPath, options).catch((error) => {
    if (error.code !== 'ELOCKED') throw error;
    say('Another run is doing the same set-up; waiting for it.');
    return lockfile.lock(lockPath, { ...options, retries });
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
