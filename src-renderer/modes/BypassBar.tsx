import { ShieldOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useOpenSession } from '../state/use-session.ts';
import { Button } from '../widgets/Button.tsx';
import { answerBypass, bypassStore } from './choose-mode.ts';
import styles from './Modes.module.css';

/** Asks, once a session, before it asks nothing any more. */
export function BypassBar() {
  const asking = useStore(bypassStore, (view) => view.asking);
  const open = useOpenSession();
  const isHere = asking !== undefined && open?.view.sessionId === asking;
  useEffect(() => {
    // Whoever goes to another session has not answered, and is asked again.
    if (asking !== undefined && !isHere) bypassStore.setState({ asking: undefined });
  }, [asking, isHere]);
  return isHere ? <BypassQuestion /> : null;
}

/** The question itself: what the component gallery shows. */
export function BypassQuestion() {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.focus(), []);
  return (
    <section
      ref={bar}
      className={styles.bar}
      aria-label="Mode without permissions"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        void answerBypass(false);
      }}
    >
      <ShieldOff aria-hidden="true" size={16} strokeWidth={1.75} />
      <p>
        <strong>Let everything run in this session without a question?</strong> Only deny and ask rules, and removals of
        whole folders like your home, still stop a call. The window is framed as long as it is so.
      </p>
      <Button look="danger" onClick={() => void answerBypass(true)}>
        Ask nothing in this session
      </Button>
      <Button onClick={() => void answerBypass(false)}>Keep asking</Button>
    </section>
  );
}

/** Colours the window's frame while nothing is asked. */
export function BypassFrame() {
  const open = useOpenSession();
  const isBypass = open?.state.settings.mode === 'bypassPermissions' && open.state.origin?.kind === 'live';
  return isBypass ? <div className={styles.frame} data-testid="bypass-frame" aria-hidden="true" /> : null;
}
