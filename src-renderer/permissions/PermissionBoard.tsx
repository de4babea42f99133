import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { AskId, SessionId } from '../../src-shared/ids.ts';
import type { Choice } from '../../src-shared/permission/event.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { useReader } from '../state/access-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { classes } from '../widgets/classes.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { AskDetail, type AskDraft, answerOf, emptyDraft, nextQuestion } from './AskDetail.tsx';
import { type OpenAsk, onlyReads, openedAsk } from './asks.ts';
import { BoardHeader } from './BoardHeader.tsx';
import { focusOpenCard, placeOf, useBoardFocus, useMoved } from './board-focus.ts';
import { boardStore, closeRefusal, sendAnswer, sendAnswers } from './board-store.ts';
import { CardList } from './CardList.tsx';
import { afterKey, type ChoiceDraft, choiceKey } from './choices.ts';
import { type Covered, useCovered } from './covered.ts';
import { watchKeys } from './focus.ts';
import { type AnswerAction, ARM_MS, type KeyPress, keyMeaning } from './guard.ts';
import styles from './PermissionBoard.module.css';
import { Ties } from './Ties.tsx';
import { useAsks } from './use-asks.ts';
import { useGuard } from './use-guard.ts';

/** All questions that wait for a person, docked over the conversation. Nothing while there are none. */
export function PermissionBoard() {
  const open = useOpenSession();
  useEffect(watchKeys, []);
  const refusal = useStore(boardStore, (board) => board.refusal);
  const asks = useAsks(open);
  const covered = useCovered(open?.state, asks);
  // Answers are given in the window that works in the session; the bar above says how many wait there.
  const reader = useReader(open?.view.sessionId);
  if (
    open === undefined ||
    reader !== undefined ||
    (asks.length === 0 && covered.length === 0 && refusal === undefined)
  )
    return null;
  return <Board sessionId={open.view.sessionId} state={open.state} asks={asks} covered={covered} refusal={refusal} />;
}

export type BoardProps = {
  readonly sessionId: SessionId;
  readonly state: SessionState;
  readonly asks: readonly OpenAsk[];
  readonly covered: readonly Covered[];
  readonly refusal: string | undefined;
};

/** The board for given questions: what the component gallery shows. */
export function Board({ sessionId, state, asks, covered, refusal }: BoardProps) {
  const [board, setBoard] = useState<HTMLElement | null>(null);
  const feedbackField = useRef<HTMLTextAreaElement>(null);
  const answeredAt = useRef(Number.NEGATIVE_INFINITY);
  const isFolded = useStore(boardStore, (store) => store.isFolded);
  const open = openedAsk(
    asks,
    useStore(viewStore, (view) => view.openAsk),
  );
  const openId = open?.ask.askId;
  const { guard, press, moved } = useGuard(isFolded ? undefined : openId);
  useMoved(board, openId, moved);
  const focusNext = useBoardFocus(board, isFolded ? undefined : openId);
  // From here on another question cannot take the open one's place.
  useEffect(() => viewStore.setState({ openAsk: openId }), [openId]);
  const { draft, setDraft: keepDraft } = useDraft(open);
  const setDraft = (change: Partial<AskDraft>): void => {
    const goesOn = change.choices !== undefined && change.choices.step !== draft.choices?.step;
    // The option that has the focus is about to go; from the card it goes on to the next question.
    if (goesOn && board?.contains(document.activeElement)) focusOpenCard(board);
    keepDraft(change);
  };
  const reads = asks.filter(onlyReads);
  const act = (action: AnswerAction, byKey: boolean): void => {
    if (open === undefined) return;
    const dangerous = action !== 'allow-all-reads' && open.ask.question.dangerous;
    if (byKey && press(action, dangerous) !== 'go') return;
    // The second click of a double click must not answer the question that has come up below the pointer.
    if (!byKey && performance.now() - answeredAt.current < ARM_MS) return;
    const onward = action === 'allow-once' ? nextQuestion(open, draft) : undefined;
    if (onward !== undefined) {
      setDraft(onward);
      // The next question is armed like a new card: a key pressed twice answers one.
      if (onward.choices !== undefined) moved();
      return;
    }
    const result = answerOf(open, draft, action);
    if (result.ok) {
      focusNext();
      answeredAt.current = performance.now();
      const to = ({ ask, call }: OpenAsk) => ({ callId: call.callId, askId: ask.askId });
      if (action === 'allow-all-reads') void sendAnswers(sessionId, reads.map(to), { kind: 'allow-once' });
      else if (action === 'deny-all') void sendAnswers(sessionId, asks.map(to), { kind: 'deny' });
      else void sendAnswer({ sessionId, ...to(open) }, result.answer);
      return;
    }
    setDraft({ problem: result.message });
    if (action === 'deny-with-reason') feedbackField.current?.focus();
  };
  const onChoiceKey = (event: KeyboardEvent, choice: Choice, chosen: ChoiceDraft): void => {
    const key = choiceKey(keyPressOf(event));
    if (key === undefined) return;
    event.preventDefault();
    if (key.type === 'go-on') act('allow-once', true);
    else if (key.type === 'deny') act('deny', true);
    else if (guard.mode !== 'arming') {
      const next = afterKey(chosen, choice, key);
      if (next !== undefined) setDraft({ choices: next, problem: undefined });
      else if (key.type === 'next' || key.type === 'previous') {
        openNeighbour(asks, openId, key.type === 'next' ? 1 : -1);
      }
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const choice = draft.choices && open?.ask.question.choices?.[draft.choices.step];
    if (choice !== undefined && draft.choices !== undefined) {
      onChoiceKey(event, choice, draft.choices);
      return;
    }
    const meaning = keyMeaning(keyPressOf(event));
    if (meaning === undefined) return;
    event.preventDefault();
    if (meaning === 'allow-once' || meaning === 'deny') act(meaning, true);
    else openNeighbour(asks, openId, meaning === 'next' ? 1 : -1);
  };

  return (
    <section
      ref={setBoard}
      className={classes(styles.board, (isFolded || asks.length + covered.length === 0) && styles.folded)}
      aria-label="Permission board"
      data-permission-board
      data-guard={guard.mode}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target === event.currentTarget) focusOpenCard(event.currentTarget);
      }}
    >
      <BoardHeader asks={asks} reads={reads.length} state={state} isFolded={isFolded} onAction={act} />
      {refusal === undefined ? null : <Refusal text={refusal} />}
      {isFolded || asks.length + covered.length === 0 ? null : (
        <div className={styles.body}>
          <CardList asks={asks} covered={covered} openId={openId} guard={guard} />
          {open === undefined ? null : (
            <AskDetail
              key={openId}
              open={open}
              cwd={state.cwd}
              draft={draft}
              guard={guard}
              feedbackField={feedbackField}
              onDraft={setDraft}
              onAction={act}
            />
          )}
        </div>
      )}
      {open === undefined || isFolded ? null : <Ties asks={asks} openNumber={open.number} board={board} />}
    </section>
  );
}

const Refusal = ({ text }: { readonly text: string }) => (
  <p role="alert" className={styles.refusal}>
    <span>{text}</span>
    <IconButton icon={X} name="Close the message" onClick={closeRefusal} />
  </p>
);

function openNeighbour(asks: readonly OpenAsk[], openId: AskId | undefined, by: 1 | -1): void {
  const other = asks[asks.findIndex(({ ask }) => ask.askId === openId) + by];
  if (other !== undefined) viewStore.setState({ openAsk: other.ask.askId });
}

const keyPressOf = (event: KeyboardEvent): KeyPress => ({
  key: event.key,
  repeat: event.repeat,
  composing: event.nativeEvent.isComposing,
  modified: event.ctrlKey || event.metaKey || event.altKey,
  place: placeOf(event.target),
});

/** What was written for each question so far: going to another card and back loses nothing. */
function useDraft(open: OpenAsk | undefined): {
  readonly draft: AskDraft;
  readonly setDraft: (change: Partial<AskDraft>) => void;
} {
  const [drafts, setDrafts] = useState<Readonly<Record<AskId, AskDraft>>>({});
  const askId = open?.ask.askId;
  const draft = (askId === undefined ? undefined : drafts[askId]) ?? emptyDraft(open);
  const setDraft = (change: Partial<AskDraft>): void => {
    if (askId === undefined) return;
    setDrafts((now) => ({ ...now, [askId]: { ...(now[askId] ?? emptyDraft(open)), ...change } }));
  };
  return { draft, setDraft };
}
