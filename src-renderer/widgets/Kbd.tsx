import styles from './Kbd.module.css';

/** A key cap: `Ctrl K`, `Esc`. For the eye only: the control it stands in carries `aria-keyshortcuts`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span aria-hidden="true" className={styles.cap}>
      <kbd className={styles.kbd}>{keys}</kbd>
    </span>
  );
}
