import { useMemo } from 'react';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { counted } from '../state/format.ts';
import { LineList } from './output/LineList.tsx';
import { LINE_LIMIT } from './output/lines.ts';
import styles from './Tab.module.css';

/** Lines of an event as JSON. Events never change. */
const linesOf = new WeakMap<SessionEvent, readonly string[]>();

function eventLines(event: SessionEvent): readonly string[] {
  const known = linesOf.get(event);
  if (known !== undefined) return known;
  const lines = JSON.stringify(event, undefined, 2).split('\n');
  linesOf.set(event, lines);
  return lines;
}

/** The events of one call, as they stand in the journal. */
export function RawTab({ events, count }: { readonly events: readonly SessionEvent[]; readonly count: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows in place; its length tells
  const lines = useMemo(() => events.flatMap(eventLines), [events, count]);
  return (
    <div className={styles.raw}>
      <p className={styles.muted}>{counted(count, 'event')}</p>
      <div className={styles.rawLines}>
        <LineList
          name="Raw events"
          count={lines.length}
          line={(at) => {
            const line = lines[at] ?? '';
            if (line.length <= LINE_LIMIT) return line;
            return `${line.slice(0, LINE_LIMIT)} … ${counted(line.length - LINE_LIMIT, 'more character')}`;
          }}
        />
      </div>
    </div>
  );
}
