import { parseArgs } from 'node:util';
import { z } from 'zod';
import { analyseBash, type BashAnalysis } from '../core/bash/analyse-bash.ts';
import { firstSentence, type Io, UsageError } from './io.ts';
import { answerLines, type Input, wrongFields } from './json-lines.ts';

export const EXPLAIN_BASH_USAGE = 'gantry explain-bash COMMAND [--json] | --stdin-jsonl';

const Line = z.object({ command: z.string() });

/**
 * `gantry explain-bash`: does a command only read, why, and which commands are in it (docs/permissions.md). One command as
 * a text for people or (`--json`) as one line, or with `--stdin-jsonl` a line for each `{"command": …}`.
 */
export async function explainBashCommand(args: readonly string[], io: Io, input: Input): Promise<number> {
  const { command, json, lines } = parse(args);
  if (lines) return answerLines(input, io, { name: 'explain-bash', answer: (value) => analyseBash(commandIn(value)) });
  const analysis = analyseBash(command);
  io.stdout(json ? `${JSON.stringify(analysis)}\n` : asText(command, analysis));
  return 0;
}

function commandIn(value: unknown): string {
  const line = Line.safeParse(value);
  if (!line.success) throw new Error(`A line looks like {"command": "ls"}. ${wrongFields(line.error.issues)}`);
  return line.data.command;
}

function parse(args: readonly string[]): { readonly command: string; readonly json: boolean; readonly lines: boolean } {
  const { values, positionals } = readWords(args);
  const lines = values['stdin-jsonl'] === true;
  const [command, ...more] = positionals;
  if (lines && command !== undefined) throw wrongWords('With --stdin-jsonl the commands come from standard input.');
  if (!lines && command === undefined) throw wrongWords('A command is missing.');
  if (more.length > 0) throw wrongWords('Give one command, in quotes.');
  return { command: command ?? '', json: values.json === true, lines };
}

const wrongWords = (what: string): UsageError => new UsageError(`${what}\nusage: ${EXPLAIN_BASH_USAGE}`);

function readWords(args: readonly string[]) {
  try {
    const options = { 'stdin-jsonl': { type: 'boolean' }, json: { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (cause) {
    throw wrongWords(firstSentence(cause));
  }
}

function asText(command: string, { readOnly, reason, commands, decides }: BashAnalysis): string {
  const underlined = decides === undefined ? [] : underline(command, decides);
  const rows = commands.map((one) => `  ${one.readOnly ? 'reads ' : 'more  '}  ${one.argv.join(' ')}  (${one.reason})`);
  // The reason of a yes says so itself.
  return [readOnly ? reason : `Not read-only: ${reason}`, ...underlined, ...rows, ''].join('\n');
}

/** The line of the command in which the deciding part begins, and that part marked. */
function underline(
  command: string,
  { start, end }: { readonly start: number; readonly end: number },
): readonly string[] {
  const from = command.lastIndexOf('\n', start - 1) + 1;
  const line = command.slice(from).split('\n')[0] ?? '';
  const width = Math.max(1, Math.min(end, from + line.length) - start);
  return [`  ${line}`, `  ${' '.repeat(start - from)}${'^'.repeat(width)}`];
}
