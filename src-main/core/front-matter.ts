import { LineCounter, parseDocument } from 'yaml';

/** A field of the front matter: its value, and the line it stands in. */
export type Field = { readonly value: unknown; readonly line: number };

/**
 * A text in two: YAML between two lines of `---`, and what stands behind it. Undefined when it does not begin so.
 * @param text the whole file.
 */
export function splitFrontMatter(text: string): { readonly matter: string; readonly body: string } | undefined {
  const [, matter, body = ''] =
    /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  return matter === undefined ? undefined : { matter, body };
}

/** The first line of the front matter is the second of the file. */
const FIRST_LINE = 2;

/**
 * The fields with their lines. Many files in use hold descriptions with a colon in them, which YAML does not take; those
 * are read line by line, as the programs that wrote them do.
 */
export function fieldsOf(
  matter: string,
): ReadonlyMap<string, Field> | { readonly line: number; readonly message: string } {
  const lines = new LineCounter();
  const document = parseDocument(matter, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error === undefined) {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { line: FIRST_LINE, message: 'Its front matter has no fields.' };
    }
    return new Map(Object.entries(value).map(([key, field]) => [key, { value: field, line: lineOfKey(matter, key) }]));
  }
  const plain = plainFields(matter);
  if (plain !== undefined) return plain;
  const { line } = lines.linePos(error.pos[0]);
  return { line: line + FIRST_LINE - 1, message: `Its front matter is not YAML: ${error.message.split('\n')[0]}.` };
}

const lineOfKey = (matter: string, key: string): number => {
  const at = matter.split('\n').findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}":`));
  return at === -1 ? FIRST_LINE : at + FIRST_LINE;
};

/** `key: the rest of the line`, and nothing else. */
function plainFields(matter: string): ReadonlyMap<string, Field> | undefined {
  const fields = new Map<string, Field>();
  for (const [at, line] of matter.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const parts = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line);
    if (parts === null) return undefined;
    const [, key = '', value = ''] = parts;
    fields.set(key, { value: unquoted(value.trim()), line: at + FIRST_LINE });
  }
  return fields;
}

export const unquoted = (value: string): string =>
  /^"[^"]*"$|^'[^']*'$/.test(value) ? value.slice(1, -1) : value.replaceAll('\\n', '\n');
