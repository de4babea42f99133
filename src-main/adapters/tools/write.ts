import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { defineTool } from '../../ports/tool.ts';
import { editTargetOf, rawField, resolvePath, shownPath } from './paths.ts';
import { hashOf, isStillAsRead, remember } from './read-files.ts';

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to write'),
  content: z.string().describe('The whole new content'),
});
type Input = z.output<typeof Input>;
type Output = { readonly path: string; readonly created: boolean };

export const writeTool = defineTool<Input, Output>({
  name: 'Write',
  description: 'Writes a whole file. An existing file has to be read first.',
  inputSchema: Input,
  async validateInput(input, context) {
    const path = resolvePath(input.file_path, context);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return { ok: true };
    if (found.isDirectory()) return { ok: false, message: `${path} is a folder, not a file.` };
    return isStillAsRead(path, context);
  },
  editTarget: (input, context) => editTargetOf(resolvePath(input.file_path, context), context),
  cascadeKind: () => 'write',
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const before = await stat(path).catch(() => undefined);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, input.content, before === undefined ? {} : { mode: before.mode });
    const { mtimeMs, size } = await stat(path);
    const hash = hashOf(Buffer.from(input.content, 'utf8'));
    return {
      output: { path, created: before === undefined },
      isError: false,
      modifier: remember(path, { mtimeMs, size, hash, callId: run.callId, range: 'whole' }),
      changes: [`wrote ${shownPath(path, context)}`],
      wrote: [path],
    };
  },
  mapResult: ({ path, created }) => ({
    content: [
      {
        type: 'text',
        text: created ? `File created successfully at: ${path}` : `The file ${path} has been updated successfully.`,
      },
    ],
    isError: false,
  }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: (_input, output) => (output === undefined ? {} : { resolved_path: output.path }),
  suggestRule: (input) => `Write(${input.file_path})`,
  async describeQuestion(input, context) {
    const path = resolvePath(input.file_path, context);
    const before = await readFile(path, 'utf8').catch(() => undefined);
    return {
      title: before === undefined ? 'Create this file?' : 'Replace this file?',
      reason:
        before === undefined
          ? `${shownPath(path, context)} does not exist yet.`
          : `The whole content of ${shownPath(path, context)} is replaced.`,
      risk: 'changes files',
      dangerous: false,
      diff: { path: shownPath(path, context), before: before ?? '', after: input.content },
    };
  },
});
