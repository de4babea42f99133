import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CellEdit, type EditedNotebook } from '../../core/notebook/edit-notebook.ts';
import { proposePathRule } from '../../core/permission/propose-path-rule.ts';
import type { DocumentReader } from '../../ports/document-reader.ts';
import { type AnyTool, defineTool, type ToolContext, type Validation } from '../../ports/tool.ts';
import { existingFile, landing, writeChanged } from './change-file.ts';
import { editQuestion } from './edit-question.ts';
import { rawField, resolvePath } from './paths.ts';
import { permittedPath } from './permitted-path.ts';
import { readAgain, refusal, toolUseError } from './read-files.ts';

const Input = z.strictObject({
  notebook_path: z.string().min(1).describe('The path of the notebook'),
  cell_id: z.string().min(1).optional().describe('The id of the cell; a new cell comes behind it'),
  cell_number: z.number().int().nonnegative().optional().describe('Its number from 0, where it has no id'),
  new_source: z.string().default('').describe('The whole new source; not needed to delete'),
  cell_type: CellEdit.shape.type.describe('Of a new cell, or to change it; code when left out'),
  edit_mode: CellEdit.shape.mode.default('replace').describe('A new cell without cell_id comes first'),
});
type Input = z.output<typeof Input>;
type Output = {
  readonly path: string;
  readonly real: string;
  readonly cell: Extract<EditedNotebook, { ok: true }>['cell'];
  readonly mode: CellEdit['mode'];
};

const newCellId = (): string => randomBytes(4).toString('hex');

const cellEdit = (input: Input): CellEdit => ({
  mode: input.edit_mode,
  source: input.new_source,
  newId: newCellId(),
  ...(input.cell_type === undefined ? {} : { type: input.cell_type }),
  ...placeOf(input),
});

function placeOf({ cell_id, cell_number }: Input): Pick<CellEdit, 'at'> {
  const at = cell_id ?? cell_number;
  return at === undefined ? {} : { at };
}

const DONE: Readonly<Record<CellEdit['mode'], string>> = {
  replace: 'has a new source',
  insert: 'was inserted',
  delete: 'was deleted',
};

/** Changes one cell of a Jupyter notebook. Nothing else in the file changes, not even its blanks. */
export function notebookEditTool(documents: DocumentReader): AnyTool {
  const never = new AbortController().signal;

  /** Everything that can be said of the notebook's content, and what the edit makes of it. */
  async function changed(input: Input, real: string, context: ToolContext, signal = never) {
    const file = await readAgain(real, context);
    if (!file.ok) return file;
    if (!isUtf8(file.bytes)) return toolUseError('The file is not UTF-8. It would lose bytes; nothing was changed.');
    const text = file.bytes.toString('utf8');
    const result = await documents.do({ kind: 'notebook-edit', text, edit: cellEdit(input) }, signal);
    return result.ok ? result : toolUseError(result.message);
  }

  async function validate(input: Input, context: ToolContext): Promise<Validation> {
    if (!/\.ipynb$/i.test(input.notebook_path)) {
      return toolUseError(`${input.notebook_path} is no notebook (.ipynb). Change it with Edit.`);
    }
    if (input.cell_id !== undefined && input.cell_number !== undefined) {
      return toolUseError('Give cell_id or cell_number, not both.');
    }
    const file = await existingFile(input.notebook_path, context);
    if (!file.ok) return file;
    const checked = await changed(input, file.real, context);
    return checked.ok ? { ok: true } : checked;
  }

  return defineTool<Input, Output>({
    name: 'NotebookEdit',
    description:
      'Changes one cell of a Jupyter notebook that was read before: a new source, a new cell behind it, or none.',
    inputSchema: Input,
    validateInput: validate,
    editTarget: (input, context) => landing(input, input.notebook_path, context),
    cascadeKind: () => 'write',
    async call(input, context, run) {
      const path = resolvePath(input.notebook_path, context);
      const real = await permittedPath(input, path);
      const result = await changed(input, real, context, run.signal);
      if (!result.ok) throw refusal(result.message);
      const output = { path, real, cell: result.cell, mode: input.edit_mode };
      return writeChanged({ path, real, bytes: Buffer.from(result.text, 'utf8'), output }, context, run);
    },
    mapResult: ({ path, cell, mode }) => {
      const name = cell.id === undefined ? `Cell ${cell.number}` : `Cell ${cell.number} (id ${cell.id})`;
      return { content: [{ type: 'text', text: `${name} of ${path} ${DONE[mode]}.` }], isError: false };
    },
    summarise: (input) => rawField(input, 'notebook_path'),
    backfillObservableInput: (_input, output) => (output === undefined ? {} : { resolved_path: output.real }),
    suggestRule: (input) => proposePathRule('Edit', input.notebook_path),
    async describeQuestion(input, context) {
      const path = resolvePath(input.notebook_path, context);
      const before = await readFile(path);
      const edit = { ...cellEdit(input), newId: 'new' };
      const result = await documents.do({ kind: 'notebook-edit', text: before.toString('utf8'), edit }, never);
      const after = result.ok ? Buffer.from(result.text, 'utf8') : before;
      const what = { replace: 'gets a new cell source', insert: 'gets a new cell', delete: 'loses a cell' };
      return editQuestion(
        { title: 'Change this notebook?', path, what: what[input.edit_mode], before, after },
        context,
      );
    },
  });
}
