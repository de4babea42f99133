import styles from './ContextMeter.module.css';

/** From here on the conversation will soon have to be made shorter. */
const NEARLY_FULL = 0.8;

/** A thin bar for how full a window is. The number stands beside it. */
export function ContextMeter({ share }: { readonly share: number }) {
  const width = Math.min(1, Math.max(0, share)) * 100;
  return (
    <svg className={styles.meter} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.track} width={100} height={4} />
      <rect className={share >= NEARLY_FULL ? styles.nearlyFull : styles.used} width={width} height={4} />
    </svg>
  );
}
