import { Check, Play, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { type Hit, NOT_READ } from '../../src-shared/library/session.ts';
import type { LibraryRow } from '../../src-shared/library/view.ts';
import { appStore } from '../state/app-store.ts';
import { clock, counted, tildePath, whenWords } from '../state/format.ts';
import { VaultRestore } from '../vault/VaultRestore.tsx';
import { Button } from '../widgets/Button.tsx';
import styles from './Library.module.css';
import { continueRow, hitsIn, libraryStore, openRow } from './library-store.ts';
import { Marked } from './Marked.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { numbersOf, titleWords } from './words.ts';

/** What is known of the chosen session without opening it. */
export function Preview() {
  const { selected: row, found, hitAt, allHits } = useStore(libraryStore);
  const home = useStore(appStore, (app) => app.info?.home);
  if (row === undefined || (found?.total ?? 0) === 0) {
    return <aside className={styles.preview} aria-label="Preview" />;
  }
  const hit = hitsIn(row, allHits)[hitAt];
  return (
    <aside className={styles.preview} aria-label="Preview">
      <h2 className={styles.previewTitle}>{titleWords(row)}</h2>
      <p className={styles.previewWhere}>
        {[whenWords(row.startedAt, Date.now()), tildePath(row.cwd, home)].filter((word) => word !== '').join(' · ')}
      </p>
      {row.shape === '' ? null : (
        <div className={styles.chart}>
          <Thumbnail shape={row.shape} />
        </div>
      )}
      <div className={styles.buttons}>
        <Button icon={Play} look="primary" onClick={() => void openRow(row, hit)}>
          {hit === undefined ? 'Open' : 'Open at this hit'}
        </Button>
        <Button onClick={() => void continueRow(row)}>Continue it</Button>
      </div>
      {row.inVault ? <VaultRestore row={row} /> : null}
      {row.prompt === '' ? null : (
        <Part title="First prompt">
          <p className={styles.promptText}>{row.prompt}</p>
        </Part>
      )}
      {hit === undefined ? null : <ThisHit row={row} hit={hit} />}
      {row.problem === '' ? <Numbers row={row} /> : null}
      <Part title="Findings">
        <Findings row={row} />
      </Part>
      <p className={styles.path} title={row.path}>
        {tildePath(row.path, home)}
      </p>
    </aside>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3 className={styles.label}>{title}</h3>
      {children}
    </section>
  );
}

function ThisHit({ row, hit }: { readonly row: LibraryRow; readonly hit: Hit }) {
  const where = hit.tool === '' ? hit.kind : `${hit.tool}, ${hit.kind}`;
  return (
    <Part title="This hit">
      <div className={styles.hitBox}>
        <p className={styles.hitWhere}>{row.timed ? `${where}, ${clock(hit.t)}` : where}</p>
        <p className={styles.hitText}>
          <Marked hit={hit} />
        </p>
      </div>
    </Part>
  );
}

const Numbers = ({ row }: { readonly row: LibraryRow }) => (
  <Part title="In numbers">
    <dl className={styles.numbers}>
      {numbersOf(row).map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </Part>
);

function Findings({ row }: { readonly row: LibraryRow }) {
  if (row.problem === NOT_READ) return <p className={styles.note}>The file is not read yet.</p>;
  if (row.problem !== '') {
    return (
      <p className={styles.finding}>
        <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
        <span>The file {row.problem}. It cannot be searched.</span>
      </p>
    );
  }
  const Icon = row.findings === 0 ? Check : TriangleAlert;
  return (
    <p className={styles.finding}>
      <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
      <span>
        {row.findings === 0
          ? `None. ${row.events === 1 ? 'The one event was' : `All ${counted(row.events, 'event')} were`} read.`
          : `${counted(row.findings, 'odd place', 'odd places')}. Open it to see them.`}
      </span>
    </p>
  );
}
