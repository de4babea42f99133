import { classes } from '../widgets/classes.ts';
import type { TimeLine } from './facts.ts';
import styles from './Swatch.module.css';

export type SwatchKind = TimeLine['kind'] | 'failed' | 'model' | 'other';

/** A stretch in the chart's own fill and texture: which kind of time it is. */
export function Swatch(props: {
  readonly kind: SwatchKind;
  readonly className?: string;
  readonly style?: React.CSSProperties;
}) {
  return (
    <span
      aria-hidden="true"
      className={classes(styles.swatch, styles[props.kind], props.className)}
      style={props.style}
    />
  );
}
