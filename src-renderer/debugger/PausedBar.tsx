import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import { formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { type EditableInput, editableInput, editedInput } from '../permissions/asks.ts';
import { useReader } from '../state/access-store.ts';
import { counted } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { useOpenSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { resumeCall, stepOne, toggleHold } from './actions.ts';
import styles from './Debugger.module.css';
import { pausedCalls, pauseSentence } from './rules.ts';

/** Over the conversation while a call waits at a breakpoint, or the queue is held: what waits, and the ways on. */
export function PausedBar() {
  const open = useOpenSession();
  const why = useReader(open?.view.sessionId)?.why;
  if (open === undefined) return null;
  const calls = pausedCalls(open.state);
  const [first] = calls;
  if (first !== undefined) return <PausedCall key={first.callId} call={first} others={calls.length - 1} why={why} />;
  const { held } = open.state.debugger;
  const waiting = open.state.calls.filter((call) => call.phase === 'queued').length;
  if (held === undefined || waiting === 0) return null;
  return (
    <section className={styles.paused} aria-label="Held queue">
      <p className={styles.sentence}>
        <CirclePause aria-hidden="true" size={15} />
        <span>
          The queue is held. {counted(waiting, 'call')} wait{waiting === 1 ? 's' : ''} in it.
        </span>
      </p>
      <div className={styles.buttons}>
        <Button keys="N" disabled={why !== undefined} title={why} onClick={() => void stepOne()}>
          Start one
        </Button>
        <Button look="primary" keys="H" disabled={why !== undefined} title={why} onClick={() => void toggleHold()}>
          Let the queue go
        </Button>
      </div>
    </section>
  );
}

type PausedCallProps = {
  readonly call: ToolCall;
  readonly others: number;
  /** Why this window only looks; undefined where it works in the session. */
  readonly why: string | undefined;
};

function PausedCall({ call, others, why }: PausedCallProps) {
  const [edited, setEdited] = useState<EditableInput>();
  const [problem, setProblem] = useState<string>();
  const pause = call.pauses.at(-1);
  const now = useLiveNow(true);
  const goOn = (): void => {
    const parsed = edited === undefined ? undefined : editedInput(call, edited);
    if (parsed === undefined) void resumeCall(call.callId);
    else if (parsed.ok) void resumeCall(call.callId, { edited: { input: parsed.input } });
    else setProblem(parsed.message);
  };
  const isOff = why !== undefined;
  return (
    <section className={styles.paused} aria-label="At a breakpoint">
      <p className={styles.sentence}>
        <CirclePause aria-hidden="true" size={15} />
        <span>
          {pauseSentence(call)}
          {others === 0 ? '' : ` ${counted(others, 'other call')} wait${others === 1 ? 's' : ''} too.`}
        </span>
        <span className={styles.since}>{formatMillis(Math.max(0, now - (pause?.from ?? now)))}</span>
      </p>
      {edited === undefined ? null : (
        <textarea
          className={styles.editor}
          aria-label={edited.kind === 'command' ? 'Command to run' : 'Input to run with, as JSON'}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit; the caret belongs here
          autoFocus
          spellCheck={false}
          rows={Math.min(10, Math.max(2, edited.text.split('\n').length))}
          value={edited.text}
          onChange={(event) => {
            setEdited({ ...edited, text: event.target.value });
            setProblem(undefined);
          }}
        />
      )}
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        {edited === undefined ? null : <Button onClick={() => setEdited(undefined)}>Stop editing</Button>}
        {edited === undefined && pause?.why === 'before' ? (
          <Button disabled={isOff} title={why} onClick={() => setEdited(editableInput(call))}>
            Edit the input
          </Button>
        ) : null}
        <Button onClick={() => viewStore.setState({ selectedCall: call.callId, inspectorOpen: true })}>Inspect</Button>
        {edited === undefined ? (
          <Button keys="N" disabled={isOff} title={why} onClick={() => void stepOne()}>
            Step
          </Button>
        ) : null}
        <Button look="primary" disabled={isOff} title={why} onClick={goOn}>
          {edited === undefined ? 'Go on' : 'Go on with this input'}
        </Button>
      </div>
    </section>
  );
}
