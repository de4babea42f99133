import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Shell } from '../../../src-shared/shell/state.ts';
import { noSuchShell, statusWords } from '../../core/shells/texts.ts';
import { DEFAULT_MAX_OUTPUT_BYTES } from '../../ports/process-runner.ts';
import { type AnyTool, CallAborted, defineTool, type RunEnvironment, type ToolEnding } from '../../ports/tool.ts';
import { endOfWhole } from '../process/whole-characters.ts';
import { rawField } from './paths.ts';
import { quoted } from './ripgrep.ts';
import type { ToolServices } from './services.ts';

const FILTER_TIMEOUT_MS = 60_000;
/** A running command's last line is looked for this far back, so that a filter sees whole lines. */
const LONGEST_LINE = 64 * 1024;

const Input = z.strictObject({
  bash_id: z.string().min(1).describe('The shell, as the call that launched it named it: bash_1'),
  filter: z
    .string()
    .min(1)
    .optional()
    .describe('A regular expression. Only lines it matches are given; the others are not given later either.'),
});
type Input = z.output<typeof Input>;
type Output = { readonly head: string };

/** BashOutput gives what a background shell has written since the last look. */
export const bashOutputTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'BashOutput',
    description: 'Gives what a background command has written since the last look, and whether it still runs.',
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: 30_000,
    checkPermissions: async () => ({ verdict: 'allow', because: 'It only reads what the session’s own command wrote' }),
    async call({ bash_id, filter }, _context, run) {
      const { shells } = run.host;
      if (shells.find(bash_id) === undefined) return failed(noSuchShell(bash_id, shells.all));
      return shells.read(bash_id, (shell) => look(services, shell, filter, run));
    },
    mapResult: ({ head }) => ({ content: [{ type: 'text', text: head }], isError: false }),
    summarise: (input) => rawField(input, 'bash_id'),
    suggestRule: () => 'BashOutput',
  });

const failed = (head: string): ToolEnding<Output> => ({ output: { head }, isError: true });

type Looked = { readonly until: number; readonly value: ToolEnding<Output> };

async function look(
  services: ToolServices,
  shell: Shell,
  filter: string | undefined,
  run: RunEnvironment,
): Promise<Looked> {
  const { path, readUntil } = shell;
  const status = statusWords(shell);
  const size = path === undefined ? undefined : (await stat(path).catch(() => undefined))?.size;
  if (path === undefined || size === undefined) {
    return {
      until: readUntil,
      value: failed(`${status} Its output is not there${path === undefined ? '' : `: ${path}`}.`),
    };
  }
  const wasEmptied = size < readUntil;
  const from = wasEmptied ? 0 : readUntil;
  const until = shell.end === undefined ? await endOfShown(path, from, size, filter !== undefined) : size;
  const said = wasEmptied ? `${status} (The command has emptied its output; this begins at its start.)` : status;
  if (until === from) return { until, value: { output: { head: `${said} No new output.` }, isError: false } };
  const part = { path, from, until };
  const bytes = filter === undefined ? await copy(part, run) : await copyMatching(services, part, filter, run);
  if (typeof bytes === 'string') return { until: readUntil, value: failed(bytes) };
  if (bytes === 0) return { until, value: { output: { head: `${said} No new line matches.` }, isError: false } };
  const head = `${said} New ${filter === undefined ? 'output' : 'lines that match'}:`;
  return { until, value: { output: { head }, isError: false, file: { path: run.outputFile, bytes } } };
}

/** What of a running command's output can be shown: no half of a character, and for a filter no half of a line. */
async function endOfShown(path: string, from: number, size: number, wholeLines: boolean): Promise<number> {
  const start = Math.max(from, size - (wholeLines ? LONGEST_LINE : 4));
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const bytes = buffer.subarray(0, bytesRead);
    const lastLine = wholeLines ? bytes.lastIndexOf(0x0a) + 1 : 0;
    if (lastLine > 0) return start + lastLine;
    // A line that is longer than that is given as far as it has come.
    if (wholeLines && start === from) return from;
    return start + endOfWhole(bytes);
  } finally {
    await file.close();
  }
}

type Part = { readonly path: string; readonly from: number; readonly until: number };

/** Through the disk, however much it is: the save stage shows what fits. */
async function copy({ path, from, until }: Part, run: RunEnvironment): Promise<number> {
  try {
    await pipeline(
      createReadStream(path, { start: from, end: until - 1 }),
      createWriteStream(run.outputFile, { mode: 0o600 }),
      { signal: run.signal },
    );
  } catch (error) {
    await rm(run.outputFile, { force: true });
    throw run.signal.aborted ? new CallAborted() : error;
  }
  return until - from;
}

/**
 * With ripgrep, in a process of its own: an expression of the model's may take as long as it likes. A string says why
 * it could not be done.
 */
async function copyMatching(
  services: ToolServices,
  { path, from, until }: Part,
  filter: string,
  run: RunEnvironment,
): Promise<number | string> {
  const complaints = `${run.outputFile}.stderr`;
  const search = [
    services.ripgrep,
    '--no-config',
    '--color=never',
    '--no-line-number',
    '--text',
    `--regexp=${filter}`,
    '-',
  ];
  const command = `tail -c +${from + 1} ${quoted(path)} | head -c ${until - from} | ${search.map(quoted).join(' ')} 2>${quoted(complaints)}`;
  try {
    const { end, bytes } = await services.processes.run(
      {
        command,
        cwd: '/',
        env: {},
        outputFile: run.outputFile,
        timeoutMs: FILTER_TIMEOUT_MS,
        maxOutputBytes: DEFAULT_MAX_OUTPUT_BYTES,
        marker: services.markerFor(run.callId),
      },
      { signal: run.signal, onSpawn: () => undefined, onProgress: () => undefined },
    );
    if (end.kind === 'cancelled') throw new CallAborted();
    if (end.kind === 'exited' && end.code <= 1) {
      if (bytes === 0) await rm(run.outputFile, { force: true });
      return bytes;
    }
    await rm(run.outputFile, { force: true });
    const said = (await readFile(complaints, 'utf8').catch(() => '')).trim().replace(/^rg: /, '');
    return `The filter could not be used. ${said === '' ? 'Try a simpler one.' : `ripgrep says: ${said}`}`;
  } finally {
    await rm(complaints, { force: true });
  }
}
