import { AnsiUp } from 'ansi_up';

/** A run of text in one style. `classes` are those of ansi_up (`ansi-red-fg`), `ansi-bold`, …. */
export type Piece = {
  readonly text: string;
  readonly classes: readonly string[];
  readonly color: string | undefined;
  readonly background: string | undefined;
  /** Part of the search hit that is looked at. */
  readonly hit: boolean;
};

/** A stretch of a line's text to mark, in characters. */
export type Hit = { readonly start: number; readonly end: number };

/** OSC (titles, links), CSI (colours, cursor), and an escape that begins neither. */
const ESCAPE = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b/g;
const COLOUR = /^\x1b\[[\d;]*m$/;
/** What cannot be seen, except tab and escape. */
const CONTROL = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f]/g;
/** Noncharacters: no text holds them, and ansi_up lets them pass. */
const HIT_START = '\ufdd0';
const HIT_END = '\ufdd1';

const visible = (char: string): string => {
  const code = char.charCodeAt(0);
  return code === 0x7f ? '␡' : String.fromCharCode(0x2400 + code);
};

/**
 * Styles the lines of a page one after the other: a colour that is not reset goes on in the next line. Cursor movements
 * and titles are dropped, other control characters become visible signs.
 */
export class AnsiPainter {
  private readonly ansi = new AnsiUp();

  constructor() {
    this.ansi.use_classes = true;
    this.ansi.boldStyle = 'ansi-bold';
    this.ansi.faintStyle = 'ansi-faint';
    this.ansi.italicStyle = 'ansi-italic';
    this.ansi.underlineStyle = 'ansi-underline';
  }

  line(text: string, hit?: Hit): readonly Piece[] {
    return piecesOf(this.ansi.ansi_to_html(onlyColours(text, hit)));
  }
}

/** Text without escapes and colours, for what is copied or counted. */
export const plainText = (text: string): string => text.replace(ESCAPE, '');

/**
 * Keeps text and colours. ansi_up waits for the end of a sequence it does not know, and swallows all that follows;
 * so it is given only what it knows.
 */
function onlyColours(text: string, hit: Hit | undefined): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(ESCAPE)) {
    out += clean(text, at, match.index, hit);
    if (COLOUR.test(match[0])) out += match[0];
    else if (match[0] === '\x1b') out += '␛';
    at = match.index + match[0].length;
  }
  return out + clean(text, at, text.length, hit);
}

function clean(text: string, from: number, to: number, hit: Hit | undefined): string {
  const part = (start: number, end: number): string => text.slice(start, end).replace(CONTROL, visible);
  if (hit === undefined || hit.end <= from || hit.start >= to) return part(from, to);
  const start = Math.max(from, hit.start);
  const end = Math.min(to, hit.end);
  return `${part(from, start)}${HIT_START}${part(start, end)}${HIT_END}${part(end, to)}`;
}

const TAG = /<span(?: style="([^"]*)")?(?: class="([^"]*)")?>([^<]*)<\/span>|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);

/** ansi_up's HTML as data: the content policy allows no style attributes, so the page sets styles itself. */
function piecesOf(html: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let hit = false;
  for (const [, style, classes, styled, text] of html.matchAll(TAG)) {
    const base = styleOf(style, classes);
    for (const part of unescaped(styled ?? text ?? '').split(/([\ufdd0\ufdd1])/)) {
      if (part === HIT_START) hit = true;
      else if (part === HIT_END) hit = false;
      else if (part !== '') pieces.push({ ...base, text: part, hit });
    }
  }
  return pieces;
}

function styleOf(style: string | undefined, classes: string | undefined): Omit<Piece, 'text' | 'hit'> {
  const parts = style?.split(';') ?? [];
  const value = (name: string): string | undefined =>
    parts.find((part) => part.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    classes: [...(classes?.split(' ') ?? []), ...parts.filter((part) => !part.includes(':'))],
    color: value('color'),
    background: value('background-color'),
  };
}
