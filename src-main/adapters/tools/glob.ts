import { stat } from 'node:fs/promises';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { type AnyTool, defineTool, type ToolContext } from '../../ports/tool.ts';
import { leftOutNotes, unreadable } from './left-out.ts';
import { locate, rawField, realPath, resolvePath, shownWithTarget } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { runRipgrep } from './ripgrep.ts';
import { parsePaths } from './search-lines.ts';
import type { ToolServices } from './services.ts';

const MOST_FILES = 100;

const Input = z.strictObject({
  pattern: z.string().min(1).describe('A glob such as **/*.ts'),
  path: z.string().optional().describe('The folder to look in; the working folder when left out'),
});
type Input = z.output<typeof Input>;
type Output = {
  readonly files: readonly string[];
  readonly total: number;
  readonly leftOut: number;
  readonly incomplete: boolean;
};

/** Glob lists files by pattern, in the order of their paths. */
export const globTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'Glob',
    description: 'Lists files by a glob pattern, in the order of their paths.',
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isAlwaysSafe: true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    async validateInput(input, context) {
      const { folder } = placeOf(input, context);
      const found = await stat(folder).catch(() => undefined);
      return found?.isDirectory() ? { ok: true } : { ok: false, message: `Directory does not exist: ${folder}.` };
    },
    async checkPermissions(input, context) {
      const place = await locate(placeOf(input, context).folder, context);
      rememberPlace(input, place);
      return place.inside
        ? { verdict: 'allow', because: 'Glob only lists, inside the working folders' }
        : { verdict: 'pass', because: 'The folder lies outside of the working folders' };
    },
    async call(input, context, run) {
      const { folder: written, pattern } = placeOf(input, context);
      // Links are followed once, when permission is decided; ripgrep gets none to follow.
      const folder = await permittedPath(input, written);
      const cwd = (await realPath(context.cwd)) ?? context.cwd;
      const options = ['--files', '--null', '--no-ignore', `--glob=${pattern}`];
      const { text, cut, incomplete } = await runRipgrep(services, { options, operands: [], cwd: folder }, run);
      if (cut) throw new Error('Too many files match. Use a narrower pattern.');
      const leftOut = new Set<string>();
      const listed = parsePaths(text, cut);
      if (!run.host.mayReadAll(written)) {
        // By the name below the folder as it was written: rules may speak of that and of what it links to.
        const mayRead = (path: string) => run.host.mayRead(join(written, path), written);
        for await (const path of unreadable(listed, mayRead)) leftOut.add(path);
      }
      const paths = listed.filter((path) => !leftOut.has(path));
      const files = paths.slice(0, MOST_FILES).map((path) => relative(cwd, resolve(folder, path)));
      return { output: { files, total: paths.length, leftOut: leftOut.size, incomplete }, isError: false };
    },
    mapResult: (output) => ({ content: [{ type: 'text', text: resultTextOf(output) }], isError: false }),
    summarise: (input) => rawField(input, 'pattern'),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { files_found: output.total }),
    // An absolute pattern is its own folder; no rule says that.
    suggestRule: (input) => (isAbsolute(input.pattern) ? undefined : proposePathRule('Read', input.path)),
    describeQuestion: async (input, context) => ({
      title: 'List this folder?',
      reason: `${await shownWithTarget(placeOf(input, context).folder, context)} lies outside of the working folders.`,
      risk: 'outside the folder',
      dangerous: false,
    }),
  });

/**
 * The folder that is listed, and the pattern below it. A pattern that is absolute or leads upwards names its folder
 * itself, as far as it has no special characters; that folder is the one permission is asked for.
 */
export function placeOf(
  { path = '.', pattern }: Pick<Input, 'path' | 'pattern'>,
  context: ToolContext,
): { readonly folder: string; readonly pattern: string } {
  const folder = resolvePath(path, context);
  if (!isAbsolute(pattern) && !/^(?:\.\.|~)\//.test(pattern))
    return { folder, pattern: pattern.replace(/^(?:\.\/)+/, '') };
  const whole = pattern.startsWith('~') ? resolvePath(pattern, context) : resolve(folder, pattern);
  const { root } = parse(whole);
  const parts = whole.slice(root.length).split(sep);
  const special = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  const until = special === -1 ? parts.length - 1 : special;
  // The slash ties a bare name to this folder; without it ripgrep would look for it at any depth.
  return { folder: join(root, ...parts.slice(0, until)), pattern: `/${parts.slice(until).join('/')}` };
}

function resultTextOf({ files, total, leftOut, incomplete }: Output): string {
  const left = total - files.length;
  return [
    ...(total === 0 ? ['No files found'] : files),
    ...(left > 0 ? [`(${left} more ${left === 1 ? 'file' : 'files'}. Use a narrower pattern.)`] : []),
    ...leftOutNotes(leftOut),
    ...(incomplete ? ['(Some folders could not be read.)'] : []),
  ].join('\n');
}
