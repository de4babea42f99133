import { readFile, stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { defineTool, type ToolContext, type Validation } from '../../ports/tool.ts';
import { editTargetOf, rawField, resolvePath, shownPath } from './paths.ts';
import { hashOf, isStillAsRead, remember } from './read-files.ts';

const Input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file to change'),
  old_string: z.string().min(1).describe('The text to replace; has to occur exactly once'),
  new_string: z.string().describe('The text to put there'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
});
type Input = z.output<typeof Input>;
type Output = { readonly path: string; readonly replaced: number };

export const editTool = defineTool<Input, Output>({
  name: 'Edit',
  description: 'Replaces a text in a file that was read before.',
  inputSchema: Input,
  validateInput: (input, context) => validate(input, resolvePath(input.file_path, context), context),
  editTarget: (input, context) => editTargetOf(resolvePath(input.file_path, context), context),
  cascadeKind: () => 'write',
  async call(input, context, run) {
    const path = resolvePath(input.file_path, context);
    // What was asked and what is on disk may have parted while a person decided.
    const valid = await validate(input, path, context);
    if (!valid.ok) throw new Error(plain(valid.message));
    const { mode } = await stat(path);
    const { text, replaced } = replaceIn(await readFile(path, 'utf8'), input);
    await writeFileAtomic(path, text, { mode });
    const { mtimeMs, size } = await stat(path);
    return {
      output: { path, replaced },
      isError: false,
      modifier: remember(path, {
        mtimeMs,
        size,
        hash: hashOf(Buffer.from(text, 'utf8')),
        callId: run.callId,
        range: 'whole',
      }),
      changes: [`changed ${shownPath(path, context)}`],
      wrote: [path],
    };
  },
  mapResult: ({ path }) => ({
    content: [{ type: 'text', text: `The file ${path} has been updated successfully.` }],
    isError: false,
  }),
  summarise: (input) => rawField(input, 'file_path'),
  backfillObservableInput: (_input, output) =>
    output === undefined ? {} : { resolved_path: output.path, replaced: output.replaced },
  suggestRule: (input) => `Edit(${input.file_path})`,
  async describeQuestion(input, context) {
    const path = resolvePath(input.file_path, context);
    const before = await readFile(path, 'utf8');
    return {
      title: 'Change this file?',
      reason: `${shownPath(path, context)} is written.`,
      risk: 'changes files',
      dangerous: false,
      diff: { path: shownPath(path, context), before, after: replaceIn(before, input).text },
    };
  },
});

async function validate(input: Input, path: string, context: ToolContext): Promise<Validation> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return { ok: false, message: `File does not exist. Note: your current working directory is ${context.cwd}.` };
  }
  if (!found.isFile()) return { ok: false, message: `${path} is not a file.` };
  if (input.old_string === input.new_string) {
    return problem('No changes to make: old_string and new_string are exactly the same.');
  }
  const asRead = await isStillAsRead(path, context);
  if (!asRead.ok) return asRead;
  const count = (await readFile(path, 'utf8')).split(input.old_string).length - 1;
  if (count === 0) return problem(`String to replace not found in file.\nString: ${input.old_string}`);
  if (count > 1 && !input.replace_all) {
    return problem(
      `Found ${count} matches of the string to replace, but replace_all is false. Give more of the text around it, or set replace_all.`,
    );
  }
  return { ok: true };
}

const problem = (message: string): Validation => ({
  ok: false,
  message: `<tool_use_error>${message}</tool_use_error>`,
});

const plain = (message: string): string => message.replace(/<\/?tool_use_error>/g, '');

/** Replaces without the special `$` patterns of `String.replace`. */
function replaceIn(text: string, input: Input): { readonly text: string; readonly replaced: number } {
  if (!input.replace_all) {
    const at = text.indexOf(input.old_string);
    if (at === -1) return { text, replaced: 0 };
    return { text: text.slice(0, at) + input.new_string + text.slice(at + input.old_string.length), replaced: 1 };
  }
  const parts = text.split(input.old_string);
  return { text: parts.join(input.new_string), replaced: parts.length - 1 };
}
