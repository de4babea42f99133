import { ChevronRight } from 'lucide-react';
import { type FoundKind, kindWords, type RedactionReport } from '../../src-shared/export/redaction.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { counted } from '../state/format.ts';
import styles from './ExportDialog.module.css';

/** What was found where. A kind opens to its places. */
export function ReportView({ report }: { readonly report: RedactionReport }) {
  const { total, kinds, pictures } = report;
  return (
    <div className={styles.report}>
      <p className={styles.found}>
        {total === 0 ? 'Nothing secret was found.' : `${counted(total, 'place')} will be replaced.`}
        {pictures === 0
          ? ''
          : ` ${counted(pictures, 'picture')} in it ${pictures === 1 ? 'is' : 'are'} not looked into.`}
      </p>
      {kinds.length === 0 ? null : (
        <ul className={styles.kinds} aria-label="What is replaced">
          {kinds.map((kind) => (
            <li key={kind.kind}>
              <Kind kind={kind} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Kind({ kind: { kind, count, distinct, places, morePlaces } }: { readonly kind: FoundKind }) {
  return (
    <details className={styles.kind}>
      <summary>
        <ChevronRight aria-hidden="true" size={13} className={styles.chevron} />
        <span className={styles.count}>{formatCount(count)}</span>
        <span>{kindWords(kind)}</span>
        <span className={styles.muted}>
          {count === 1 ? '' : distinct === 1 ? 'the same each time' : `${formatCount(distinct)} different`}
        </span>
      </summary>
      <ul className={styles.places}>
        {places.map(({ callId, call, where, count: times }) => (
          <li key={`${callId} ${where}`}>
            {call === undefined ? where : `${where} of ${call}`}
            {times === 1 ? '' : `, ${formatCount(times)} times`}
          </li>
        ))}
        {morePlaces === 0 ? null : <li>{formatCount(morePlaces)} more places</li>}
      </ul>
    </details>
  );
}
