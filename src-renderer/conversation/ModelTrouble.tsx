import { KeyRound } from 'lucide-react';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { useReader } from '../state/access-store.ts';
import { viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './ModelTrouble.module.css';

/** After a turn that ended with a request that failed: the way to the model's settings. The words stand in the rows. */
export function ModelTrouble({ state }: { readonly state: SessionState }) {
  const why = useReader(state.sessionId)?.why;
  const turn = state.turns.findLast(({ agentId }) => agentId === MAIN_AGENT);
  const request = state.requests.findLast(({ agentId }) => agentId === MAIN_AGENT);
  if (state.model === undefined || turn?.end?.reason !== 'error' || request?.end?.kind !== 'failed') return null;
  return (
    <div className={styles.trouble}>
      <p>The model did not answer. Your message is kept; write again when it can.</p>
      <Button
        icon={KeyRound}
        disabled={why !== undefined}
        title={why}
        onClick={() => viewStore.setState({ modelDialog: 'change-model' })}
      >
        Change the model or its key
      </Button>
    </div>
  );
}
