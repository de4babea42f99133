import { ToggleGroup } from 'radix-ui';
import { formatCount } from '../../src-shared/timeline/words.ts';
import styles from './Choice.module.css';

export type ChoiceProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  readonly name: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number }[];
  readonly onChange: (value: Value) => void;
};

/** One of a few, side by side. Arrow keys move between them. */
export function Choice<Value extends string>({ name, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      className={styles.group}
      aria-label={name}
      value={value}
      // Choosing the chosen one again is no choice.
      onValueChange={(next) => next !== '' && onChange(next as Value)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className={styles.item}>
          {option.label}
          {option.count === undefined ? null : <span className={styles.count}>{formatCount(option.count)}</span>}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
