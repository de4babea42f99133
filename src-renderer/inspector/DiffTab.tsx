import { useMemo } from 'react';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { DiffView } from './DiffView.tsx';
import { changesOf } from './diff.ts';
import styles from './Tab.module.css';

/** What a call changed, or would have changed. */
export function DiffTab({ call }: { readonly call: ToolCall }) {
  const changes = useMemo(() => changesOf(call), [call]);
  if (changes.length === 0) return <EmptyState title="No change is recorded for this call." />;
  return (
    <div className={styles.tab}>
      {changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the changes of a call have no identity but their place
        <DiffView key={at} change={change} />
      ))}
    </div>
  );
}
