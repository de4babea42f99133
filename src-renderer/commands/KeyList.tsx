import { Kbd } from '../widgets/Kbd.tsx';
import { COMMANDS } from './commands.ts';
import styles from './KeyList.module.css';

type Line = { readonly title: string; readonly keys: readonly string[] };

/** What the chart does with keys by itself, without a command in the palette. */
const CHART_KEYS: readonly Line[] = [
  { title: 'Go to the call before or after, above or below', keys: ['←', '→', '↑', '↓'] },
  { title: 'Show the selected call in the inspector', keys: ['Enter'] },
  { title: 'Move the chart, with Shift further', keys: ['A', 'D'] },
  { title: 'Measure a stretch of time', keys: ['M'] },
];

const linesOf = (inChart: boolean): readonly Line[] =>
  COMMANDS.flatMap(({ title, keys, scope }) =>
    keys !== undefined && (scope === 'chart') === inChart ? [{ title: title.replace('…', ''), keys: [keys] }] : [],
  );

/** Every key there is, as the table of commands has them. */
export function KeyList() {
  return (
    <div className={styles.lists}>
      <Keys title="Keys" lines={linesOf(false)} />
      <Keys title="Keys while the chart has the focus" lines={[...CHART_KEYS, ...linesOf(true)]} />
    </div>
  );
}

function Keys({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.list}>
        {lines.map(({ title: words, keys }) => (
          <li key={words} className={styles.line}>
            <span>{words}</span>
            <span className={styles.keys}>
              {keys.map((one) => (
                <Kbd key={one} keys={one} />
              ))}
              <span className="visually-hidden">{keys.join(', ')}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
