/** Longer texts of settings files are cut where they are shown. */
const MOST_CHARACTERS = 160;

/**
 * Text of a settings file as it may be shown on a screen or in a terminal: one line, not too long, and no character
 * that moves the cursor, colours, or turns the direction of reading. A repository may have written it.
 */
export function shownText(text: string): string {
  const visible = visibleText(text);
  const characters = [...visible];
  return characters.length <= MOST_CHARACTERS ? visible : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}

/** The same without a limit to its length. */
export const visibleText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** `1 rule`, `2 rules`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('switch') ? 'es' : 's'}`;
