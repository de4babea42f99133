import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AskId } from '../../src-shared/ids.ts';
import { type AnswerAction, changesAt, closedGuard, type Guard, type GuardInput, step, type Wish } from './guard.ts';

export type GuardHandle = {
  readonly guard: Guard;
  /** Tells the guard of a key, or of a click that a key made; answers what is to be done about it. */
  readonly press: (action: AnswerAction, dangerous: boolean) => Wish;
  readonly moved: () => void;
};

/** Runs the guard of the board on the window's clock. `askId` is the open card's question; undefined hides the board. */
export function useGuard(askId: AskId | undefined): GuardHandle {
  const [guard, setGuard] = useState<Guard>(closedGuard);
  // The truth is here: two keys may come before React renders again.
  const current = useRef<Guard>(closedGuard);
  const feed = useCallback((input: GuardInput): Wish => {
    const [next, wish] = step(current.current, input);
    if (next !== current.current) setGuard(next);
    current.current = next;
    return wish;
  }, []);

  useLayoutEffect(() => {
    if (askId === undefined) feed({ type: 'hidden' });
    else feed({ type: 'shown', askId, at: performance.now() });
  }, [askId, feed]);

  const until = changesAt(guard);
  useEffect(() => {
    if (until === undefined) return;
    // A timer may fire a little early; the guard then says so again.
    const timer = setTimeout(
      () => feed({ type: 'time-passed', at: performance.now() }),
      Math.max(1, until - performance.now() + 1),
    );
    return () => clearTimeout(timer);
  }, [until, feed]);

  const press = useCallback(
    (action: AnswerAction, dangerous: boolean) => feed({ type: 'pressed', action, dangerous, at: performance.now() }),
    [feed],
  );
  const moved = useCallback(() => void feed({ type: 'moved', at: performance.now() }), [feed]);
  return { guard, press, moved };
}
