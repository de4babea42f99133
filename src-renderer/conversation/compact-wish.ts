/** What `/compact` wants of the summary, which may be nothing; undefined for every other message. */
export function compactWish(text: string): string | undefined {
  const found = /^\s*\/compact(?:\s+([\s\S]*))?$/.exec(text);
  return found === null ? undefined : (found[1] ?? '').trim();
}
