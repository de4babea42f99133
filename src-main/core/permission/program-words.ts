import type { FileProgram } from './file-programs.ts';
import type { Values } from './shell-values.ts';

/** A word of a command, or a part of one, and what it can become. */
export type Item = { readonly text: string; readonly values: Values };

/** What stands behind the first characters of a word, where those are plain. */
export function tailOf({ text, values }: Item, from: number): Item {
  const head = text.slice(0, from);
  const isPlain = values?.every((value) => value.startsWith(head)) === true;
  return { text: text.slice(from), values: isPlain ? values?.map((value) => value.slice(from)) : undefined };
}

export type Sorted = {
  readonly operands: readonly Item[];
  /** Values of options that may be files. */
  readonly files: readonly Item[];
  readonly written: readonly Item[];
  /** Option words as they stand, and the single options in them. */
  readonly flags: readonly string[];
};

type Sorting = { operands: Item[]; files: Item[]; written: Item[]; flags: string[] };
type Options = Pick<FileProgram, 'texts' | 'writes'>;

/**
 * Sorts the words behind a program's name. Errs towards files: an option that is not known to take a text leaves the word
 * behind it among the operands.
 */
export function sortWords(items: readonly Item[], options: Options): Sorted {
  const sorted: Sorting = { operands: [], files: [], written: [], flags: [] };
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (item === undefined) break;
    if (item.text === '--') {
      sorted.operands.push(...items.slice(at + 1));
      break;
    }
    if (!item.text.startsWith('-') || item.text === '-') sorted.operands.push(item);
    else if (item.text.startsWith('--')) at += takeLong(item, items[at + 1], options, sorted);
    else at += takeShort(item, items[at + 1], options, sorted);
  }
  return sorted;
}

/** How many words more than itself an option takes. */
function takeLong(item: Item, next: Item | undefined, { texts = [], writes = [] }: Options, into: Sorting): 0 | 1 {
  const equals = item.text.indexOf('=');
  const name = equals === -1 ? item.text : item.text.slice(0, equals);
  into.flags.push(name, item.text);
  if (equals !== -1) {
    const value = tailOf(item, equals + 1);
    if (writes.includes(name)) into.written.push(value);
    else if (!texts.includes(name)) into.files.push(value);
    return 0;
  }
  if (writes.includes(name) && next !== undefined) into.written.push(next);
  return writes.includes(name) || texts.includes(name) ? 1 : 0;
}

function takeShort(item: Item, next: Item | undefined, { texts = [], writes = [] }: Options, into: Sorting): 0 | 1 {
  into.flags.push(item.text);
  for (let at = 1; at < item.text.length; at++) {
    const name = `-${item.text[at]}`;
    into.flags.push(name);
    const isText = texts.includes(name);
    const isWritten = writes.includes(name);
    const rest = tailOf(item, at + 1);
    // `-f.env`: what is attached may be a file.
    if (at === 1 && !isText && !isWritten && /[./]/.test(rest.text)) into.files.push(rest);
    if (!isText && !isWritten) continue;
    if (isWritten && (rest.text !== '' || next !== undefined))
      into.written.push(rest.text === '' && next ? next : rest);
    return rest.text === '' ? 1 : 0;
  }
  return 0;
}
