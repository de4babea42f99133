import { type Node, parseTree } from 'jsonc-parser';
import { z } from 'zod';

/** What is to become of one cell. */
export const CellEdit = z.object({
  mode: z.enum(['replace', 'insert', 'delete']),
  /** The cell's id, or its number from 0; a new cell comes behind it, or first where it is left out. */
  at: z.union([z.string(), z.number().int().nonnegative()]).optional(),
  source: z.string(),
  type: z.enum(['code', 'markdown', 'raw']).optional(),
  /** For a cell that is inserted, where the notebook's cells have ids. */
  newId: z.string(),
});
export type CellEdit = z.output<typeof CellEdit>;

export const EditedNotebook = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    text: z.string(),
    /** Of the cell that was changed; its number as it was, or is for a new one. */
    cell: z.object({ id: z.string().optional(), number: z.number().int() }),
  }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);
export type EditedNotebook = z.output<typeof EditedNotebook>;

/**
 * Changes one cell of a notebook. Every byte outside of what is changed stays: indentation, numbers, the order of keys.
 * The outputs of a code cell whose source is replaced go, since they are those of other code.
 */
export function editNotebook(text: string, edit: CellEdit): EditedNotebook {
  const root = parseTree(text, [], { disallowComments: true });
  const list = fieldOf(root, 'cells');
  if (root === undefined || list?.type !== 'array') return no('The file is no notebook: it has no list of cells.');
  const cells = list.children ?? [];
  const found = edit.at === undefined ? undefined : placeOf(cells, edit.at);
  if (found !== undefined && !found.ok) return found;
  const paper: Paper = { text, list, cells, style: styleOf(text, list, cells) };
  switch (edit.mode) {
    case 'insert':
      return insert(paper, edit, found === undefined ? 0 : found.number + 1);
    case 'delete':
    case 'replace': {
      if (found === undefined) return no('Say which cell: give its cell_id, or its cell_number from 0.');
      return edit.mode === 'delete' ? remove(paper, found.number) : replace(paper, edit, found.number);
    }
  }
}

type Style = { readonly unit: string; readonly cellIndent: string; readonly eol: string; readonly hasIds: boolean };
type Paper = { readonly text: string; readonly list: Node; readonly cells: readonly Node[]; readonly style: Style };

const no = (message: string) => ({ ok: false, message }) as const;

const fieldOf = (object: Node | undefined, key: string): Node | undefined => propertyOf(object, key)?.children?.[1];
const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === 'object' ? object.children?.find((property) => property.children?.[0]?.value === key) : undefined;
const idOf = (cell: Node | undefined): string | undefined => {
  const id: unknown = fieldOf(cell, 'id')?.value;
  return typeof id === 'string' ? id : undefined;
};

function placeOf(
  cells: readonly Node[],
  at: string | number,
): { readonly ok: true; readonly number: number } | { readonly ok: false; readonly message: string } {
  const last = cells.length - 1;
  if (typeof at === 'number') {
    if (at <= last) return { ok: true, number: at };
    return no(cells.length === 0 ? 'The notebook has no cells.' : `There is no cell ${at}: the last one is ${last}.`);
  }
  const number = cells.findIndex((cell) => idOf(cell) === at);
  return number === -1
    ? no(`There is no cell with the id ${at}. Read the notebook to see them.`)
    : { ok: true, number };
}

/** How the file is laid out, as far as its first cell shows. */
function styleOf(text: string, list: Node, cells: readonly Node[]): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const first = cells[0];
  const cellIndent = indentAt(text, first?.offset ?? -1);
  const keyIndent = first?.children?.[0] === undefined ? undefined : indentAt(text, first.children[0].offset);
  const listIndent = indentAt(text, list.parent?.offset ?? -1);
  const unit =
    keyIndent?.startsWith(cellIndent ?? ' ') === true
      ? keyIndent.slice((cellIndent ?? '').length)
      : (listIndent ?? ' ');
  const hasIds = first === undefined ? true : cells.some((cell) => idOf(cell) !== undefined);
  return { unit, cellIndent: cellIndent ?? `${listIndent ?? ' '}${unit}`, eol, hasIds };
}

/** The blanks before a place, when nothing else stands in front of it on its line. */
function indentAt(text: string, offset: number): string | undefined {
  if (offset < 0) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const blanks = text.slice(start, offset);
  return start > 0 && /^[ \t]*$/.test(blanks) ? blanks : undefined;
}

/** JSON as the file writes it, at this depth. */
const written = (value: unknown, { unit, eol }: Style, indent: string): string =>
  JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);

/** A source as notebooks keep it: its lines, each with its break. */
const sourceLines = (source: string): readonly string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type Splice = { readonly from: number; readonly to: number; readonly text: string };

function spliced(text: string, splices: readonly Splice[]): string {
  let out = text;
  for (const { from, to, text: put } of [...splices].sort((a, b) => b.from - a.from)) {
    out = out.slice(0, from) + put + out.slice(to);
  }
  return out;
}

function replace({ text, cells, style }: Paper, edit: CellEdit, number: number): EditedNotebook {
  const cell = cells[number];
  const source = fieldOf(cell, 'source');
  if (cell === undefined || source === undefined) return no(`Cell ${number} has no source. The file is damaged.`);
  const before: unknown = fieldOf(cell, 'cell_type')?.value;
  const type = edit.type ?? before;
  const inner = style.cellIndent + style.unit;
  const put = (node: Node | undefined, value: unknown): readonly Splice[] =>
    node === undefined
      ? []
      : [{ from: node.offset, to: node.offset + node.length, text: written(value, style, inner) }];
  // A source that is one string stays one.
  const splices = [...put(source, source.type === 'string' ? edit.source : sourceLines(edit.source))];
  if (type !== before) splices.push(...put(fieldOf(cell, 'cell_type'), type));
  if (type === 'code') {
    splices.push(...put(fieldOf(cell, 'outputs'), []), ...put(fieldOf(cell, 'execution_count'), null));
    const missing = ['outputs', 'execution_count'].filter((key) => propertyOf(cell, key) === undefined);
    const last = cell.children?.at(-1);
    if (missing.length > 0 && last !== undefined) {
      const added = missing
        .map((key) => `,${style.eol}${inner}"${key}": ${key === 'outputs' ? '[]' : 'null'}`)
        .join('');
      splices.push({ from: last.offset + last.length, to: last.offset + last.length, text: added });
    }
  } else {
    splices.push(...['outputs', 'execution_count'].flatMap((key) => withoutProperty(text, propertyOf(cell, key))));
  }
  return { ok: true, text: spliced(text, splices), cell: { id: idOf(cell), number } };
}

/** Cuts out a property with the comma that ties it to its neighbour. */
function withoutProperty(text: string, property: Node | undefined): readonly Splice[] {
  if (property === undefined) return [];
  const to = property.offset + property.length;
  const after = /^\s*,\s*/.exec(text.slice(to))?.[0];
  if (after !== undefined) return [{ from: property.offset, to: to + after.length, text: '' }];
  const before = /,\s*$/.exec(text.slice(0, property.offset))?.[0] ?? '';
  return [{ from: property.offset - before.length, to, text: '' }];
}

function insert({ text, list, cells, style }: Paper, edit: CellEdit, number: number): EditedNotebook {
  const type = edit.type ?? 'code';
  const id = style.hasIds ? edit.newId : undefined;
  const cell = {
    cell_type: type,
    ...(type === 'code' ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(type === 'code' ? { outputs: [] } : {}),
    source: sourceLines(edit.source),
  };
  const put = written(cell, style, style.cellIndent);
  const edge = { id, number };
  const before = cells[number - 1];
  const line = `${style.eol}${style.cellIndent}`;
  if (before !== undefined) {
    const at = before.offset + before.length;
    return { ok: true, text: spliced(text, [{ from: at, to: at, text: `,${line}${put}` }]), cell: edge };
  }
  const next = cells[0];
  if (next !== undefined) {
    return {
      ok: true,
      text: spliced(text, [{ from: next.offset, to: next.offset, text: `${put},${line}` }]),
      cell: edge,
    };
  }
  const end = `${style.eol}${style.cellIndent.slice(0, style.cellIndent.length - style.unit.length)}`;
  const splice = { from: list.offset, to: list.offset + list.length, text: `[${line}${put}${end}]` };
  return { ok: true, text: spliced(text, [splice]), cell: edge };
}

function remove({ text, list, cells }: Paper, number: number): EditedNotebook {
  const cell = cells[number];
  if (cell === undefined) return no(`There is no cell ${number}.`);
  const edge = { id: idOf(cell), number };
  const next = cells[number + 1];
  const before = cells[number - 1];
  const splice: Splice =
    next !== undefined
      ? { from: cell.offset, to: next.offset, text: '' }
      : before !== undefined
        ? { from: before.offset + before.length, to: cell.offset + cell.length, text: '' }
        : { from: list.offset, to: list.offset + list.length, text: '[]' };
  return { ok: true, text: spliced(text, [splice]), cell: edge };
}
