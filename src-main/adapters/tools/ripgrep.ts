import { readFile, rm } from 'node:fs/promises';
import { DEFAULT_MAX_OUTPUT_BYTES } from '../../ports/process-runner.ts';
import { CallAborted, type RunEnvironment } from '../../ports/tool.ts';
import type { ToolServices } from './services.ts';

const TIMEOUT_MS = 60_000;
/** More of ripgrep's output than this is not looked at; the search has to be narrowed. */
const MOST_BYTES = 20 * 1024 * 1024;

/** A word for bash that stands for exactly this text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Runs ripgrep like every other program: outside of this process, ended with its call. Gives its output and exit code
 * (0 found, 1 nothing found, 2 error).
 */
export async function runRipgrep(
  services: ToolServices,
  args: readonly string[],
  cwd: string,
  run: RunEnvironment,
): Promise<{ readonly code: number; readonly text: string; readonly cut: boolean }> {
  const result = await services.processes.run(
    {
      command: `exec ${[services.ripgrep, ...args].map(quoted).join(' ')}`,
      cwd,
      env: {},
      outputFile: run.outputFile,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: DEFAULT_MAX_OUTPUT_BYTES,
      marker: services.markerFor(run.callId),
    },
    { signal: run.signal, onSpawn: () => undefined, onProgress: () => undefined },
  );
  const cut = result.bytes > MOST_BYTES;
  const text = cut ? '' : await readFile(run.outputFile, 'utf8').catch(() => '');
  await rm(run.outputFile, { force: true });
  switch (result.end.kind) {
    case 'exited':
      return { code: result.end.code, text, cut };
    case 'cancelled':
      throw new CallAborted();
    case 'timed-out':
      throw new Error(`The search took longer than ${TIMEOUT_MS / 1000} s. Narrow it to a folder or a file pattern.`);
    case 'spawn-failed':
      throw new Error(`ripgrep could not be started: ${result.end.message}`);
    case 'signalled':
    case 'output-limit':
    case 'host-lost':
      throw new Error('The search was ended from outside. Try it again.');
  }
}
