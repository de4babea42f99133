import { FolderLock, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { TrustEntry, TrustState } from '../../src-shared/ipc/contract.ts';
import { appStore } from '../state/app-store.ts';
import { counted, shortPath, tildePath } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import styles from './TrustPanel.module.css';
import { answerTrust, isAsked, putOff, trustStore } from './trust-store.ts';

const PATH_CHARACTERS = 60;

/** Asks about what comes with the session's folder. Nothing while nothing waits and nobody wants to see the list. */
export function TrustPanel() {
  const view = useStore(trustStore);
  const { state, reviewing, isSending, problem } = view;
  if (state === undefined || !(reviewing || isAsked(view))) return null;
  return <TrustList state={state} isSending={isSending} problem={problem} />;
}

export type TrustListProps = {
  readonly state: TrustState;
  readonly isSending: boolean;
  readonly problem: string | undefined;
};

/** The panel for a given state: what the component gallery shows. */
export function TrustList({ state, isSending, problem }: TrustListProps) {
  const home = useStore(appStore, (app) => app.info?.home);
  const { folder, waiting, granted } = state;
  const name = shortPath(tildePath(folder, home), PATH_CHARACTERS);
  return (
    <section className={styles.panel} aria-label="Settings of this folder">
      <header className={styles.head}>
        <FolderLock aria-hidden="true" size={18} strokeWidth={1.75} className={styles.icon} />
        <h2 className={styles.title}>{titleOf(state, name)}</h2>
        <IconButton icon={X} name="Close" onClick={putOff} />
      </header>
      <p className={styles.hint}>{hintOf(state)}</p>
      <div className={styles.lists}>
        {waiting.length === 0 ? null : <Entries label="Without effect" entries={waiting} folder={folder} />}
        {granted.length === 0 ? null : <Entries label="In effect" entries={granted} folder={folder} />}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <footer className={styles.answers}>
        {waiting.length === 0 ? null : (
          <Button look="primary" disabled={isSending} onClick={() => void answerTrust('trust', waiting)}>
            Trust this folder
          </Button>
        )}
        <Button disabled={isSending} onClick={putOff}>
          {waiting.length === 0 ? 'Close' : 'Not now'}
        </Button>
        <span className={styles.space} />
        {state.answer === 'none' && granted.length === 0 ? null : (
          <Button disabled={isSending} onClick={() => void answerTrust('forget', [])}>
            {state.answer === 'never' ? 'Ask again for this folder' : 'Stop trusting this folder'}
          </Button>
        )}
        {state.answer === 'never' || waiting.length === 0 ? null : (
          <Button disabled={isSending} onClick={() => void answerTrust('never', [])}>
            Never for this folder
          </Button>
        )}
      </footer>
    </section>
  );
}

function titleOf({ answer, waiting, granted }: TrustState, name: string): string {
  if (waiting.length === 0) {
    return granted.length === 0
      ? `${name} brings no settings that need your trust.`
      : `${name} is trusted: ${kindsOf(granted)} in effect.`;
  }
  if (answer === 'trusted') return `New in ${name} since you trusted it: ${kindsOf(waiting)}.`;
  return `${name} brings settings of its own: ${kindsOf(waiting)}.`;
}

function hintOf({ answer, waiting }: TrustState): string {
  if (waiting.length === 0) return 'What comes with the folder later waits until you have seen it.';
  const sofar = 'Whoever made the folder wrote them. None of them has an effect so far.';
  return answer === 'never'
    ? `${sofar} You said that you do not want to be asked.`
    : `${sofar} Read them before you trust them: hooks and servers are programs that run without a question.`;
}

/** `2 allow rules, 1 hook`. */
function kindsOf(entries: readonly TrustEntry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of entries) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => counted(count, kind, pluralOf(kind))).join(', ');
}

const pluralOf = (kind: string): string => (kind.endsWith('ch') ? `${kind}es` : `${kind}s`);

type EntriesProps = { readonly label: string; readonly entries: readonly TrustEntry[]; readonly folder: string };

function Entries({ label, entries, folder }: EntriesProps) {
  const inFolder = (file: string): string => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file);
  return (
    <ul className={styles.list} aria-label={label}>
      {entries.map(({ key, kind, full, file, line }) => (
        <li key={`${key} ${file}:${line}`} className={styles.entry}>
          <span className={styles.kind}>{kind}</span>
          <code className={styles.what}>{full}</code>
          <span className={styles.where} title={`${file}:${line}`}>
            {inFolder(file)}:{line}
          </span>
        </li>
      ))}
    </ul>
  );
}
