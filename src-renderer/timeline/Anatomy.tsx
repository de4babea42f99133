import styles from './Anatomy.module.css';
import { SamplePicture } from './SamplePicture.tsx';
import { ANATOMY, anatomySample } from './samples/legend.ts';

const ZOOM = 2;

type Part = { readonly name: string; readonly text: string; readonly from: number; readonly until: number };

const ABOVE: readonly Part[] = [
  { name: 'Queued', text: 'no lane free', from: ANATOMY.queued, until: ANATOMY.lock },
  { name: 'Waiting for the lock', text: 'says who holds it', from: ANATOMY.lock, until: ANATOMY.start },
];
const BELOW: readonly Part[] = [
  { name: 'Hooks', text: 'guard.sh', from: ANATOMY.start, until: ANATOMY.permission },
  { name: 'Waiting for permission', text: 'your answer', from: ANATOMY.permission, until: ANATOMY.run },
  { name: 'Running', text: 'the tool works', from: ANATOMY.run, until: ANATOMY.save },
  { name: 'Saving output', text: 'to disk', from: ANATOMY.save, until: ANATOMY.end },
  { name: 'Held until yield', text: 'earlier results go first', from: ANATOMY.end, until: ANATOMY.yielded },
];
const MOMENTS = [
  { text: 'gets a lane', at: ANATOMY.start, side: 'right' },
  { text: 'lane is free again', at: ANATOMY.end, side: 'middle' },
  { text: 'given to the model', at: ANATOMY.yielded, side: 'middle' },
] as const;

/** One call from its arrival to the handing on of its result, with the names of all its parts. */
export function Anatomy() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section className={styles.anatomy} tabIndex={0} aria-label="The parts of a bar">
      <div className={styles.inner} style={{ width: ANATOMY.width * ZOOM + 88 }}>
        <div className={styles.rows} aria-hidden="true">
          <span className={styles.queue}>queue</span>
          <span className={styles.lane}>lane 1</span>
        </div>
        <div className={styles.drawing} style={{ width: ANATOMY.width * ZOOM }}>
          <Brackets parts={ABOVE} where="above" />
          <div className={styles.bands} aria-hidden="true" />
          <SamplePicture sample={anatomySample} zoom={ZOOM} />
          {MOMENTS.map(({ text, at, side }) => (
            <div key={text} className={styles.moment} data-side={side} style={{ left: at * ZOOM }}>
              <span>{text}</span>
            </div>
          ))}
          <Brackets parts={BELOW} where="below" />
        </div>
      </div>
    </section>
  );
}

function Brackets({ parts, where }: { readonly parts: readonly Part[]; readonly where: 'above' | 'below' }) {
  return (
    <ol className={styles.brackets} data-where={where}>
      {parts.map(({ name, text, from, until }) => (
        <li key={name} className={styles.bracket} style={{ left: from * ZOOM + 1, width: (until - from) * ZOOM - 2 }}>
          <span className={styles.words}>
            <strong>{name}</strong>
            <span>{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
