import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** A titled part of a tab. */
export function Part(props: { readonly title: string; readonly note?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>
        {props.title}
        {props.note === undefined ? null : <span className={styles.note}>{props.note}</span>}
      </h3>
      {props.children}
    </section>
  );
}

/** Pairs of a name and a value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{children}</dd>
    </>
  );
}

/** A text as it came, in a box; long ones scroll inside it. */
export function Pre({ children }: { readonly children: string }) {
  return <pre className={styles.pre}>{children}</pre>;
}
