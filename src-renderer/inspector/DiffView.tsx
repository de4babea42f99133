import { useMemo } from 'react';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { classes } from '../widgets/classes.ts';
import styles from './DiffView.module.css';
import { type Diff, type DiffRow, diffOf, type FileChange } from './diff.ts';

/** More rows than this are not drawn; a change that long is read in an editor. */
const ROW_LIMIT = 2_000;

/** Rows that a card has room for. */
const COMPACT_ROWS = 4;

/** A change of a file, line by line. `compact` shows the first changed lines only, for a card. */
export function DiffView({ change, compact = false }: { readonly change: FileChange; readonly compact?: boolean }) {
  const diff = useMemo(() => diffOf(change), [change]);
  if (diff === undefined) return <p className={styles.note}>The texts are too different to compare in time.</p>;
  const rows = compact
    ? withoutIndent(diff.rows.filter(isChange).slice(0, COMPACT_ROWS))
    : diff.rows.slice(0, ROW_LIMIT);
  return (
    <div className={classes(styles.diff, compact && styles.compact)}>
      {compact ? null : (
        <header className={styles.head}>
          <span className={styles.path}>{change.path}</span>
          <DiffCounts diff={diff} />
        </header>
      )}
      {diff.rows.length === 0 ? <p className={styles.note}>No difference.</p> : null}
      <div className={styles.rows} tabIndex={compact ? undefined : 0}>
        <div className={styles.wide}>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a change have no identity but their place
            <Row key={at} row={row} showsNumbers={change.isWhole && !compact} />
          ))}
        </div>
      </div>
      {diff.rows.length > ROW_LIMIT && !compact ? (
        <p className={styles.note}>{formatCount(diff.rows.length - ROW_LIMIT)} more lines are not shown.</p>
      ) : null}
    </div>
  );
}

const isChange = (row: DiffRow): boolean => row.kind === 'add' || row.kind === 'del';

/** Takes off the spaces that all rows begin with: a card is narrow. */
function withoutIndent(rows: readonly DiffRow[]): readonly DiffRow[] {
  const indent = Math.min(...rows.map((row) => row.text.search(/\S|$/)));
  return rows.map((row) => ({ ...row, text: row.text.slice(indent) }));
}

/** `+3 −1`, with words for screen readers. */
export function DiffCounts({ diff }: { readonly diff: Diff }) {
  return (
    <span className={styles.counts}>
      <span className={styles.plus}>+{formatCount(diff.added)}</span>
      <span className="visually-hidden"> lines added, </span>{' '}
      <span className={styles.minus}>−{formatCount(diff.removed)}</span>
      <span className="visually-hidden"> lines removed</span>
    </span>
  );
}

const SIGNS = { same: ' ', add: '+', del: '-' } as const;

function Row({ row, showsNumbers }: { readonly row: DiffRow; readonly showsNumbers: boolean }) {
  if (row.kind === 'hunk') return <div className={styles.hunk}>{row.text}</div>;
  return (
    <div className={classes(styles.row, styles[row.kind])}>
      {showsNumbers ? (
        <>
          <span className={styles.number}>{row.before ?? ''}</span>
          <span className={styles.number}>{row.after ?? ''}</span>
        </>
      ) : null}
      <span className={styles.sign}>{SIGNS[row.kind]}</span>
      {row.text}
    </div>
  );
}
