/**
 * Reads JSON as the importer of Perfetto does (google/perfetto, src/trace_processor/importers/json, as of 2025 and before),
 * where that is stricter or odder than JSON: halves of surrogate pairs are errors, a text ends at the first quote that has
 * no backslash before it, and nothing but an object is an event. Shares nothing with what writes traces.
 */
export function parseLikePerfetto(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#error('text behind the end');
  }

  value(): unknown {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{') return this.#object();
    if (first === '[') return this.#list();
    if (first === '"') return this.#string();
    const [word] = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(this.#rest(40)) ?? [];
    if (word === undefined) throw this.#error('no value');
    this.#at += word.length;
    return JSON.parse(word);
  }

  #object(): unknown {
    const fields: Record<string, unknown> = {};
    this.#take('{');
    for (let isFirst = true; !this.#takes('}'); isFirst = false) {
      if (!isFirst) this.#take(',');
      const key = this.#string();
      this.#take(':');
      fields[key] = this.value();
    }
    return fields;
  }

  #list(): unknown {
    const items: unknown[] = [];
    this.#take('[');
    while (!this.#takes(']')) {
      if (items.length > 0) this.#take(',');
      items.push(this.value());
    }
    return items;
  }

  #string(): string {
    this.#take('"');
    const from = this.#at;
    let until = this.#text.indexOf('"', from);
    while (until >= 0 && this.#text[until - 1] === '\\') until = this.#text.indexOf('"', until + 1);
    if (until < 0) throw this.#error('a text without an end');
    this.#at = until + 1;
    return this.#unescaped(this.#text.slice(from, until));
  }

  #unescaped(raw: string): string {
    if (/\p{Cc}/u.test(raw.replace(/[\u007f-\u009f]/g, ''))) throw this.#error('a control character');
    if (/\p{Cs}/u.test(raw)) throw this.#error('half a pair');
    return raw.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_all, hex: string | undefined, sign: string) => {
      if (hex === undefined) {
        const plain = ESCAPES[sign];
        if (plain === undefined) throw this.#error(`an unknown escape of ${sign}`);
        return plain;
      }
      const code = Number.parseInt(hex, 16);
      if (code >= 0xd800 && code <= 0xdfff) throw this.#error('an escaped half of a pair');
      return String.fromCharCode(code);
    });
  }

  #skip(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #takes(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #take(sign: string): void {
    if (!this.#takes(sign)) throw this.#error(`no ${sign}`);
  }

  #rest = (length: number): string => this.#text.slice(this.#at, this.#at + length);

  #error(what: string): Error {
    return new Error(`${what} at ${this.#at}: ${this.#rest(40)}`);
  }
}
