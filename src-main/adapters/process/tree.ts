/** What the shape of a tree needs to know of a process. */
export type Node = { readonly pid: number; readonly ppid: number };

/**
 * The rows that are roots and everything below them, each once, parents before children. Rows may come in any order
 * and may name parents that are not among them; circles, which recycled pids can make, do no harm.
 */
export function withDescendants<Row extends Node>(rows: readonly Row[], isRoot: (row: Row) => boolean): readonly Row[] {
  const children = new Map<number, Row[]>();
  for (const row of rows) {
    const siblings = children.get(row.ppid);
    if (siblings === undefined) children.set(row.ppid, [row]);
    else siblings.push(row);
  }
  const found: Row[] = rows.filter(isRoot);
  const seen = new Set(found.map((row) => row.pid));
  for (let next = 0; next < found.length; next++) {
    for (const child of children.get(found[next]!.pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
    }
  }
  return found;
}
