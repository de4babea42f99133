import { AnsiPainter, type Hit, type Piece } from './ansi.ts';
import { lineAt, lineText, type OutputLine, splitLines } from './lines.ts';

/** A line as it is drawn: its place in the whole output, its pieces, and how many bytes of it are not shown. */
export type PaintedLine = {
  readonly offset: number;
  readonly pieces: readonly Piece[];
  readonly cutBefore: number;
  readonly cutAfter: number;
};

/** Lines of a page that are painted when they are asked for; earlier ones first, as colours run on. */
export class PagePainter {
  readonly lines: readonly OutputLine[];
  private readonly bytes: Uint8Array;
  private readonly offset: number;
  private readonly hit: { readonly offset: number; readonly length: number } | undefined;
  private readonly hitLine: number;
  private readonly painter = new AnsiPainter();
  private readonly painted: PaintedLine[] = [];

  constructor(
    page: { readonly bytes: Uint8Array; readonly offset: number },
    hit: { readonly offset: number; readonly length: number } | undefined,
  ) {
    this.bytes = page.bytes;
    this.offset = page.offset;
    this.hit = hit;
    this.lines = splitLines(page.bytes, page.offset);
    this.hitLine = hit === undefined ? -1 : lineAt(this.lines, hit.offset);
  }

  /** The index of the line that holds the hit, or undefined when it is not in this page. */
  get hitAt(): number | undefined {
    const isInside =
      this.hit !== undefined && this.hit.offset >= this.offset && this.hit.offset < this.offset + this.bytes.length;
    return isInside ? this.hitLine : undefined;
  }

  line(at: number): PaintedLine | undefined {
    for (let next = this.painted.length; next <= at; next++) {
      const line = this.lines[next];
      if (line === undefined) return undefined;
      this.painted.push(this.paint(line, next === this.hitAt));
    }
    return this.painted[at];
  }

  private paint(line: OutputLine, hasHit: boolean): PaintedLine {
    const focus = hasHit && this.hit !== undefined ? this.hit.offset - this.offset : undefined;
    const shown = lineText(this.bytes, line, focus);
    const hit = focus === undefined ? undefined : this.hitIn(shown.from, focus);
    return {
      offset: line.offset,
      pieces: this.painter.line(shown.text, hit),
      cutBefore: shown.cutBefore,
      cutAfter: shown.cutAfter,
    };
  }

  /** Bytes to characters: where the hit lies in the text that begins at byte `from` of the page. */
  private hitIn(from: number, focus: number): Hit {
    const decoder = new TextDecoder('utf-8');
    const start = decoder.decode(this.bytes.subarray(from, focus)).length;
    const text = decoder.decode(this.bytes.subarray(focus, focus + (this.hit?.length ?? 0)));
    return { start, end: start + text.length };
  }
}
