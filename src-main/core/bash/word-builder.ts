import type { ExpansionRisk, Span, Word, WordPart } from './syntax.ts';

/**
 * Stands for the value of an expansion in the text given to shell-quote and in what we expect back.
 * A private-use character: the scanner refuses sources that hold one, so it cannot be forged.
 */
export const expansionMark = '\uE000';

/** Collects the parts of one word together with the spelling that shell-quote reads correctly. */
export class WordBuilder {
  private readonly parts: WordPart[] = [];
  private spelling = '';

  get isEmpty(): boolean {
    return this.parts.length === 0 && this.spelling === '';
  }

  /** The word so far when all of it is unquoted text, else nothing. */
  get bareText(): string | undefined {
    const [only] = this.parts;
    if (this.parts.length === 1 && only?.kind === 'text' && !only.quoted) return only.text;
    return this.parts.length === 0 ? '' : undefined;
  }

  text(text: string, options: { readonly quoted: boolean; readonly spelling: string }): void {
    this.spelling += options.spelling;
    const last = this.parts.at(-1);
    if (last?.kind === 'text' && last.quoted === options.quoted) {
      this.parts[this.parts.length - 1] = { ...last, text: last.text + text };
    } else {
      this.parts.push({ kind: 'text', text, quoted: options.quoted });
    }
  }

  ansi(text: string, options: { readonly sure: boolean; readonly spelling: string }): void {
    this.spelling += options.spelling;
    this.parts.push({ kind: 'ansi', text, sure: options.sure });
  }

  expansion(part: {
    readonly source: string;
    readonly quoted: boolean;
    readonly risk: ExpansionRisk;
    readonly span: Span;
    readonly spelling: string;
  }): void {
    this.spelling += part.spelling;
    const { source, quoted, risk, span } = part;
    this.parts.push({ kind: 'expansion', source, quoted, risk, span });
  }

  substitution(source: string, span: Span): void {
    this.parts.push({ kind: 'substitution', source, span });
  }

  /** Adds to the spelling alone, for the quotes around a text. */
  spell(spelling: string): void {
    this.spelling += spelling;
  }

  get collected(): readonly WordPart[] {
    return this.parts;
  }

  build(span: Span): Word {
    return { span, parts: this.parts, forShellQuote: this.spelling };
  }
}
