import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { z } from 'zod';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import { isInDirectories, rawField, resolvePath, shownPath } from './paths.ts';
import { runRipgrep } from './ripgrep.ts';
import type { ToolServices } from './services.ts';

const lines = z.number().int().min(0).max(100).optional();

const Input = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression'),
  path: z.string().optional().describe('A file or folder; the working folder when left out'),
  glob: z.string().optional().describe('Only files whose path matches, such as *.ts'),
  type: z.string().optional().describe('Only files of a type that ripgrep knows, such as js'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).default('files_with_matches'),
  '-A': lines.describe('Lines after each match'),
  '-B': lines.describe('Lines before each match'),
  '-C': lines.describe('Lines around each match'),
  '-n': z.boolean().default(true).describe('Line numbers'),
  '-i': z.boolean().default(false).describe('Ignore case'),
  multiline: z.boolean().default(false).describe('A match may span lines'),
  head_limit: z.number().int().positive().optional().describe('The most lines or files to give'),
});
type Input = z.output<typeof Input>;
type Output = { readonly mode: Input['output_mode']; readonly lines: readonly string[]; readonly total: number };

/** Grep searches the text of files with ripgrep. */
export const grepTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'Grep',
    description: 'Searches files with a regular expression.',
    // The defaults make input and output types differ; the tool works on the output type.
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: 20_000,
    async validateInput(input, context) {
      const path = resolvePath(input.path ?? '.', context);
      const found = await stat(path).catch(() => undefined);
      return found === undefined ? { ok: false, message: `Path does not exist: ${path}.` } : { ok: true };
    },
    async checkPermissions(input, context) {
      return (await isInDirectories(resolvePath(input.path ?? '.', context), context))
        ? { verdict: 'allow', because: 'Grep only reads, inside the working folders' }
        : { verdict: 'pass', because: 'The path lies outside of the working folders' };
    },
    async call(input, context, run) {
      const target = relative(context.cwd, resolvePath(input.path ?? '.', context)) || '.';
      const { code, text, cut } = await runRipgrep(services, argumentsOf(input, target), context.cwd, run);
      if (cut) throw new Error('Too much text matches. Use a narrower pattern, a glob, or files_with_matches.');
      if (code > 1) throw new Error(`ripgrep says: ${text.trim()}`);
      const all = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/^\.\//, ''));
      return {
        output: { mode: input.output_mode, lines: all.slice(0, input.head_limit), total: all.length },
        isError: false,
      };
    },
    mapResult: (output) => ({ content: [{ type: 'text', text: resultTextOf(output) }], isError: false }),
    summarise: (input) => rawField(input, 'pattern'),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { lines_found: output.total }),
    describeQuestion: async (input, context) => ({
      title: 'Search there?',
      reason: `${shownPath(resolvePath(input.path ?? '.', context), context)} lies outside of the working folders.`,
      risk: 'outside the folder',
      dangerous: false,
    }),
  }) as AnyTool;

function argumentsOf(input: Input, target: string): string[] {
  const args = [
    '--hidden',
    '--glob',
    '!.git',
    '--no-heading',
    '--color',
    'never',
    '--max-columns',
    '500',
    '--sort',
    'path',
  ];
  if (input.output_mode === 'files_with_matches') args.push('--files-with-matches');
  if (input.output_mode === 'count') args.push('--count');
  if (input.output_mode === 'content') {
    args.push('--with-filename', input['-n'] ? '--line-number' : '--no-line-number');
    for (const flag of ['-A', '-B', '-C'] as const) {
      const value = input[flag];
      if (value !== undefined) args.push(flag, String(value));
    }
  }
  if (input['-i']) args.push('--ignore-case');
  if (input.multiline) args.push('--multiline', '--multiline-dotall');
  if (input.glob !== undefined) args.push('--glob', input.glob);
  if (input.type !== undefined) args.push('--type', input.type);
  args.push('--regexp', input.pattern, '--', target);
  return args;
}

function resultTextOf({ mode, lines: found, total }: Output): string {
  if (total === 0) return mode === 'files_with_matches' ? 'No files found' : 'No matches found';
  const body = found.join('\n');
  const more = total > found.length ? `\n(${total - found.length} more. Raise head_limit to see them.)` : '';
  return mode === 'files_with_matches'
    ? `Found ${total} ${total === 1 ? 'file' : 'files'}\n${body}${more}`
    : body + more;
}
