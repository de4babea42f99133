import { parseJson, scanStart, scanToEnd } from './json-scan.ts';

/** What could be read of a text that should have been one JSON value. */
export type TornJson = {
  /** The value as far as it goes: lists and objects that do not end have what came before. Undefined: nothing at all. */
  readonly value: unknown;
  /** Where reading had to stop, in characters from the start of the text. */
  readonly stoppedAt: number;
  /** Whole objects that stand after that place. */
  readonly rest: readonly unknown[];
};

/** Deeper than this nothing real is nested, and a walk that goes deeper may run out of stack. */
const MAX_DEPTH = 500;
/** Looking for whole objects after a torn place may walk this many times the text's length in all. */
const RESYNC_WALKS = 4;

class Torn extends Error {}

/** Reads JSON that is cut off or damaged in the middle. Only for text that `JSON.parse` has already refused. */
export function parseTorn(text: string): TornJson {
  const reader = new TornReader(text);
  const value = reader.read();
  const { at } = reader;
  return { value, stoppedAt: at, rest: wholeObjects(text, at) };
}

/** The first objects of a torn document, for telling its format. Nothing where the text is no JSON at all. */
export function tornHead(text: string): readonly unknown[] {
  const { value, rest } = parseTorn(text.replace(/^\uFEFF/, ''));
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return [value];
  return rest.slice(0, 40);
}

/** Objects that parse by themselves, the outermost ones, from `from` on. */
function wholeObjects(text: string, from: number): readonly unknown[] {
  const found: unknown[] = [];
  let budget = RESYNC_WALKS * text.length;
  let at = text.indexOf('{', from);
  while (at !== -1 && budget > 0) {
    const end = scanToEnd(text, at, scanStart());
    budget -= (end === -1 ? text.length : end) - at;
    const value = end === -1 ? undefined : parseJson(text.slice(at, end));
    if (value !== undefined) found.push(value);
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  return found;
}

/** A walk through the text that keeps what it has when it must stop. */
class TornReader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const kept: { value: unknown } = { value: undefined };
    try {
      this.#value((value) => {
        kept.value = value;
      }, 0);
    } catch (error) {
      if (!(error instanceof Torn)) throw error;
    }
    return kept.value;
  }

  /** Reads a value and hands it on before it is filled, so that it is there when the text ends inside it. */
  #value(keep: (value: unknown) => void, depth: number): void {
    if (depth > MAX_DEPTH) throw new Torn();
    this.#blanks();
    const c = this.#text[this.at];
    if (c === '{') this.#object(keep, depth);
    else if (c === '[') this.#list(keep, depth);
    else keep(this.#plain());
  }

  #object(keep: (value: unknown) => void, depth: number): void {
    const object: Record<string, unknown> = {};
    keep(object);
    this.at++;
    for (let first = true; !this.#closes('}'); first = false) {
      if (!first) this.#take(',');
      this.#blanks();
      const key = this.#plain();
      if (typeof key !== 'string') throw new Torn();
      this.#blanks();
      this.#take(':');
      this.#value((value) => {
        // A key named `__proto__` is data like any other.
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      }, depth + 1);
    }
  }

  #list(keep: (value: unknown) => void, depth: number): void {
    const list: unknown[] = [];
    keep(list);
    this.at++;
    for (let first = true; !this.#closes(']'); first = false) {
      if (!first) this.#take(',');
      this.#value((value) => list.push(value), depth + 1);
    }
  }

  /** A text, a number or a word. */
  #plain(): unknown {
    const found = this.#text[this.at] === '"' ? this.#quoted() : this.#word();
    const value = found === undefined ? undefined : parseJson(found);
    if (found === undefined || value === undefined) throw new Torn();
    this.at += found.length;
    return value;
  }

  #word(): string | undefined {
    const pattern = /-?\d[\d.eE+-]*|true|false|null/y;
    pattern.lastIndex = this.at;
    return pattern.exec(this.#text)?.[0];
  }

  /** By hand: a pattern would take memory for each letter of a text of many megabytes. */
  #quoted(): string | undefined {
    for (let end = this.#text.indexOf('"', this.at + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (this.#text[end - 1 - slashes] === '\\') slashes++;
      if (slashes % 2 === 0) return this.#text.slice(this.at, end + 1);
    }
    return undefined;
  }

  #closes(bracket: string): boolean {
    this.#blanks();
    if (this.#text[this.at] !== bracket) return false;
    this.at++;
    return true;
  }

  #take(mark: string): void {
    this.#blanks();
    if (this.#text[this.at] !== mark) throw new Torn();
    this.at++;
  }

  #blanks(): void {
    while (this.at < this.#text.length && this.#text.charCodeAt(this.at) <= 32) this.at++;
  }
}
