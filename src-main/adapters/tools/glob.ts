import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { type AnyTool, defineTool } from '../../ports/tool.ts';
import { isInDirectories, rawField, resolvePath, shownPath } from './paths.ts';
import { runRipgrep } from './ripgrep.ts';
import type { ToolServices } from './services.ts';

const MOST_FILES = 100;

const Input = z.strictObject({
  pattern: z.string().min(1).describe('A glob such as **/*.ts'),
  path: z.string().optional().describe('The folder to look in; the working folder when left out'),
});
type Input = z.output<typeof Input>;
type Output = { readonly files: readonly string[]; readonly total: number };

/** Glob lists files by pattern, newest first. */
export const globTool = (services: ToolServices): AnyTool =>
  defineTool<Input, Output>({
    name: 'Glob',
    description: 'Lists files by a glob pattern, newest first.',
    inputSchema: Input,
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    interruptBehavior: () => 'cancel',
    async validateInput(input, context) {
      const folder = resolvePath(input.path ?? '.', context);
      const found = await stat(folder).catch(() => undefined);
      return found?.isDirectory() ? { ok: true } : { ok: false, message: `Directory does not exist: ${folder}.` };
    },
    async checkPermissions(input, context) {
      return (await isInDirectories(resolvePath(input.path ?? '.', context), context))
        ? { verdict: 'allow', because: 'Glob only lists, inside the working folders' }
        : { verdict: 'pass', because: 'The folder lies outside of the working folders' };
    },
    async call(input, context, run) {
      const folder = resolvePath(input.path ?? '.', context);
      const args = ['--files', '--hidden', '--no-ignore', '--null', '--glob', '!.git', '--glob', input.pattern];
      const { code, text, cut } = await runRipgrep(services, args, folder, run);
      if (cut) throw new Error('Too many files match. Use a narrower pattern.');
      if (code > 1) throw new Error(`The pattern ${input.pattern} cannot be used: ${text.trim()}`);
      const paths = text.split('\0').filter((path) => path !== '');
      const files = await newestFirst(paths.map((path) => resolve(folder, path)));
      return {
        output: { files: files.slice(0, MOST_FILES).map((path) => relative(context.cwd, path)), total: files.length },
        isError: false,
      };
    },
    mapResult: ({ files, total }) => ({
      content: [{ type: 'text', text: fileList(files, total) }],
      isError: false,
    }),
    summarise: (input) => rawField(input, 'pattern'),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { files_found: output.total }),
    describeQuestion: async (input, context) => ({
      title: 'List this folder?',
      reason: `${shownPath(resolvePath(input.path ?? '.', context), context)} lies outside of the working folders.`,
      risk: 'outside the folder',
      dangerous: false,
    }),
  });

function fileList(files: readonly string[], total: number): string {
  if (total === 0) return 'No files found';
  const more = total - files.length;
  return more === 0 ? files.join('\n') : `${files.join('\n')}\n(${more} more files. Use a narrower pattern.)`;
}

async function newestFirst(paths: readonly string[]): Promise<readonly string[]> {
  const times = await Promise.all(
    paths.map(async (path) => ({ path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  return times.sort((a, b) => b.time - a.time || a.path.localeCompare(b.path)).map(({ path }) => path);
}
