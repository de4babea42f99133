import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { defineTool, type ToolContext, type Validation } from '../../ports/tool.ts';
import { editQuestion } from './edit-question.ts';
import { editTargetAt, locate, rawField, realPath, resolvePath, shownPath } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { hashOf, readAgain, refusal, remember, toolUseError } from './read-files.ts';
import { writeWhole } from './write-whole.ts';

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to write'),
  content: z.string().describe('The whole new content'),
});
type Input = z.output<typeof Input>;
type Output = { readonly path: string; readonly real: string; readonly created: boolean };

export const writeTool = defineTool<Input, Output>({
  name: 'Write',
  description: 'Writes a whole file. An existing file has to be read first.',
  inputSchema: Input,
  async validateInput(input, context) {
    const path = resolvePath(input.file_path, context);
    return (await look((await realPath(path)) ?? path, context)).valid;
  },
  async editTarget(input, context) {
    const place = await locate(resolvePath(input.file_path, context), context);
    rememberPlace(input, place);
    return editTargetAt(place);
  },
  cascadeKind: () => 'write',
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const real = await permittedPath(input, path);
    // A file may have come or changed while a person decided.
    const { exists, valid } = await look(real, context);
    if (!valid.ok) throw refusal(valid.message);
    const bytes = Buffer.from(input.content, 'utf8');
    const { mtimeMs } = await writeWhole(real, bytes);
    return {
      output: { path, real, created: !exists },
      isError: false,
      modifier: remember(real, {
        mtimeMs,
        size: bytes.length,
        hash: hashOf(bytes),
        callId: run.callId,
        by: 'write',
        range: 'whole',
      }),
      changes: [`wrote ${shownPath(path, context)}`],
      wrote: [real],
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
  backfillObservableInput: (_input, output) => (output === undefined ? {} : { resolved_path: output.real }),
  suggestRule: (input) => proposePathRule('Edit', input.file_path),
  async describeQuestion(input, context) {
    const path = resolvePath(input.file_path, context);
    const there = await readFile(path).catch(() => undefined);
    const words =
      there === undefined
        ? { title: 'Create this file?', what: 'does not exist yet' }
        : { title: 'Replace this file?', what: 'gets a whole new content' };
    const change = { ...words, path, before: there ?? Buffer.alloc(0), after: Buffer.from(input.content, 'utf8') };
    return editQuestion(change, context);
  },
});

/** What lies there now, and whether it may be replaced. */
async function look(
  real: string,
  context: ToolContext,
): Promise<{ readonly exists: boolean; readonly valid: Validation }> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) return { exists: false, valid: { ok: true } };
  if (found.isDirectory()) return { exists: true, valid: toolUseError(`${real} is a folder, not a file.`) };
  if (!found.isFile()) return { exists: true, valid: toolUseError(`${real} is a device or a pipe, not a file.`) };
  const file = await readAgain(real, context);
  return { exists: true, valid: file.ok ? { ok: true } : file };
}
