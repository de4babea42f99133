import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import { filesLeftOut, leftOutNotes } from './left-out.ts';
import { locate, rawField, realPath, resolvePath, shownWithTarget } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { runRipgrep, type Search } from './ripgrep.ts';
import {
  CONTENT_SEPARATORS,
  type FoundLine,
  parseContent,
  parseCounts,
  parsePaths,
  withoutFiles,
} from './search-lines.ts';
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
  context: lines.describe('The same as -C'),
  '-n': z.boolean().default(true).describe('Line numbers'),
  '-i': z.boolean().default(false).describe('Ignore case'),
  multiline: z.boolean().default(false).describe('A match may span lines'),
  head_limit: z.number().int().min(0).optional().describe('The most lines or files to give; 0 for all'),
  offset: z.number().int().min(0).default(0).describe('How many lines or files to leave out before them'),
});
type Input = z.output<typeof Input>;
type Output = {
  readonly mode: Input['output_mode'];
  readonly lines: readonly string[];
  /** How many follow after them. */
  readonly left: number;
  readonly total: number;
  readonly notes: readonly string[];
};

/** Grep searches the text of files with ripgrep. */
export const grepTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'Grep',
    description: 'Searches files with a regular expression.',
    // The defaults make input and output types differ; the tool works on the output type.
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    maxResultSizeChars: 20_000,
    async validateInput(input, context) {
      const path = resolvePath(input.path ?? '.', context);
      const found = await stat(path).catch(() => undefined);
      return found === undefined ? { ok: false, message: `Path does not exist: ${path}.` } : { ok: true };
    },
    async checkPermissions(input, context) {
      const place = await locate(resolvePath(input.path ?? '.', context), context);
      rememberPlace(input, place);
      return place.inside
        ? { verdict: 'allow', because: 'Grep only reads, inside the working folders' }
        : { verdict: 'pass', because: 'The path lies outside of the working folders' };
    },
    async call(input, context, run) {
      // Links are followed once, when permission is decided; ripgrep gets none to follow.
      const cwd = (await realPath(context.cwd)) ?? context.cwd;
      const written = resolvePath(input.path ?? '.', context);
      const target = relative(cwd, await permittedPath(input, written)) || '.';
      const scope = { filters: filtersOf(input), target, cwd, written };
      const leftOut = await filesLeftOut(services, scope, run);
      const options = [...optionsOf(input), ...scope.filters, ...leftOut.options, `--regexp=${input.pattern}`];
      const search = leftOut.everything
        ? NOTHING_FOUND
        : await runRipgrep(services, { options, operands: [target], cwd }, run);
      const found = withoutFiles(foundIn(input.output_mode, search), (path) => !leftOut.mayShow(path));
      const all = found.map(({ text }) => text.replace(/^\.\//, ''));
      const until = input.head_limit ? input.offset + input.head_limit : all.length;
      return {
        output: {
          mode: input.output_mode,
          lines: all.slice(input.offset, until),
          left: Math.max(0, all.length - until),
          total: all.length,
          notes: [
            ...leftOutNotes(leftOut.files.size),
            ...(search.cut ? ['(More text matches than is looked at. Use a narrower pattern or a glob.)'] : []),
            ...(search.incomplete ? ['(Some files could not be read.)'] : []),
          ],
        },
        isError: false,
      };
    },
    mapResult: (output) => ({ content: [{ type: 'text', text: resultTextOf(output) }], isError: false }),
    summarise: (input) => rawField(input, 'pattern'),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { lines_found: output.total }),
    suggestRule: (input) => proposePathRule('Read', input.path),
    describeQuestion: async (input, context) => ({
      title: 'Search there?',
      reason: `${await shownWithTarget(resolvePath(input.path ?? '.', context), context)} lies outside of the working folders.`,
      risk: 'outside the folder',
      dangerous: false,
    }),
  }) as AnyTool;

function optionsOf(input: Input): string[] {
  const options = ['--no-heading', '--with-filename', '--max-columns=500', '--max-columns-preview'];
  if (input.output_mode === 'files_with_matches') options.push('--files-with-matches', '--null');
  if (input.output_mode === 'count') options.push('--count', '--null');
  if (input.output_mode === 'content') {
    options.push(...CONTENT_SEPARATORS);
    options.push(input['-n'] ? '--line-number' : '--no-line-number');
    const around = { '-A': input['-A'], '-B': input['-B'], '-C': input['-C'] ?? input.context };
    for (const [flag, value] of Object.entries(around)) if (value !== undefined) options.push(`${flag}${value}`);
  }
  if (input['-i']) options.push('--ignore-case');
  if (input.multiline) options.push('--multiline', '--multiline-dotall');
  return options;
}

const filtersOf = ({ glob, type }: Input): readonly string[] => [
  ...(glob === undefined ? [] : [`--glob=${glob}`]),
  ...(type === undefined ? [] : [`--type=${type}`]),
];

const NOTHING_FOUND: Search = { text: '', cut: false, incomplete: false };

function foundIn(mode: Input['output_mode'], { text, cut }: Search): readonly FoundLine[] {
  switch (mode) {
    case 'content':
      return parseContent(text, cut);
    case 'count':
      return parseCounts(text, cut);
    case 'files_with_matches':
      return parsePaths(text, cut).map((path) => ({ path, text: path }));
  }
}

function resultTextOf({ mode, lines: found, left, total, notes }: Output): string {
  const isFiles = mode === 'files_with_matches';
  return [
    ...(total === 0 ? [isFiles ? 'No files found' : 'No matches found'] : []),
    ...(total > 0 && isFiles ? [`Found ${total} ${total === 1 ? 'file' : 'files'}`] : []),
    ...found,
    ...(left > 0 ? [`(${left} more. Raise head_limit or offset to see them.)`] : []),
    ...notes,
  ].join('\n');
}
