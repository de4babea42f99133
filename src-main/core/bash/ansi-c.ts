const simpleEscapes = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['E', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['?', '?'],
]);

/**
 * Decodes the inside of `$'…'`. `sure` is false when an escape is met that we leave alone: `\u` depends on
 * the locale, `\c` has corner cases, NUL ends the text, and bytes above 127 need not be one character.
 */
export function decodeAnsiC(body: string): { readonly text: string; readonly sure: boolean } {
  let sure = true;
  const text = body.replace(/\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([\s\S]))/g, (whole, octal, hex, letter) => {
    const code = octal !== undefined ? Number.parseInt(octal, 8) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
    if (code > 0 && code < 128) return String.fromCharCode(code);
    const plain = simpleEscapes.get(letter);
    if (plain === undefined) sure = false;
    return plain ?? whole;
  });
  return { text, sure };
}
