import type { Hit } from '../../src-shared/library/session.ts';
import styles from './Library.module.css';

/** A snippet, with what was searched for highlighted. */
export function Marked({ hit }: { readonly hit: Hit }) {
  const { snippet, marks } = hit;
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    // Parts of a search may overlap.
    if (to <= at) continue;
    if (from > at) parts.push(snippet.slice(at, from));
    const start = Math.max(at, from);
    parts.push(
      <mark key={start} className={styles.mark}>
        {snippet.slice(start, to)}
      </mark>,
    );
    at = to;
  }
  parts.push(snippet.slice(at));
  return <>{parts}</>;
}
