/** One line of what ripgrep found, or a file; `path` is undefined for what belongs to no file (`--` between groups). */
export type FoundLine = { readonly path: string | undefined; readonly text: string };

/**
 * In lines of content a NUL stands in front of each separator, so that a path may hold colons and line breaks: text that
 * is searched holds none, since ripgrep stops at it.
 */
export const CONTENT_SEPARATORS = ['--field-match-separator=\\x00:', '--field-context-separator=\\x00-'];

const BETWEEN_GROUPS = '--';
const SAID_OF_BINARY = /^(.*): binary file matches[^\n]*$/;

/** Paths that ripgrep has printed with `--null`; the last one may be torn where the text was cut. */
export function parsePaths(text: string, isCut: boolean): readonly string[] {
  const paths = text.split('\0');
  const last = paths.pop();
  return isCut || last === undefined || last === '' ? paths : [...paths, last];
}

/** `path NUL count` lines. */
export function parseCounts(text: string, isCut: boolean): readonly FoundLine[] {
  const found: FoundLine[] = [];
  for (let at = 0; at < text.length; ) {
    const nul = text.indexOf('\0', at);
    const end = nul < 0 ? -1 : text.indexOf('\n', nul);
    // The last line may be torn.
    if (nul < 0 || (end < 0 && isCut)) break;
    const path = text.slice(at, nul);
    const until = end < 0 ? text.length : end;
    found.push({ path, text: `${path}:${text.slice(nul + 1, until)}` });
    at = until + 1;
  }
  return found;
}

/** Lines of content, as `CONTENT_SEPARATORS` mark them. */
export function parseContent(text: string, isCut: boolean): readonly FoundLine[] {
  const found: FoundLine[] = [];
  for (let at = 0; at < text.length; ) {
    const between = lineWithoutPath(text, at);
    if (between !== undefined) {
      found.push(between);
      at += between.text.length + 1;
      continue;
    }
    const nul = text.indexOf('\0', at);
    const end = text.indexOf('\n', Math.max(nul, at));
    if (end < 0 && isCut) break;
    const until = end < 0 ? text.length : end;
    const line = text.slice(at, until).replaceAll('\0', '');
    found.push({ path: nul < 0 ? undefined : text.slice(at, nul), text: line });
    at = until + 1;
  }
  return found;
}

/** Paths begin with what was searched, so that none is taken for these. */
function lineWithoutPath(text: string, at: number): FoundLine | undefined {
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end < 0 ? text.length : end);
  if (line === BETWEEN_GROUPS) return { path: undefined, text: line };
  if (line.includes('\0')) return undefined;
  const [, path] = SAID_OF_BINARY.exec(line) ?? [];
  return path === undefined ? undefined : { path, text: line };
}

/** Without the lines of these files; of the lines between groups one stays between two that stay. */
export function withoutFiles(found: readonly FoundLine[], isLeftOut: (path: string) => boolean): readonly FoundLine[] {
  const kept: FoundLine[] = [];
  let between: FoundLine | undefined;
  for (const line of found) {
    if (line.path === undefined && line.text === BETWEEN_GROUPS) {
      between = kept.length === 0 ? undefined : line;
      continue;
    }
    if (line.path !== undefined && isLeftOut(line.path)) continue;
    if (between !== undefined) kept.push(between);
    between = undefined;
    kept.push(line);
  }
  return kept;
}
