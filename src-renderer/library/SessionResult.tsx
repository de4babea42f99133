import { Archive, CircleX, Import, MessageSquare, SquareTerminal } from 'lucide-react';
import { useStore } from 'zustand';
import { type Hit, NOT_READ } from '../../src-shared/library/session.ts';
import type { LibraryRow } from '../../src-shared/library/view.ts';
import { formatBytes, formatCount } from '../../src-shared/timeline/words.ts';
import { appStore } from '../state/app-store.ts';
import { clock, counted, dollars, shortPath, tildePath, whenWords } from '../state/format.ts';
import { classes } from '../widgets/classes.ts';
import { Pill } from '../widgets/Pill.tsx';
import { ToolIcon } from '../widgets/ToolIcon.tsx';
import styles from './Library.module.css';
import { hitsIn, libraryStore, openRow, selectRow, showAllHits } from './library-store.ts';
import { Marked } from './Marked.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { sourceWords, titleWords } from './words.ts';

type SessionResultProps = {
  readonly row: LibraryRow;
  readonly at: number;
  readonly isSelected: boolean;
  /** The one row that Tab reaches. */
  readonly isReachable: boolean;
};

/** A session that was found, with its hits. A click chooses it, a double click or Enter opens it. */
export function SessionResult({ row, at, isSelected, isReachable }: SessionResultProps) {
  const { hitAt, allHits } = useStore(libraryStore);
  const hits = hitsIn(row, allHits);
  const source = sourceWords(row);
  return (
    <div className={classes(styles.row, isSelected && styles.selected)}>
      <button
        type="button"
        data-library-row={at}
        className={styles.rowHead}
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={isReachable ? 0 : -1}
        onClick={() => selectRow(row)}
        onDoubleClick={() => void openRow(row, hits[0])}
      >
        <span className={styles.titleLine}>
          <span className={styles.rowTitle} title={titleWords(row)}>
            {titleWords(row)}
          </span>
          {source === '' ? null : <Pill icon={row.own ? undefined : row.inVault ? Archive : Import}>{source}</Pill>}
        </span>
        <Facts row={row} />
        <Thumbnail shape={row.shape} />
      </button>
      {hits.length === 0 ? null : (
        <ul className={styles.hits} aria-label={`Hits in ${titleWords(row)}`}>
          {hits.map((hit, of) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hits have no other name, and their order stays
            <li key={of}>
              <HitLine row={row} hit={hit} at={of} isSelected={isSelected && hitAt === of} />
            </li>
          ))}
        </ul>
      )}
      {row.hits > hits.length ? (
        <button type="button" className={styles.more} tabIndex={-1} onClick={() => void showAllHits(row)}>
          {counted(row.hits - hits.length, 'more hit')}
        </button>
      ) : null}
    </div>
  );
}

function Facts({ row }: { readonly row: LibraryRow }) {
  const home = useStore(appStore, (app) => app.info?.home);
  const isRead = row.problem === '';
  return (
    <span className={styles.facts}>
      <span>{whenWords(row.startedAt, Date.now())}</span>
      {row.cwd === '' ? null : <span title={row.cwd}>{shortPath(tildePath(row.cwd, home), 44)}</span>}
      {isRead ? <span>{counted(row.calls, 'call')}</span> : <span>{formatBytes(row.bytes)}</span>}
      {isRead && row.timed ? <span>{clock(row.durationMs)}</span> : null}
      {isRead && !row.timed ? <span>no times recorded</span> : null}
      {row.cost === undefined ? null : <span>{dollars(row.cost)}</span>}
      {row.running ? <span className={styles.running}>running</span> : null}
      {row.inVault ? <span>only in the vault</span> : null}
      {row.interrupted && !row.running ? <span>stopped by you</span> : null}
      {row.errors === 0 ? null : (
        <span className={styles.errors}>
          <CircleX aria-hidden="true" size={13} strokeWidth={1.75} />
          {formatCount(row.errors)}
          <span className={styles.onlyRead}>{row.errors === 1 ? ' error' : ' errors'}</span>
        </span>
      )}
      {isRead ? null : <span>{row.problem === NOT_READ ? 'not read yet' : row.problem}</span>}
    </span>
  );
}

type HitLineProps = {
  readonly row: LibraryRow;
  readonly hit: Hit;
  readonly at: number;
  readonly isSelected: boolean;
};

function HitLine({ row, hit, at, isSelected }: HitLineProps) {
  return (
    <button
      type="button"
      className={styles.hit}
      aria-current={isSelected ? 'true' : undefined}
      tabIndex={-1}
      onClick={() => selectRow(row, at)}
      onDoubleClick={() => void openRow(row, hit)}
    >
      <HitIcon hit={hit} />
      <span className={styles.hitKind}>{hit.kind === 'input' ? hit.tool : hit.kind}</span>
      <span className={styles.snippet}>
        <Marked hit={hit} />
      </span>
      <span className={styles.time}>{row.timed ? clock(hit.t) : '–'}</span>
    </button>
  );
}

function HitIcon({ hit }: { readonly hit: Hit }) {
  if (hit.kind === 'input') return <ToolIcon tool={hit.tool} size={14} />;
  const Icon = hit.kind === 'output' ? SquareTerminal : MessageSquare;
  return <Icon aria-hidden="true" size={14} strokeWidth={1.75} />;
}
