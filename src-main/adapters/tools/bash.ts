import { rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { analyseBash } from '../../core/bash/analyse-bash.ts';
import { exitCodeMeaning } from '../../core/bash/exit-code.ts';
import { suggestBashRule } from '../../core/bash/suggest-rule.ts';
import { isDangerous } from '../../core/permission/danger.ts';
import { sizeForModel } from '../../core/results/large-results.ts';
import { launchedText } from '../../core/shells/texts.ts';
import {
  DEFAULT_MAX_OUTPUT_BYTES,
  type ProcessResult,
  type ProcessSpec,
  type RunHooks,
} from '../../ports/process-runner.ts';
import {
  type AnyTool,
  CallAborted,
  defineTool,
  type RunEnvironment,
  type ToolContext,
  type ToolEnding,
} from '../../ports/tool.ts';
import { isInDirectories, rawField, realPath } from './paths.ts';
import { watchProcesses } from './process-watch.ts';
import type { ToolServices } from './services.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MOST_TIMEOUT_MS = 600_000;
/** TERM, two seconds, KILL, and the time to look for survivors (spec 3.6). */
const STOP_GRACE_MS = 10_000;
/** No limit: more than the longest timer there is. */
const FOR_EVER_MS = 2 ** 40;
/** A server that runs for hours is looked at less often; each look reads the system's whole list of processes. */
const BACKGROUND_LOOK_MS = 10_000;

const Input = z.strictObject({
  command: z.string().describe('The command for bash'),
  description: z.string().optional().describe('What it does, in a few words'),
  timeout: z.number().positive().max(MOST_TIMEOUT_MS).optional().describe('Milliseconds, at most 600000'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Returns at once; the command goes on without a time limit. BashOutput reads what it writes'),
});
type Input = z.output<typeof Input>;
type Output = {
  /** Text that stands before the output file's text: the exit code, a time-out. */
  readonly head: string;
  readonly code: number | undefined;
  /** The background shell that the command goes on in. */
  readonly shellId?: string;
};

/** Bash runs a command in its own process group; its output goes straight to the call's file. */
export const bashTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'Bash',
    description: 'Runs a command with bash. The working folder stays between calls.',
    inputSchema: Input,
    isConcurrencySafe: ({ command }) => analyseBash(command).readOnly,
    isReadOnly: ({ command }) => analyseBash(command).readOnly,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: 30_000,
    stopGraceMs: STOP_GRACE_MS,
    cascadeKind: ({ command }) => (analyseBash(command).readOnly ? 'bash-read-only' : 'bash-mutating'),
    async validateInput({ command }) {
      if (command.trim() === '') return { ok: false, message: 'The command is empty. Nothing was run.' };
      return { ok: true };
    },
    async call(input, context, run) {
      if (input.run_in_background === true) return launch(services, input, context, run);
      const result = await runCommand(services, specOf(services, input, context, run), run);
      return await endingOf(input, context, run.outputFile, result);
    },
    mapResult: ({ head }) => ({ content: head === '' ? [] : [{ type: 'text', text: head }], isError: false }),
    summarise: (input) => rawField(input, 'command'),
    backfillObservableInput: (_input, output) => ({
      ...(output?.code === undefined ? {} : { exit_code: output.code }),
      ...(output?.shellId === undefined ? {} : { shell_id: output.shellId }),
    }),
    suggestRule: ({ command }) => suggestBashRule(command),
    async describeQuestion({ command }) {
      const analysis = analyseBash(command);
      const dangerous = isDangerous(analysis);
      return {
        title: 'Run this command?',
        reason: analysis.reason,
        risk: dangerous ? 'dangerous' : 'not known to only read',
        dangerous,
        ...(analysis.decides === undefined ? {} : { span: analysis.decides }),
      };
    },
  });

const specOf = (
  services: ToolServices,
  input: Input,
  context: ToolContext,
  { callId, outputFile }: RunEnvironment,
): ProcessSpec => ({
  command: input.command,
  cwd: context.cwd,
  env: analyseBash(input.command).readOnly ? { GIT_OPTIONAL_LOCKS: '0' } : {},
  outputFile,
  timeoutMs: input.timeout ?? DEFAULT_TIMEOUT_MS,
  maxOutputBytes: DEFAULT_MAX_OUTPUT_BYTES,
  marker: services.markerFor(callId),
});

/** Runs it to its end, and tells what processes it has meanwhile. */
async function runCommand(
  services: ToolServices,
  spec: ProcessSpec,
  run: Pick<RunEnvironment, 'onProcess'> & Pick<RunHooks, 'signal' | 'onProgress'>,
  hooks: { readonly onSpawn?: (pid: number) => void; readonly laterLookMs?: number } = {},
): Promise<ProcessResult> {
  const watch = watchProcesses(services, spec.marker, run.onProcess, hooks.laterLookMs);
  const onSpawn = (pid: number): void => {
    watch.started(pid, spec.command);
    hooks.onSpawn?.(pid);
  };
  try {
    const result = await services.processes.run(spec, { signal: run.signal, onSpawn, onProgress: run.onProgress });
    watch.ended(result);
    return result;
  } finally {
    watch.dispose();
  }
}

/** The call ends when the command has begun. Its own file has the call's name; what the call answers may need that one. */
async function launch(
  services: ToolServices,
  input: Input,
  context: ToolContext,
  run: RunEnvironment,
): Promise<ToolEnding<Output>> {
  const { callId, agentId, onProcess } = run;
  const path = run.outputFile.replace(/(?:\.txt)?$/, '.shell.txt');
  const spec = { ...specOf(services, input, context, run), outputFile: path, timeoutMs: FOR_EVER_MS };
  const order = {
    callId,
    agentId,
    command: input.command,
    path,
    run: ({ signal, onProgress, onSpawn }: RunHooks) =>
      runCommand(services, spec, { onProcess, signal, onProgress }, { onSpawn, laterLookMs: BACKGROUND_LOOK_MS }),
  };
  const start = await run.host.shells.start(order, run.signal);
  if (start.kind === 'not-started') return endingOf(input, context, path, start.result);
  const { shell } = start;
  return { output: { head: launchedText(shell), code: undefined, shellId: shell.shellId }, isError: false };
}

async function endingOf(
  input: Input,
  context: ToolContext,
  path: string,
  result: ProcessResult,
): Promise<ToolEnding<Output>> {
  // An output that is empty, or was never begun, needs no file.
  const file = result.bytes > 0 ? { path, bytes: result.bytes } : undefined;
  if (file === undefined) await rm(path, { force: true });
  const left = file === undefined ? {} : { file };
  const failed = (head: string): ToolEnding<Output> => ({ output: { head, code: undefined }, isError: true, ...left });
  const { end } = result;
  switch (end.kind) {
    case 'exited':
      return { ...(await exitedEnding(input, context, result, end.code)), ...left };
    case 'signalled':
      return { ...failed(`The command was ended by ${end.signal}`), exit: { signal: end.signal } };
    case 'timed-out':
      return failed(`Command timed out after ${duration(end.limitMs)}`);
    case 'output-limit':
      return failed(`The command was ended: it wrote more than ${sizeForModel(end.limitBytes)}`);
    case 'cancelled':
      throw new CallAborted(file);
    case 'spawn-failed':
      return notStarted(end.message, context);
    case 'host-lost':
      return failed('The helper that runs commands has ended, and the command with it. Try it again');
  }
}

async function exitedEnding(
  input: Input,
  context: ToolContext,
  result: ProcessResult,
  code: number,
): Promise<ToolEnding<Output>> {
  const { isError, meaning } = exitCodeMeaning(input.command, code);
  const { note, ...change } = await cwdChange(context, result.cwdAfter);
  return {
    output: { head: [isError ? `Exit code ${code}` : '', note ?? ''].filter((line) => line !== '').join('\n'), code },
    isError,
    exit: { code, ...(meaning === undefined ? {} : { meaning }) },
    ...change,
  };
}

type CwdChange = Pick<ToolEnding<Output>, 'modifier' | 'changes'>;

const startIn = (cwd: string): CwdChange => ({
  modifier: (now) => ({ ...now, cwd }),
  changes: [`the working folder is ${cwd}`],
});

/** `cd` lasts, inside the session's folders; elsewhere the next command starts where this one did, and it is told so. */
async function cwdChange(
  context: ToolContext,
  cwdAfter: string | undefined,
): Promise<CwdChange & { readonly note?: string }> {
  // The shell tells a path without links; the working folder may be reached through one.
  if (cwdAfter === undefined || cwdAfter === context.cwd || cwdAfter === (await realPath(context.cwd))) return {};
  if (await isInDirectories(cwdAfter, context)) return startIn(cwdAfter);
  return { note: `(The working folder is still ${context.cwd}: ${cwdAfter} lies outside of the session's folders)` };
}

/** A working folder that has gone would fail every later command too; they start in the session's own folder again. */
async function notStarted(message: string, context: ToolContext): Promise<ToolEnding<Output>> {
  const home = (await isFolder(context.cwd)) ? undefined : await firstFolder(context.directories);
  const head = home === undefined ? message : `${message} The next command starts in ${home}.`;
  return { output: { head, code: undefined }, isError: true, ...(home === undefined ? {} : startIn(home)) };
}

async function firstFolder(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await isFolder(folder)) return folder;
  return undefined;
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
