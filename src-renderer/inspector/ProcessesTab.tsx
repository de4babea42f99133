import { Cpu } from 'lucide-react';
import { formatMillis } from '../../src-shared/timeline/words.ts';
import type { Process, ToolCall } from '../../src-shared/tool-call/state.ts';
import { counted } from '../state/format.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import styles from './Tab.module.css';

/** The processes of a call, and what of them outlived it. */
export function ProcessesTab({ call }: { readonly call: ToolCall }) {
  const { processes, survivors } = call;
  if (processes.length === 0 && survivors === undefined) {
    return <EmptyState icon={Cpu} title="No process is recorded for this call." />;
  }
  return (
    <div className={styles.tab}>
      {processes.length === 0 ? null : (
        <div className={styles.scrolls}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">Command</th>
                <th scope="col">Time</th>
                <th scope="col">Exit</th>
              </tr>
            </thead>
            <tbody>
              {processes.map((process) => (
                <tr key={`${process.pid} ${process.from}`}>
                  <td>{process.pid}</td>
                  <td className={styles.command}>
                    <code>{process.command}</code>
                  </td>
                  <td>{process.until === undefined ? '' : formatMillis(process.until - process.from)}</td>
                  <td>{exitWords(process)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {survivors === undefined ? null : (
        <section className={styles.card} aria-label="Survivors">
          <strong>{counted(survivors.length, 'survivor')}</strong>
          {survivors.length === 0 ? (
            <p className={styles.muted}>Nothing of its process tree is alive.</p>
          ) : (
            <ul>
              {survivors.map(({ pid, command }) => (
                <li key={pid}>
                  {pid} <code>{command}</code>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}

function exitWords({ until, code, signal }: Process): string {
  if (until === undefined) return 'running';
  if (signal !== undefined) return signal;
  return code === undefined ? 'not known' : String(code);
}
