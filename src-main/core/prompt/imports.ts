/** A path behind an `@` that stands at the beginning of a word. A trailing dot or comma belongs to the sentence. */
const IMPORT = /(?<=^|[\s(])@((?:~\/|\.{0,2}\/)?[\w.~/\\-][^\s)'"`]*)/g;

/** A fence of code, or a piece of it within a line: an `@` in it is what it is. */
const CODE = /^(?: {0,3})(`{3,}|~{3,})[\s\S]*?^(?: {0,3})\1[^\n]*$|(`+)[^\n]*?\2/gm;

/** The files that a text imports, as they are written, each once and in order. */
export function importsOf(text: string): readonly string[] {
  const words = text.replace(CODE, (code) => ' '.repeat(code.length));
  const found = [...words.matchAll(IMPORT)].map(([, path = '']) => path.replace(/[.,;:!?]+$/, ''));
  return [...new Set(found.filter((path) => path !== ''))];
}
