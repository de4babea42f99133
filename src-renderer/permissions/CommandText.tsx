import { classes } from '../widgets/classes.ts';
import styles from './CommandText.module.css';

export type CommandTextProps = {
  readonly text: string;
  /** The part that decides, in characters of `text`. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
  /** A shell command gets a prompt sign; other inputs do not. */
  readonly isCommand: boolean;
};

/** What would run, with the deciding part underlined. */
export function CommandText({ text, span, isCommand }: CommandTextProps) {
  const start = Math.min(Math.max(0, span?.start ?? 0), text.length);
  const end = Math.min(Math.max(start, span?.end ?? start), text.length);
  return (
    <pre className={classes(styles.box, isCommand && styles.command)}>
      {isCommand ? (
        <span className={styles.prompt} aria-hidden="true">
          ${' '}
        </span>
      ) : null}
      {text.slice(0, start)}
      {end > start ? <strong className={styles.decides}>{text.slice(start, end)}</strong> : null}
      {text.slice(end)}
    </pre>
  );
}
