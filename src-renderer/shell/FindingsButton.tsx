import { TriangleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { request } from '../bridge.ts';
import { counted } from '../state/format.ts';
import { failureWords } from '../state/problem.ts';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import styles from './FindingsButton.module.css';

/** Lines before the rest is only counted. */
const SHOWN = 200;

/** `23 findings` in the status bar; opens the list of what was odd in the file and what was done about it. */
export function FindingsButton({ sessionId, count }: { readonly sessionId: SessionId; readonly count: number }) {
  const [findings, setFindings] = useState<readonly Finding[]>();
  const [problem, setProblem] = useState<string>();
  const load = (): void => {
    setProblem(undefined);
    request('session.findings', { sessionId }).then(setFindings, (error: unknown) =>
      setProblem(failureWords(error).message),
    );
  };
  return (
    <Popover.Root onOpenChange={(open) => (open ? load() : undefined)}>
      <Popover.Trigger className={styles.trigger}>
        <TriangleAlert aria-hidden="true" size={14} strokeWidth={1.75} />
        {counted(count, 'finding')}
      </Popover.Trigger>
      <PopoverPanel className={styles.content} side="top" align="end">
        <h2 className={styles.title}>What was odd in the file</h2>
        <p className={styles.note}>Everything else was read.</p>
        {problem === undefined ? null : <p role="alert">{problem}</p>}
        <ul className={styles.list}>
          {findings?.slice(0, SHOWN).map((finding) => (
            <li key={`${finding.file}:${finding.line}:${finding.kind}:${finding.message}`} className={styles.finding}>
              <span>{finding.message}</span>
              <span className={styles.place}>
                {finding.file}
                {finding.line > 0 ? `:${finding.line}` : ''}
              </span>
            </li>
          ))}
        </ul>
        {findings !== undefined && findings.length > SHOWN ? (
          <p className={styles.note}>{formatCount(findings.length - SHOWN)} more are not listed.</p>
        ) : null}
      </PopoverPanel>
    </Popover.Root>
  );
}
