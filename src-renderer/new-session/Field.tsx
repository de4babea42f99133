import { type ReactNode, useId } from 'react';
import styles from './ModelDialog.module.css';

/** What a field's input is given: ids that tie it to its label, its hint and what is wrong with it. */
export type FieldIds = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
};

type FieldProps = {
  readonly label: string;
  /** A sentence below it. */
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly children: (ids: FieldIds) => ReactNode;
};

/** A label, an input, and what is to be said of it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const noteId = useId();
  const note = problem ?? hint;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.value}>
        {children({
          id,
          'aria-describedby': note === undefined ? undefined : noteId,
          'aria-invalid': problem !== undefined,
        })}
        {note === undefined ? null : (
          <p id={noteId} className={problem === undefined ? styles.hint : styles.problem}>
            {note}
          </p>
        )}
      </div>
    </div>
  );
}
