import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ignore from 'ignore';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { defineTool, type ToolContext } from '../../ports/tool.ts';
import { leftOutNotes } from './left-out.ts';
import { locate, rawField, realPath, resolvePath, shownWithTarget } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';

const MOST_ENTRIES = 1_000;

const Input = z.strictObject({
  path: z.string().min(1).default('.').describe('The folder; the working folder when left out'),
  ignore: z.array(z.string()).max(100).optional().describe('Patterns of names to leave out, as in a .gitignore'),
});
type Input = z.output<typeof Input>;
type Output = {
  readonly folder: string;
  readonly names: readonly string[];
  readonly total: number;
  /** By permission rules. */
  readonly leftOut: number;
};

const folderOf = ({ path }: Input, context: ToolContext): string => resolvePath(path, context);

/** Lists one folder. Glob finds files by pattern at any depth; this says what lies here, folders too. */
export const lsTool = defineTool<Input, Output>({
  name: 'LS',
  description: 'Lists the files and folders in one folder. Folders end with a slash. Glob finds files at any depth.',
  inputSchema: Input,
  isConcurrencySafe: () => true,
  isAlwaysSafe: true,
  isReadOnly: () => true,
  interruptBehavior: () => 'cancel',
  async validateInput(input, context) {
    const folder = folderOf(input, context);
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return { ok: true };
    const what = found === undefined ? 'Directory does not exist' : 'This is a file, not a folder';
    return { ok: false, message: `${what}: ${folder}.` };
  },
  async checkPermissions(input, context) {
    const place = await locate(folderOf(input, context), context);
    rememberPlace(input, place);
    return place.inside
      ? { verdict: 'allow', because: 'LS only lists, inside the working folders' }
      : { verdict: 'pass', because: 'The folder lies outside of the working folders' };
  },
  async call(input, context, { host }) {
    const written = folderOf(input, context);
    const folder = await permittedPath(input, written);
    const unwanted = ignore().add([...(input.ignore ?? [])]);
    const entries = await readdir(folder, { withFileTypes: true });
    const wanted = entries.filter(({ name }) => !unwanted.ignores(name));
    const readable = wanted.filter(({ name }) => host.mayRead(join(written, name), written));
    const names = readable
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name}@` : entry.name))
      .sort((a, b) => (a < b ? -1 : 1));
    const cwd = (await realPath(context.cwd)) ?? context.cwd;
    const shown = relative(cwd, folder);
    return {
      output: {
        folder: shown === '' ? '.' : shown.startsWith('..') ? folder : shown,
        names: names.slice(0, MOST_ENTRIES),
        total: names.length,
        leftOut: wanted.length - readable.length,
      },
      isError: false,
    };
  },
  mapResult: (output) => ({ content: [{ type: 'text', text: textOf(output) }], isError: false }),
  summarise: (input) => rawField(input, 'path') || '.',
  backfillObservableInput: (_input, output) => (output === undefined ? {} : { entries_found: output.total }),
  suggestRule: ({ path }) => proposePathRule('Read', path),
  describeQuestion: async (input, context) => ({
    title: 'List this folder?',
    reason: `${await shownWithTarget(folderOf(input, context), context)} lies outside of the working folders.`,
    risk: 'outside the folder',
    dangerous: false,
  }),
});

function textOf({ folder, names, total, leftOut }: Output): string {
  if (total + leftOut === 0) return `${folder} is empty.`;
  const left = total - names.length;
  return [
    `${folder}:`,
    ...names,
    ...leftOutNotes(leftOut),
    ...(left > 0 ? [`(${left} more. Use Glob with a pattern to find what you look for.)`] : []),
  ].join('\n');
}
