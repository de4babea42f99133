/** Where a walk through JSON text stands. Lives across lines, for objects that go on in the next one. */
export type ScanState = { depth: number; inString: boolean; escaped: boolean };

export const scanStart = (): ScanState => ({ depth: 0, inString: false, escaped: false });

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/**
 * Walks on from `from` and returns the index after the bracket that closes the value, or -1 when the text ends first.
 * Looks at brackets and strings only; whether it is JSON is for `JSON.parse` to say.
 */
export function scanToEnd(text: string, from: number, state: ScanState): number {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (state.inString) {
      if (state.escaped) state.escaped = false;
      else if (c === BACKSLASH) state.escaped = true;
      else if (c === QUOTE) state.inString = false;
    } else if (c === QUOTE) {
      state.inString = true;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      state.depth++;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      state.depth--;
      if (state.depth <= 0) return i + 1;
    }
  }
  return -1;
}

const escapeOf = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** The text with control characters inside its strings escaped, as JSON wants them, and those outside made blanks. */
export function escapeControls(text: string): string {
  let out = '';
  let from = 0;
  const state = scanStart();
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const inside = state.inString;
    if (c < 32) {
      out += text.slice(from, i) + (inside ? escapeOf(c) : ' ');
      from = i + 1;
      if (inside) state.escaped = false;
      continue;
    }
    scanOne(c, state);
  }
  return out + text.slice(from);
}

function scanOne(c: number, state: ScanState): void {
  if (!state.inString) {
    if (c === QUOTE) state.inString = true;
  } else if (state.escaped) {
    state.escaped = false;
  } else if (c === BACKSLASH) {
    state.escaped = true;
  } else if (c === QUOTE) {
    state.inString = false;
  }
}

/** Parsed, or undefined when the text is not JSON. (JSON itself has no undefined.) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
