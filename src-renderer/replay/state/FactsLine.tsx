import { useMemo } from 'react';
import { useStore } from 'zustand';
import { factsAt } from '../../../src-shared/replay/facts-at.ts';
import type { QueueAt } from '../../../src-shared/replay/queue-at.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { formatCount } from '../../../src-shared/timeline/words.ts';
import { appStore } from '../../state/app-store.ts';
import { counted, tildePath } from '../../state/format.ts';
import { selectCall } from '../../state/view-store.ts';
import styles from './State.module.css';

/** Changes of the context that are named before the rest is counted. */
const NAMED = 3;

export type FactsLineProps = { readonly state: SessionState; readonly version: number; readonly queue: QueueAt };

/** What the executor and its agent hold: lanes, the message's results, folder, files, and what calls have changed. */
export function FactsLine({ state, version, queue }: FactsLineProps) {
  const home = useStore(appStore, ({ info }) => info?.home);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state grows in place; its version tells
  const { lanes, budget, folder, files, changes } = useMemo(() => factsAt(state, queue), [state, version, queue]);
  return (
    <ul className={styles.facts} aria-label="What it holds">
      <li>
        Lanes <strong>{formatCount(lanes.used)}</strong> of {formatCount(lanes.cap)}
      </li>
      <li>
        {budget.limit === undefined ? (
          <>
            Results so far <strong>{formatCount(budget.used)}</strong> characters
          </>
        ) : (
          <>
            Result budget <strong>{formatCount(budget.used)}</strong> of {formatCount(budget.limit)} characters
          </>
        )}
      </li>
      {folder === '' ? null : (
        <li>
          Folder <code>{tildePath(folder, home)}</code>
        </li>
      )}
      {files === undefined ? null : (
        <li>
          {counted(files.read, 'file')} read, {files.changed === 0 ? 'none' : formatCount(files.changed)} changed since
        </li>
      )}
      {changes.length === 0 ? null : (
        <li>
          Context:{' '}
          {changes.slice(0, NAMED).map(({ callId, change }, at) => (
            <span key={`${callId} ${change}`}>
              {at === 0 ? '' : ', '}
              <button type="button" className={styles.link} onClick={() => selectCall(callId)}>
                {change}
              </button>
            </span>
          ))}
          {changes.length > NAMED ? ` and ${formatCount(changes.length - NAMED)} more` : ''}
        </li>
      )}
    </ul>
  );
}
