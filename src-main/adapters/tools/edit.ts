import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { defineTool } from '../../ports/tool.ts';
import { existingFile, landing, writeChanged } from './change-file.ts';
import { editQuestion } from './edit-question.ts';
import { rawField, resolvePath } from './paths.ts';
import { permittedPath } from './permitted-path.ts';
import { refusal } from './read-files.ts';
import { applyEdits, checkEdits } from './text-edits.ts';

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to change'),
  old_string: z.string().min(1).describe('The text to replace; has to occur exactly once'),
  new_string: z.string().describe('The text to put there'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
});
type Input = z.output<typeof Input>;
type Output = { readonly path: string; readonly real: string; readonly replaced: number };

export const editTool = defineTool<Input, Output>({
  name: 'Edit',
  description: 'Replaces a text in a file that was read before.',
  inputSchema: Input,
  async validateInput(input, context) {
    const file = await existingFile(input.file_path, context);
    if (!file.ok) return file;
    const checked = await checkEdits([input], file.real, context);
    return checked.ok ? { ok: true } : checked;
  },
  editTarget: (input, context) => landing(input, input.file_path, context),
  cascadeKind: () => 'write',
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const real = await permittedPath(input, path);
    // What was asked and what is on disk may have parted while a person decided.
    const result = await checkEdits([input], real, context);
    if (!result.ok) throw refusal(result.message);
    const { bytes, replaced } = result;
    return writeChanged({ path, real, bytes, output: { path, real, replaced } }, context, run);
  },
  mapResult: ({ path }) => ({
    content: [{ type: 'text', text: `The file ${path} has been updated successfully.` }],
    isError: false,
  }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: (_input, output) =>
    output === undefined ? {} : { resolved_path: output.real, replaced: output.replaced },
  suggestRule: (input) => proposePathRule('Edit', input.file_path),
  async describeQuestion(input, context) {
    const path = resolvePath(input.file_path, context);
    const before = await readFile(path);
    const result = applyEdits(before, [input]);
    const after = result.ok ? result.bytes : before;
    return editQuestion({ title: 'Change this file?', path, what: 'is changed', before, after }, context);
  },
});
