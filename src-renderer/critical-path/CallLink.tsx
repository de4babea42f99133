import type { ReactNode } from 'react';
import type { CallId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { callName } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { selectCall } from '../state/view-store.ts';
import styles from './CriticalPath.module.css';

/** A call's name as a way to it. */
export function CallLink({ call }: { readonly call: ToolCall | undefined }) {
  if (call === undefined) return <>another call</>;
  return (
    <button type="button" className={styles.link} onClick={() => selectCall(call.callId)}>
      {callName(call)}
    </button>
  );
}

/** A sentence in which the names of these calls lead to them. */
export function Linked(props: {
  readonly state: SessionState;
  readonly text: string;
  readonly ids: readonly CallId[];
}) {
  const pieces: ReactNode[] = [];
  let rest = props.text;
  for (const id of props.ids) {
    const call = callById(props.state, id);
    if (call === undefined) continue;
    const at = rest.indexOf(callName(call));
    if (at < 0) continue;
    pieces.push(rest.slice(0, at), <CallLink key={id} call={call} />);
    rest = rest.slice(at + callName(call).length);
  }
  return (
    <>
      {pieces}
      {rest}
    </>
  );
}
