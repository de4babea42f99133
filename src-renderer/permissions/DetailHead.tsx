import { OctagonAlert, TriangleAlert } from 'lucide-react';
import { appStore } from '../state/app-store.ts';
import { shortPath, tildePath } from '../state/format.ts';
import { Pill } from '../widgets/Pill.tsx';
import styles from './AskDetail.module.css';
import { asksForPermission, type OpenAsk } from './asks.ts';

const CWD_CHARACTERS = 36;

/** What is asked, by whom and where; for a permission also how risky it is. */
export function DetailHead({ open, cwd }: { readonly open: OpenAsk; readonly cwd: string }) {
  const { ask, number, agentName } = open;
  const { question } = ask;
  return (
    <header className={styles.head}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <h3 className={styles.title}>{question.title}</h3>
      <Pill>{agentName}</Pill>
      <Pill className={styles.cwd}>{shortPath(tildePath(cwd, appStore.getState().info?.home), CWD_CHARACTERS)}</Pill>
      <span className={styles.space} />
      {asksForPermission(open) ? (
        <Pill tone={question.dangerous ? 'error' : 'lock'} icon={question.dangerous ? OctagonAlert : TriangleAlert}>
          {question.risk}
        </Pill>
      ) : null}
    </header>
  );
}
