import type { ReadOptions } from '../importer.ts';
import { parseJson } from '../json-scan.ts';
import type { ReadLine } from '../salvage.ts';
import type { KeptTexts } from './kept-texts.ts';
import { LongText } from './long-text.ts';
import { endOfString, measureString } from './measure-string.ts';

/** Shorter lines are parsed as they are: nothing would be gained. */
const SHORTEST_LINE = 4_096;
/** Bytes a text has to have to stay in the file. */
const SHORTEST_TEXT = 2_048;
/** No text that may be cut lies deeper. */
const DEEPEST = 7;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A preview that says where the rest lies, or might: its whole text is looked at. */
const NAMES_A_FILE = /^\s*(?:<persisted-output>|$)/;

type Step = string | number;
type LinePlace = { readonly texts: KeptTexts; readonly file: string; readonly offset: number };
type Cut = { readonly path: readonly Step[]; readonly mark: string; readonly text: LongText };

/** Reads long lines of a file in this way, where the reading allows texts to stay there. */
export function longLinesOf(file: string, { keptTexts: texts }: Pick<ReadOptions, 'keptTexts'>): ReadLine | undefined {
  return texts === undefined ? undefined : (bytes, offset) => cutLine(bytes, { texts, file, offset });
}

/**
 * Parses a line of a Claude Code transcript that may be long because of the result of a call. Long texts of the result,
 * and of the structured twin beside it, become `LongText`s; all else is as `JSON.parse` has it. Undefined where the line is
 * not of this kind, holds no long text, or is damaged anywhere: then it is read whole.
 *
 * @param offset of the line's first byte in the file.
 */
export function cutLine(line: Buffer, place: LinePlace): Record<string, unknown> | undefined {
  if (line.length < SHORTEST_LINE) return undefined;
  const walk = new Walk(line, place);
  const rest = walk.rest();
  if (rest === undefined) return undefined;
  const value = parseJson(rest);
  if (!isResultLine(value)) return undefined;
  for (const cut of walk.cuts) {
    if (cut.path[0] === 'message' && NAMES_A_FILE.test(cut.text.head())) return undefined;
    if (!putIn(value, cut)) return undefined;
  }
  return value;
}

/** Only results that went well: how a call failed is told by the whole of its text. */
function isResultLine(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'user') return false;
  if (!('message' in value) || typeof value.message !== 'object' || value.message === null) return false;
  const content: unknown = 'content' in value.message ? value.message.content : undefined;
  if (!Array.isArray(content)) return false;
  return content.every(
    (block) => typeof block === 'object' && block !== null && block.type === 'tool_result' && block.is_error !== true,
  );
}

/** A key that is written twice has the last value: what was cut before it is not there any more. */
function putIn(value: unknown, { path, mark, text }: Cut): boolean {
  let at = value as Record<Step, unknown>;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    if (typeof next !== 'object' || next === null) return false;
    at = next as Record<Step, unknown>;
  }
  const last = path.at(-1) as Step;
  if (at[last] !== mark) return false;
  at[last] = text;
  return true;
}

/**
 * May a text stay in the file?
 * ```
 * message.content[n].content            of a result that is a text
 * message.content[n].content[n].text    … a list
 * toolUseResult.*                       outputs and files in the twin
 * toolUseResult.file.content
 * ```
 */
function mayCut(path: readonly Step[]): boolean {
  const [first, second, third, fourth, fifth, sixth] = path;
  if (first === 'message') {
    if (second !== 'content' || typeof third !== 'number' || fourth !== 'content') return false;
    return path.length === 4 || (path.length === 6 && typeof fifth === 'number' && sixth === 'text');
  }
  if (first !== 'toolUseResult' && first !== 'tool_use_result') return false;
  if (path.length === 2) return typeof second === 'string';
  return path.length === 3 && second === 'file' && third === 'content';
}

/** One way through the bytes of a line: which strings are cut out of it, and what is left. */
class Walk {
  readonly cuts: Cut[] = [];
  readonly #line: Buffer;
  readonly #place: LinePlace;
  /** The key or index that is read in each of the objects and lists around, outermost first. */
  readonly #path: Step[] = [];
  #rest = '';
  #taken = 0;

  constructor(line: Buffer, place: LinePlace) {
    this.#line = line;
    this.#place = place;
  }

  /** The line with short marks in place of what was cut; undefined where nothing was. */
  rest(): string | undefined {
    const line = this.#line;
    let isKey = false;
    for (let i = 0; i < line.length; i++) {
      switch (line[i]) {
        case QUOTE: {
          const end = isKey ? this.#key(i + 1) : this.#value(i + 1);
          if (end === -1) return undefined;
          i = end;
          break;
        }
        case OPEN_BRACE:
          this.#path.push('');
          isKey = true;
          break;
        case OPEN_BRACKET:
          this.#path.push(0);
          isKey = false;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.#path.pop();
          isKey = false;
          break;
        case COLON:
          isKey = false;
          break;
        case COMMA:
          isKey = this.#next();
          break;
      }
    }
    if (this.cuts.length === 0) return undefined;
    return this.#rest + line.toString('utf8', this.#taken);
  }

  /** Behind a comma. Does a key follow? */
  #next(): boolean {
    const step = this.#path.at(-1);
    if (typeof step === 'string') return true;
    if (step !== undefined) this.#path[this.#path.length - 1] = step + 1;
    return false;
  }

  #key(from: number): number {
    const end = endOfString(this.#line, from);
    if (this.#path.length > 0 && this.#path.length <= DEEPEST) {
      this.#path[this.#path.length - 1] = this.#line.toString('latin1', from, Math.min(end, from + 100));
    }
    return end;
  }

  #value(from: number): number {
    if (this.#path.length > DEEPEST || !mayCut(this.#path)) return endOfString(this.#line, from);
    const measured = measureString(this.#line, from);
    if (measured === undefined) return -1;
    if (measured.end - from >= SHORTEST_TEXT) this.#cut(from, measured);
    return measured.end;
  }

  #cut(from: number, measured: NonNullable<ReturnType<typeof measureString>>): void {
    const mark = `gantry:cut:${this.cuts.length}`;
    const { texts, file, offset } = this.#place;
    const bytes = this.#line.subarray(from, measured.end);
    const text = new LongText(bytes, measured, { texts, file, offset: offset + from });
    this.cuts.push({ path: [...this.#path], mark, text });
    this.#rest += this.#line.toString('utf8', this.#taken, from) + mark;
    this.#taken = measured.end;
  }
}
