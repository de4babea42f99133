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

const MOST_EDITS = 200;

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to change'),
  edits: z
    .array(
      z.strictObject({
        old_string: z.string().min(1).describe('The text to replace; has to occur exactly once'),
        new_string: z.string().describe('The text to put there'),
        replace_all: z.boolean().default(false).describe('Replace every occurrence'),
      }),
    )
    .min(1)
    .max(MOST_EDITS)
    .describe('Made in order, each in what the one before has made; all of them or none'),
});
type Input = z.output<typeof Input>;
type Output = { readonly path: string; readonly real: string; readonly edits: number; readonly replaced: number };

export const multiEditTool = defineTool<Input, Output>({
  name: 'MultiEdit',
  description: 'Replaces several texts in one file that was read before, all of them or none.',
  inputSchema: Input,
  async validateInput({ file_path, edits }, context) {
    const file = await existingFile(file_path, context);
    if (!file.ok) return file;
    const checked = await checkEdits(edits, file.real, context);
    return checked.ok ? { ok: true } : checked;
  },
  editTarget: (input, context) => landing(input, input.file_path, context),
  cascadeKind: () => 'write',
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    const real = await permittedPath(input, path);
    // What was asked and what is on disk may have parted while a person decided.
    const result = await checkEdits(input.edits, real, context);
    if (!result.ok) throw refusal(result.message);
    const { bytes, replaced } = result;
    const output = { path, real, edits: input.edits.length, replaced };
    return writeChanged({ path, real, bytes, output }, context, run);
  },
  mapResult: ({ path, edits }) => ({
    content: [
      { type: 'text', text: `${edits} ${edits === 1 ? 'edit was' : 'edits were'} made in ${path}, in this order.` },
    ],
    isError: false,
  }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: (_input, output) =>
    output === undefined ? {} : { resolved_path: output.real, replaced: output.replaced },
  suggestRule: (input) => proposePathRule('Edit', input.file_path),
  async describeQuestion({ file_path, edits }, context) {
    const path = resolvePath(file_path, context);
    const before = await readFile(path);
    const result = applyEdits(before, edits);
    const what = edits.length === 1 ? 'is changed in one place' : `is changed by ${edits.length} edits`;
    return editQuestion(
      { title: 'Change this file?', path, what, before, after: result.ok ? result.bytes : before },
      context,
    );
  },
});
