import type { CommandNode, Heredoc, Script, Span } from './syntax.ts';

/** The text is not bash as we read it. Caught in `readBash`; never leaves this folder. */
export class NotBash extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.name = 'NotBash';
    this.span = span;
  }
}

/** Nesting beyond this is refused rather than followed, so that no text can exhaust the stack. */
const deepest = 60;

/** The reader's place in the text, and what it has collected on the way. */
export class Cursor {
  readonly text: string;
  at = 0;
  depth = 0;
  /** Every command met so far, inner ones included; kept even when the rest cannot be read. */
  readonly found: CommandNode[];
  /** Here-documents whose body starts after the next newline. */
  pendingHeredocs: Heredoc[] = [];
  /** Reads `$( … )` and friends; set by the grammar, which the word reader must not import. */
  readonly readScript: (cursor: Cursor, closer: string) => Script;
  /** For text taken out of backticks: where the whole of it stands in the real source. */
  readonly standsFor: Span | undefined;

  constructor(options: {
    readonly text: string;
    readonly readScript: (cursor: Cursor, closer: string) => Script;
    readonly found?: CommandNode[];
    readonly standsFor?: Span;
    readonly depth?: number;
  }) {
    this.text = options.text;
    this.readScript = options.readScript;
    this.found = options.found ?? [];
    this.standsFor = options.standsFor;
    this.depth = options.depth ?? 0;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The character `ahead` places on, or an empty string past the end. */
  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  spanFrom(start: number): Span {
    return this.standsFor ?? { start, end: this.at };
  }

  /** Gives up. The trouble is said to stand from `start` to here, or on the last character at the end of the text. */
  fail(message: string, start = this.at): never {
    const end = Math.min(this.text.length, Math.max(start + 1, this.at));
    throw new NotBash(message, this.standsFor ?? { start: Math.max(0, Math.min(start, end - 1)), end });
  }

  /** Runs `read` one level deeper. */
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > deepest) this.fail('The command is nested too deeply');
    const result = read();
    this.depth -= 1;
    return result;
  }
}
