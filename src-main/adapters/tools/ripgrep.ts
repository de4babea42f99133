import { open, readFile, rm } from 'node:fs/promises';
import { CallAborted, type RunEnvironment } from '../../ports/tool.ts';
import type { ToolServices } from './services.ts';

const TIMEOUT_MS = 60_000;
/** More of ripgrep's output than this is not looked at, and ends it. */
const MOST_BYTES = 20 * 1024 * 1024;

/**
 * What every search has in common: no settings of the user, which could run programs; hidden files, but nothing of
 * git's own. The exclusion has to come after all other globs, since the last one that matches decides.
 */
const FIRST = ['--no-config', '--no-messages', '--hidden', '--color=never', '--sort=path'];
const LAST = ['--glob=!.git'];

/** A word for bash that stands for exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export type Search = {
  readonly text: string;
  /** There was more than is looked at; the text ends somewhere. */
  readonly cut: boolean;
  /** Some files or folders could not be read. */
  readonly incomplete: boolean;
};

/**
 * Runs ripgrep like every other program: outside of this process, ended with its call.
 * @param options before the operands, without those that all searches have.
 * @throws CallAborted; an Error with ripgrep's own words when it does not understand pattern, type or glob.
 */
export async function runRipgrep(
  services: ToolServices,
  search: { readonly options: readonly string[]; readonly operands: readonly string[]; readonly cwd: string },
  run: RunEnvironment,
): Promise<Search> {
  const words = [services.ripgrep, ...FIRST, ...search.options, ...LAST, '--', ...search.operands];
  const complaints = `${run.outputFile}.stderr`;
  try {
    const result = await services.processes.run(
      {
        command: `exec ${words.map(quoted).join(' ')} 2>${quoted(complaints)}`,
        cwd: search.cwd,
        env: {},
        outputFile: run.outputFile,
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MOST_BYTES,
        marker: services.markerFor(run.callId),
      },
      { signal: run.signal, onSpawn: () => undefined, onProgress: () => undefined },
    );
    const { end } = result;
    switch (end.kind) {
      case 'exited':
        return await searchOf(end.code, run.outputFile, complaints);
      case 'output-limit':
        return { ...(await textOf(run.outputFile)), incomplete: false };
      case 'cancelled':
        throw new CallAborted();
      case 'timed-out':
        throw new Error(`The search took longer than ${TIMEOUT_MS / 1000} s. Narrow it to a folder or a file pattern.`);
      case 'spawn-failed':
        throw new Error(`ripgrep could not be started: ${end.message}`);
      case 'signalled':
      case 'host-lost':
        throw new Error('The search was ended from outside. Try it again.');
    }
  } finally {
    await Promise.all([rm(run.outputFile, { force: true }), rm(complaints, { force: true })]);
  }
}

/** 0: found; 1: nothing found; 2: an error, which may concern one unreadable file of many and then has no words. */
async function searchOf(code: number, outputFile: string, complaints: string): Promise<Search> {
  const said = (await readFile(complaints, 'utf8').catch(() => '')).trim();
  if (code > 1 && said !== '') throw new Error(`ripgrep says: ${said.replace(/^rg: /, '')}`);
  if (code > 2) throw new Error(`ripgrep ended with code ${code}.`);
  return { ...(await textOf(outputFile)), incomplete: code === 2 };
}

async function textOf(path: string): Promise<Pick<Search, 'text' | 'cut'>> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MOST_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), cut: size > MOST_BYTES };
  } finally {
    await file.close();
  }
}
