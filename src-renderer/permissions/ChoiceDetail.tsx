import { Circle, CircleDot, Square, SquareCheck } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import type { Choice } from '../../src-shared/permission/event.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { Kbd } from '../widgets/Kbd.tsx';
import detail from './AskDetail.module.css';
import type { AskDetailProps } from './AskDetail.tsx';
import styles from './ChoiceDetail.module.css';
import { type ChoiceDraft, emptyChoices, goTo, pick, pickedAt, writeOther } from './choices.ts';
import { DetailHead } from './DetailHead.tsx';
import { isField } from './focus.ts';

export type ChoiceDetailProps = AskDetailProps & { readonly choices: readonly Choice[] };

/** The questions of one call, a step each, with their options and room for own words. */
export function ChoiceDetail(props: ChoiceDetailProps) {
  const { open, cwd, choices, guard, onAction, onDraft } = props;
  const draft = props.draft.choices ?? emptyChoices(choices);
  const choice = choices[draft.step];
  const isLast = draft.step === choices.length - 1;
  const change = (next: ChoiceDraft): void => onDraft({ choices: next, problem: undefined });
  const isByKey = (event: MouseEvent): boolean => event.detail === 0;
  return (
    <div className={detail.detail}>
      <div className={detail.scrolls}>
        <div className={detail.main}>
          <DetailHead open={open} cwd={cwd} />
          {choices.length > 1 ? (
            <Steps choices={choices} draft={draft} onGo={(step) => change(goTo(draft, step))} />
          ) : null}
          {choice === undefined ? null : (
            <Options
              key={draft.step}
              choice={choice}
              draft={draft}
              onChange={change}
              onEnter={() => onAction('allow-once', true)}
            />
          )}
          {props.draft.problem === undefined ? null : (
            <p role="alert" className={detail.problem}>
              {props.draft.problem}
            </p>
          )}
        </div>
      </div>
      <footer className={classes(detail.answers, guard.mode === 'arming' && detail.arming)}>
        <Button look="primary" size="large" keys="↵" onClick={(event) => onAction('allow-once', isByKey(event))}>
          {isLast ? sendWords(choices.length) : 'Next question'}
        </Button>
        {draft.step > 0 ? (
          <Button size="large" keys="←" onClick={() => change(goTo(draft, draft.step - 1))}>
            Back
          </Button>
        ) : null}
        <span className={detail.space} />
        <span className={styles.aside}>Without an answer the turn ends.</span>
        <Button size="large" keys="D" onClick={(event) => onAction('deny', isByKey(event))}>
          Do not answer
        </Button>
      </footer>
    </div>
  );
}

const sendWords = (count: number): string => (count === 1 ? 'Send the answer' : `Send ${count} answers`);

/** Where the person is among the questions; those before can be gone back to. */
function Steps({
  choices,
  draft,
  onGo,
}: {
  readonly choices: readonly Choice[];
  readonly draft: ChoiceDraft;
  readonly onGo: (step: number) => void;
}) {
  return (
    <ol className={styles.steps} aria-label="Questions of this call">
      {choices.map((choice, at) => (
        <li key={choice.question}>
          <button
            type="button"
            className={classes(styles.step, at === draft.step && styles.current)}
            aria-current={at === draft.step ? 'step' : undefined}
            disabled={at > draft.step}
            onClick={() => onGo(at)}
          >
            {at + 1}. {choice.header.trim() === '' ? `Question ${at + 1}` : choice.header}
          </button>
        </li>
      ))}
    </ol>
  );
}

type OptionsProps = {
  readonly choice: Choice;
  readonly draft: ChoiceDraft;
  readonly onChange: (draft: ChoiceDraft) => void;
  readonly onEnter: () => void;
};

function Options({ choice, draft, onChange, onEnter }: OptionsProps) {
  const name = useId();
  const group = useRef<HTMLDivElement>(null);
  const { chosen, isOther, other } = pickedAt(draft, draft.step);
  const last = choice.options.length;
  useFocusAt(group, draft.cursor);
  const onOtherKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && !event.repeat) {
      event.preventDefault();
      onEnter();
    } else if (event.key === 'Escape' || event.key === 'ArrowUp') {
      event.preventDefault();
      event.stopPropagation();
      group.current?.querySelector<HTMLElement>(`[data-choice-option="${last}"]`)?.focus();
    }
  };
  return (
    <div
      ref={group}
      {...{ role: choice.multiSelect ? 'group' : 'radiogroup', 'aria-labelledby': name }}
      tabIndex={-1}
      data-choice-option={-1}
      className={styles.options}
    >
      <h4 id={name} className={styles.question}>
        {choice.question}
        {choice.multiSelect ? <span className={styles.several}> Choose one or more.</span> : null}
      </h4>
      {choice.options.map((option, at) => (
        <OptionRow
          key={option.label}
          at={at}
          several={choice.multiSelect}
          isChosen={chosen.includes(at)}
          isAtCursor={draft.cursor === at || (draft.cursor === -1 && at === 0)}
          onPick={() => onChange(pick(draft, choice, at))}
        >
          <span className={styles.label}>{option.label}</span>
          {option.description === '' ? null : <span className={styles.description}>{option.description}</span>}
        </OptionRow>
      ))}
      <div className={styles.other}>
        <OptionRow
          at={last}
          several={choice.multiSelect}
          isChosen={isOther}
          isAtCursor={draft.cursor === last}
          onPick={() => {
            onChange(pick(draft, choice, last));
            if (!isOther) group.current?.querySelector('input')?.focus();
          }}
        >
          <span className={styles.label}>Other</span>
        </OptionRow>
        <input
          type="text"
          className={styles.own}
          aria-label="Answer in your own words"
          placeholder="Answer in your own words"
          value={other}
          onChange={(event) => onChange(writeOther(draft, choice, event.target.value))}
          onKeyDown={onOtherKey}
        />
      </div>
    </div>
  );
}

type OptionRowProps = {
  readonly at: number;
  readonly several: boolean;
  readonly isChosen: boolean;
  readonly isAtCursor: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
};

function OptionRow({ at, several, isChosen, isAtCursor, onPick, children }: OptionRowProps) {
  const Sign = several ? (isChosen ? SquareCheck : Square) : isChosen ? CircleDot : Circle;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the board handles the keys of all options in one place
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of two
    <div
      {...{ role: several ? 'checkbox' : 'radio', 'aria-checked': isChosen }}
      aria-keyshortcuts={String(at + 1)}
      tabIndex={isAtCursor ? 0 : -1}
      data-choice-option={at}
      className={classes(styles.option, isChosen && styles.chosen)}
      onClick={onPick}
    >
      <Sign aria-hidden="true" size={16} strokeWidth={1.75} className={styles.sign} />
      <span className={styles.words}>{children}</span>
      <Kbd keys={String(at + 1)} />
    </div>
  );
}

/** The focus follows the arrow keys and goes to a new question, as long as it is on the board and in no field. */
function useFocusAt(group: RefObject<HTMLDivElement | null>, cursor: number): void {
  useEffect(() => {
    const active = document.activeElement;
    const board = group.current?.closest('[data-permission-board]');
    if (board == null || active === null || !board.contains(active) || isField(active)) return;
    const place = cursor === -1 ? group.current : group.current?.querySelector(`[data-choice-option="${cursor}"]`);
    (place as HTMLElement | null | undefined)?.focus();
  }, [group, cursor]);
}
