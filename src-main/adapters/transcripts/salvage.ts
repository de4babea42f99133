import { escapeControls, parseJson, type ScanState, scanStart, scanToEnd } from './json-scan.ts';

/** One JSON value of a file, and where it began. */
export type Salvaged = {
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
  /** Bytes from the start of the file to the start of the line. */
  readonly offset: number;
  /** Length of what it was parsed from, in bytes where that is a whole line, else in characters: a mark to tell copies by. */
  readonly length: number;
};

export type TroubleKind =
  | 'glued-objects'
  | 'torn-line'
  | 'torn-tail'
  | 'not-json'
  | 'unreadable-object'
  | 'multi-line-object'
  | 'nul-bytes'
  | 'control-characters'
  | 'line-too-long';

/** What was odd, where, and what was done about it. */
export type Trouble = {
  readonly line: number;
  readonly offset: number;
  readonly kind: TroubleKind;
  readonly message: string;
};

const LINE_BREAK = 10;
/** Longer lines cannot become one string safely. The longest seen in the wild had 64 MB. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** An object that has not ended after this much text never will. */
const MAX_PENDING_CHARS = 64 * 1024 * 1024;
/** Looking for the next record in a torn line may walk this many times its length in all. */
const RESYNC_WALKS = 4;

/** Keys a record of any format we know begins with. More are learned from each file's good records. */
const FIRST_KEYS = ['type', 'parentUuid', 'uuid', 'timestamp', 'isSidechain', 'sessionId', 'v', 'id', 'schema_version'];
/** An object with `type` and one of these is a whole record; a content block inside one has none of them. */
const ENVELOPE_KEYS = ['timestamp', 'uuid', 'sessionId', 'session_id', 'message', 'payload', 'data', 'seq', 'snapshot'];

const isRecord = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'type' in value && typeof value.type === 'string' && ENVELOPE_KEYS.some((key) => key in value);
};

const COMMA = 44;
const BYTE_ORDER_MARK = 0xfeff;
const isBlank = (code: number): boolean => code <= 32 || code === COMMA || code === BYTE_ORDER_MARK;

/** What stands between the objects of a pretty-printed list. */
const isListMark = (text: string): boolean => /^\s*[[\],]\s*$/.test(text);

type Pending = { line: number; offset: number; lines: string[]; chars: number; scan: ScanState };
type Spot = { readonly line: number; readonly offset: number };

/** Reads a line in a way of its own. Undefined: it is none of its kind, or is damaged, and is read as all others are. */
export type ReadLine = (bytes: Buffer, offset: number) => unknown;

/**
 * Takes a file's bytes in pieces of any size and gives back its JSON values, one by one rather than line by line: objects
 * glued together, torn in the middle, spread over several lines. Splits at `\n` only. Costs O(bytes), and holds no more
 * than one line and what is left open.
 */
export class Salvager {
  readonly #onTrouble: (trouble: Trouble) => void;
  readonly #readSpecial: ReadLine | undefined;
  readonly #firstKeys = new Set(FIRST_KEYS);
  #parts: Buffer[] = [];
  #partBytes = 0;
  #tooLong = false;
  #line = 1;
  #offset = 0;
  #pending: Pending | undefined;
  #out: Salvaged[] = [];

  constructor(onTrouble: (trouble: Trouble) => void, readLine?: ReadLine) {
    this.#onTrouble = onTrouble;
    this.#readSpecial = readLine;
  }

  /** The values that ended in this piece. It may be filled anew once they are taken. */
  push(piece: Buffer): readonly Salvaged[] {
    let from = 0;
    for (let at = piece.indexOf(LINE_BREAK); at !== -1; at = piece.indexOf(LINE_BREAK, from)) {
      this.#endLine(piece.subarray(from, at), 1);
      from = at + 1;
    }
    if (from < piece.length) this.#keepPart(piece.subarray(from));
    return this.#take();
  }

  /** The values that were still open at the end of the file. */
  end(): readonly Salvaged[] {
    if (this.#partBytes > 0) this.#endLine(Buffer.alloc(0), 0);
    const open = this.#pending;
    this.#pending = undefined;
    if (open !== undefined) {
      const what = `ends inside an object; its ${open.chars} characters were left out. Its writer may still be running`;
      this.#tell(open, 'torn-tail', `The last line ${what}`);
    }
    return this.#take();
  }

  #take(): readonly Salvaged[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #keepPart(part: Buffer): void {
    this.#partBytes += part.length;
    if (this.#partBytes > MAX_LINE_BYTES) {
      this.#tooLong = true;
      this.#parts = [];
    } else {
      this.#parts.push(Buffer.from(part));
    }
  }

  #endLine(rest: Buffer, breakBytes: number): void {
    const spot = { line: this.#line, offset: this.#offset };
    const bytes = this.#partBytes + rest.length;
    this.#line++;
    this.#offset += bytes + breakBytes;
    if (this.#tooLong || bytes > MAX_LINE_BYTES) {
      this.#tell(spot, 'line-too-long', `The line has ${bytes} bytes and was left out`);
    } else if (bytes > 0) {
      const whole = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest], bytes);
      this.#takeLine(whole, spot);
    }
    this.#parts = [];
    this.#partBytes = 0;
    this.#tooLong = false;
  }

  #tell(spot: Spot, kind: TroubleKind, message: string): void {
    this.#onTrouble({ line: spot.line, offset: spot.offset, kind, message: `${message} (byte ${spot.offset})` });
  }

  #emit(value: unknown, spot: Spot, length: number): void {
    if (isRecord(value)) {
      const [first] = Object.keys(value as object);
      if (first !== undefined) this.#firstKeys.add(first);
    }
    this.#out.push({ value, line: spot.line, offset: spot.offset, length });
  }

  #takeLine(bytes: Buffer, spot: Spot): void {
    // While an object is open, a line may be its next part.
    const value = this.#pending === undefined ? this.#readSpecial?.(bytes, spot.offset) : undefined;
    if (value !== undefined) this.#emit(value, spot, bytes.length);
    else this.#readLine(bytes.toString('utf8'), spot, bytes.length);
  }

  #readLine(raw: string, spot: Spot, bytes: number): void {
    const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
    const value = parseJson(text);
    const open = this.#pending;
    if (open !== undefined) {
      if (value === undefined || !isRecord(value)) {
        this.#goOn(open, text, spot);
        return;
      }
      this.#pending = undefined;
      this.#tellTorn(open, text);
    }
    if (value !== undefined) this.#emit(value, spot, bytes);
    else this.#readPieces(text, spot);
  }

  #tellTorn(open: Pending, next: string): void {
    const start = open.lines[0] ?? '';
    const repeated = open.lines.length === 1 && next.startsWith(start.trimEnd());
    const after = repeated ? '; the whole record follows on the next line' : '';
    this.#tell(open, 'torn-line', `The line ends inside an object; ${open.chars} characters were left out${after}`);
  }

  /** A line that is not one JSON value: whatever can be got out of it. */
  #readPieces(text: string, spot: Spot): void {
    if (text.length < 80 && isListMark(text)) return;
    let from = 0;
    let pieces = 0;
    let nuls = false;
    for (;;) {
      while (from < text.length && isBlank(text.charCodeAt(from))) {
        nuls ||= text.charCodeAt(from) === 0;
        from++;
      }
      if (from >= text.length) break;
      const next = this.#readPiece(text, from, spot);
      if (next === undefined) break;
      if (next.emitted) pieces++;
      from = next.at;
    }
    if (nuls) this.#tell(spot, 'nul-bytes', 'NUL bytes were skipped');
    if (pieces > 1) this.#tell(spot, 'glued-objects', `${pieces} objects stand on one line; all were read`);
  }

  #readPiece(text: string, from: number, spot: Spot): { readonly at: number; readonly emitted: boolean } | undefined {
    const c = text[from];
    if (c !== '{' && c !== '[') {
      const at = this.#nextRecord(text, from);
      const length = (at ?? text.length) - from;
      this.#tell(spot, 'not-json', `${length} characters are not JSON and were left out: ${quote(text, from)}`);
      return at === undefined ? undefined : { at, emitted: false };
    }
    const scan = scanStart();
    const end = scanToEnd(text, from, scan);
    if (end !== -1) {
      const piece = text.slice(from, end);
      const value = this.#parsePiece(piece, spot);
      if (value !== undefined) {
        this.#emit(value, spot, piece.length);
        return { at: end, emitted: true };
      }
    }
    const at = this.#nextRecord(text, from + 1);
    if (at !== undefined) {
      this.#tell(spot, 'torn-line', `${at - from} characters of a torn object were left out; a whole one follows`);
      return { at, emitted: false };
    }
    if (end !== -1) {
      this.#tell(spot, 'unreadable-object', `An object of ${end - from} characters is not JSON and was left out`);
      return { at: end, emitted: false };
    }
    const rest = text.slice(from);
    this.#pending = { line: spot.line, offset: spot.offset, lines: [rest], chars: rest.length, scan };
    return undefined;
  }

  #parsePiece(piece: string, spot: Spot): unknown {
    const value = parseJson(piece);
    if (value !== undefined) return value;
    const repaired = parseJson(escapeControls(piece));
    if (repaired !== undefined) this.#tell(spot, 'control-characters', 'Bare control characters were escaped');
    return repaired;
  }

  /** Where the next whole record starts at or after `from`, in a line that does not parse. */
  #nextRecord(text: string, from: number): number | undefined {
    let budget = RESYNC_WALKS * text.length;
    for (let at = text.indexOf('{"', from); at !== -1 && budget > 0; at = text.indexOf('{"', at + 1)) {
      const key = text.slice(at + 2, text.indexOf('"', at + 2));
      if (!this.#firstKeys.has(key)) continue;
      const end = scanToEnd(text, at, scanStart());
      budget -= (end === -1 ? text.length : end) - at;
      if (end !== -1 && isRecord(parseJson(text.slice(at, end)))) return at;
    }
    return undefined;
  }

  /** One more line of an object that began on an earlier one. */
  #goOn(open: Pending, text: string, spot: Spot): void {
    // A line break inside a string should have been written as an escape.
    const joint = open.scan.inString ? '\\n' : '\n';
    open.scan.escaped = false;
    const end = scanToEnd(text, 0, open.scan);
    const part = end === -1 ? text : text.slice(0, end);
    open.lines.push(joint + part);
    open.chars += part.length;
    if (end === -1) {
      if (open.chars > MAX_PENDING_CHARS) {
        this.#pending = undefined;
        this.#tell(open, 'torn-line', `An object does not end; its ${open.chars} characters were left out`);
      }
      return;
    }
    this.#pending = undefined;
    const whole = open.lines.join('');
    const value = parseJson(whole) ?? parseJson(escapeControls(whole));
    if (value === undefined) {
      this.#tell(open, 'unreadable-object', `An object of ${open.lines.length} lines is not JSON and was left out`);
    } else {
      this.#tell(open, 'multi-line-object', `An object is spread over ${open.lines.length} lines; it was read`);
      this.#emit(value, open, whole.length);
    }
    this.#readPieces(text.slice(end), spot);
  }
}

const quote = (text: string, from: number): string => {
  const start = text.slice(from, from + 40).replace(/[\x00-\x1f\x7f]/g, ' ');
  return text.length > from + 40 ? `"${start}…"` : `"${start}"`;
};
