import styles from './Library.module.css';

const COLUMN = 4;
const LANE = 6;

/** The chart of a session in small. It says nothing that the row does not say in words. */
export function Thumbnail({ shape }: { readonly shape: string }) {
  if (shape === '') return null;
  const lanes = shape.split('/');
  const columns = lanes[0]?.length ?? 0;
  return (
    <svg
      className={styles.thumbnail}
      viewBox={`0 0 ${columns * COLUMN} ${lanes.length * LANE}`}
      width={columns * COLUMN}
      height={lanes.length * LANE}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lanes.flatMap((lane, at) =>
        stretches(lane).map(({ letter, from, until }) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane has no other name
            key={`${at} ${from}`}
            className={styles[`cell-${letter}`]}
            x={from * COLUMN + 0.5}
            y={at * LANE + 1}
            width={(until - from) * COLUMN - 1}
            height={LANE - 2.5}
            rx={1}
          />
        )),
      )}
    </svg>
  );
}

/** Runs of the same letter; dots are nothing. */
function stretches(lane: string): readonly { letter: string; from: number; until: number }[] {
  return [...lane.matchAll(/([a-z])\1*/g)].map(({ 0: run, 1: letter = '', index }) => ({
    letter,
    from: index,
    until: index + run.length,
  }));
}
