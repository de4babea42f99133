import type { AskId } from '../../src-shared/ids.ts';
import { viewStore } from '../state/view-store.ts';
import { Kbd } from '../widgets/Kbd.tsx';
import { AskCard } from './AskCard.tsx';
import type { OpenAsk } from './asks.ts';
import styles from './CardList.module.css';
import type { Covered } from './covered.ts';
import type { Guard } from './guard.ts';

export type CardListProps = {
  readonly asks: readonly OpenAsk[];
  readonly covered: readonly Covered[];
  readonly openId: AskId | undefined;
  readonly guard: Guard;
};

/** Cards in the order asked; those that a rule has just answered stay in their place until they fold. */
export function CardList({ asks, covered, openId, guard }: CardListProps) {
  const cards = [...asks.map((open) => ({ open, rule: undefined })), ...covered].sort(
    (a, b) => a.open.ask.from - b.open.ask.from,
  );
  return (
    <div className={styles.list}>
      <div role="listbox" aria-label="Questions" className={styles.cards}>
        {cards.map(({ open, rule }) =>
          rule === undefined ? (
            <AskCard
              key={open.ask.askId}
              open={open}
              isOpen={open.ask.askId === openId}
              guard={guard}
              onOpen={() => viewStore.setState({ openAsk: open.ask.askId })}
            />
          ) : (
            <div
              key={open.ask.askId}
              role="option"
              aria-selected={false}
              aria-disabled
              tabIndex={-1}
              className={styles.covered}
            >
              Covered by <code>{rule}</code>
            </div>
          ),
        )}
      </div>
      <div className={styles.keys} aria-hidden="true">
        <KeyHints open={asks.find(({ ask }) => ask.askId === openId)} />
        <p>Keys are ignored for 350 ms after the board appears or moves.</p>
      </div>
    </div>
  );
}

function KeyHints({ open }: { readonly open: OpenAsk | undefined }) {
  if (open?.ask.question.choices !== undefined) {
    return (
      <p>
        <Kbd keys="1" /> … <Kbd keys="9" /> choose <Kbd keys="Enter" /> go on <Kbd keys="D" /> do not answer
      </p>
    );
  }
  const isPlan = open?.ask.question.plan !== undefined;
  return (
    <p>
      <Kbd keys="↑" /> <Kbd keys="↓" /> choose <Kbd keys="Enter" /> {isPlan ? 'approve' : 'allow once'} <Kbd keys="D" />{' '}
      {isPlan ? 'keep planning' : 'deny'}
    </p>
  );
}
