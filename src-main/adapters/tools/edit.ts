import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import { cutText } from '../../core/results/texts.ts';
import { defineTool, type ToolContext } from '../../ports/tool.ts';
import { editQuestion } from './edit-question.ts';
import { editTargetAt, locate, rawField, realPath, resolvePath, shownPath } from './paths.ts';
import { permittedPath, rememberPlace } from './permitted-path.ts';
import { hashOf, readAgain, refusal, remember, toolUseError } from './read-files.ts';
import { type Replacement, replaceIn } from './replace-in.ts';
import { writeWhole } from './write-whole.ts';

const QUOTED_CHARACTERS = 1_000;

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
    const path = resolvePath(input.file_path, context);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) {
      return { ok: false, message: `File does not exist. Note: your current working directory is ${context.cwd}.` };
    }
    if (!found.isFile()) return toolUseError(`${path} is not a file.`);
    const checked = await checkEdit(input, (await realPath(path)) ?? path, context);
    return checked.ok ? { ok: true } : checked;
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
    // What was asked and what is on disk may have parted while a person decided.
    const result = await checkEdit(input, real, context);
    if (!result.ok) throw refusal(result.message);
    const { mtimeMs } = await writeWhole(real, result.bytes);
    return {
      output: { path, real, replaced: result.replaced },
      isError: false,
      modifier: remember(real, {
        mtimeMs,
        size: result.bytes.length,
        hash: hashOf(result.bytes),
        callId: run.callId,
        by: 'write',
        range: 'whole',
      }),
      changes: [`changed ${shownPath(path, context)}`],
      wrote: [real],
    };
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
    const result = replacement(before, input);
    const after = result.ok ? result.bytes : before;
    return editQuestion({ title: 'Change this file?', path, what: 'is changed', before, after }, context);
  },
});

const replacement = (file: Buffer, input: Input): Replacement =>
  replaceIn(file, { oldText: input.old_string, newText: input.new_string, all: input.replace_all });

/** Everything of spec 2.3 that can be said of a file's content, and what the edit makes of it. */
async function checkEdit(input: Input, real: string, context: ToolContext) {
  if (input.old_string === input.new_string) {
    return toolUseError('No changes to make: old_string and new_string are exactly the same.');
  }
  const file = await readAgain(real, context);
  if (!file.ok) return file;
  const result = replacement(file.bytes, input);
  if (result.ok) return result;
  const quoted = cutText(input.old_string, QUOTED_CHARACTERS, '…');
  if (result.matches === 0) return toolUseError(`String to replace not found in file.\nString: ${quoted}`);
  return toolUseError(
    `Found ${result.matches} matches of the string to replace, but replace_all is false. Give more of the text around it, or set replace_all.\nString: ${quoted}`,
  );
}
