/** More links behind one another than this are a circle; Linux gives up at the same number. */
const MOST_LINKS = 40;

/**
 * `realPath` of a world whose links are listed: from the path of each to where it leads, absolute or relative to its
 * folder. Paths with `/`.
 */
export function virtualRealPath(links: Readonly<Record<string, string>>): (path: string) => string | undefined {
  const targets = new Map(Object.entries(links));
  return (path) => {
    if (targets.size === 0) return path;
    let rest = path.split('/').filter((part) => part !== '');
    let at: readonly string[] = [];
    let followed = 0;
    while (rest.length > 0) {
      const [part = '', ...after] = rest;
      rest = after;
      if (part === '.') continue;
      if (part === '..') {
        at = at.slice(0, -1);
        continue;
      }
      const here = [...at, part];
      const target = targets.get(`/${here.join('/')}`);
      if (target === undefined) {
        at = here;
        continue;
      }
      followed++;
      if (followed > MOST_LINKS) return undefined;
      if (target.startsWith('/')) at = [];
      rest = [...target.split('/').filter((each) => each !== ''), ...rest];
    }
    return `/${at.join('/')}`;
  };
}
