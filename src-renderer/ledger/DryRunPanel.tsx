import { ArrowRight, Ban, Check, Hand, Plus, TriangleAlert, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { DecisionKind } from '../../src-shared/ledger/decision.ts';
import type { DryRun, DryRunRow, FilePreview } from '../../src-shared/ledger/view.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { DiffView } from '../inspector/DiffView.tsx';
import { diffOf } from '../inspector/diff.ts';
import { appStore } from '../state/app-store.ts';
import { counted, tildePath, whenWords } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { Pill } from '../widgets/Pill.tsx';
import styles from './Ledger.module.css';
import { discard, ledgerStore, openDecision, save, select, undo } from './ledger-store.ts';
import { RuleEditor } from './RuleEditor.tsx';

/** What is drafted, and what past calls would have come to under it. Nothing is written before Save. */
export function DryRunPanel() {
  const { overview, draft, dryRun, dryProblem, dryRunning, selected } = useStore(ledgerStore);
  const isIdle = draft.length === 0 && selected === undefined;
  return (
    <aside className={styles.side} aria-label="Dry run">
      <header className={styles.sideHead}>
        <h2 className={styles.sideTitle}>Dry run</h2>
        {draft.length === 0 ? null : <Pill tone="lock">not saved</Pill>}
        <span className={styles.space} />
        {draft.length === 0 ? null : (
          <Button icon={Undo2} look="quiet" onClick={undo}>
            Undo
          </Button>
        )}
        {selected === 'new' || overview === undefined ? null : (
          <Button icon={Plus} onClick={() => select('new')}>
            Add a rule
          </Button>
        )}
      </header>
      <div className={styles.sideBody} data-when-idle={isIdle ? true : undefined}>
        {overview === undefined ? null : <RuleEditor overview={overview} />}
        {isIdle ? (
          <EmptyState
            title="Choose a rule to change it."
            hint="Before anything is saved, you see which past calls would have been decided differently."
          />
        ) : null}
        {dryProblem === undefined ? null : (
          <p className={styles.problem} role="alert">
            <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} />
            <span>
              {dryProblem.message} {dryProblem.hint}
            </span>
          </p>
        )}
        {dryRunning && dryRun === undefined ? <p className={styles.hint}>Trying it on past calls.</p> : null}
        {dryRun === undefined ? null : <Result dryRun={dryRun} />}
      </div>
      {draft.length === 0 ? null : <Footer />}
    </aside>
  );
}

function Result({ dryRun }: { readonly dryRun: DryRun }) {
  const { files, problems } = dryRun;
  return (
    <>
      {problems.map(({ edit, message }) => (
        <p key={`${edit} ${message}`} className={styles.problem} role="alert">
          <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} />
          <span>{message}</span>
        </p>
      ))}
      {files.map((file) => (
        <Preview key={file.file} file={file} />
      ))}
      <Changed dryRun={dryRun} />
      {dryRun.rows.length === 0 ? null : <Rows dryRun={dryRun} />}
      <Gains dryRun={dryRun} />
    </>
  );
}

function Preview({ file }: { readonly file: FilePreview }) {
  const home = useStore(appStore, (app) => app.info?.home);
  const change = useMemo(
    () => ({ path: tildePath(file.file, home), before: file.before, after: file.after, isWhole: true }),
    [file, home],
  );
  return (
    <>
      <DiffView change={change} />
      <p className={styles.hint}>Comments and order are kept.</p>
    </>
  );
}

function Changed({ dryRun }: { readonly dryRun: DryRun }) {
  const { changed, checked, counts } = dryRun;
  const share = (count: number): string => `${checked === 0 ? 0 : (count / checked) * 100}%`;
  return (
    <section aria-label="What would change">
      <p className={styles.changed}>
        <strong>{formatCount(changed)}</strong> of {counted(checked, 'past call')} would be decided differently
      </p>
      <div className={styles.bar} aria-hidden="true">
        <span className={styles.barAllow} style={{ width: share(counts.newlyAllowed) }} />
        <span className={styles.barAsk} style={{ width: share(counts.wouldAsk) }} />
        <span className={styles.barDeny} style={{ width: share(counts.denied) }} />
      </div>
      <ul className={styles.counts}>
        <li className={classes(counts.newlyAllowed > 0 && styles.warn)}>
          <Check aria-hidden="true" size={14} strokeWidth={1.75} />
          <strong>{formatCount(counts.newlyAllowed)}</strong> newly allowed
        </li>
        <li>
          <Hand aria-hidden="true" size={14} strokeWidth={1.75} />
          <strong>{formatCount(counts.wouldAsk)}</strong> would ask you
        </li>
        <li>
          <Ban aria-hidden="true" size={14} strokeWidth={1.75} />
          <strong>{formatCount(counts.denied)}</strong> denied
          {counts.deniedHeadless === 0 ? '' : `, ${formatCount(counts.deniedHeadless)} with no one to ask`}
        </li>
      </ul>
    </section>
  );
}

function Rows({ dryRun }: { readonly dryRun: DryRun }) {
  return (
    <table className={styles.rowsTable}>
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Decision</th>
          <th scope="col" className={styles.right}>
            Times
          </th>
        </tr>
      </thead>
      {dryRun.rows.map((row) => (
        <RowOf key={`${row.tool} ${row.summary} ${row.from} ${row.to} ${row.headless}`} row={row} />
      ))}
      {dryRun.moreRows === 0 ? null : (
        <tbody>
          <tr>
            <td colSpan={3} className={styles.hint}>
              {formatCount(dryRun.moreRows)} more kinds of calls are not listed.
            </td>
          </tr>
        </tbody>
      )}
    </table>
  );
}

const KIND_WORDS: Readonly<Record<DecisionKind, string>> = { allow: 'allow', ask: 'ask', deny: 'deny' };

function RowOf({ row }: { readonly row: DryRunRow }) {
  const [isOpen, setOpen] = useState(false);
  const { tool, summary, from, to, times, headless } = row;
  const call = tool === 'Bash' ? summary : `${tool} ${summary}`;
  return (
    <tbody>
      <tr>
        <td>
          <button type="button" className={styles.rowButton} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <code title={call}>{call}</code>
            {headless ? <span className={styles.aside}> headless</span> : null}
          </button>
        </td>
        <td className={styles.decision}>
          {KIND_WORDS[from]} <ArrowRight aria-label="would be" size={12} strokeWidth={1.75} />{' '}
          <strong className={styles[`to-${to}`]}>{KIND_WORDS[to]}</strong>
        </td>
        <td className={styles.right}>{formatCount(times)}</td>
      </tr>
      {isOpen ? <Calls row={row} /> : null}
    </tbody>
  );
}

function Calls({ row }: { readonly row: DryRunRow }) {
  const now = Date.now();
  return (
    <tr>
      <td colSpan={3}>
        <ul className={styles.calls}>
          {row.calls.map(({ sessionId, callId, at }) => (
            <li key={`${sessionId} ${callId}`}>
              <button type="button" className={styles.link} onClick={() => void openDecision(sessionId, callId)}>
                {whenWords(at, now)}: open in its session
              </button>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

function Gains({ dryRun }: { readonly dryRun: DryRun }) {
  if (dryRun.gains.length === 0) return null;
  return (
    <p className={styles.hint}>
      {dryRun.gains.slice(0, 3).map(({ text, hits }, at) => (
        <span key={text}>
          {at === 0 ? '' : ' '}
          <code>{text}</code> would have {counted(hits, 'hit')} more.
        </span>
      ))}
    </p>
  );
}

/** Lines that saving touches: each file's larger of what goes and what comes. */
function linesOf(files: readonly FilePreview[]): number {
  return files.reduce((sum, { file, before, after }) => {
    const diff = diffOf({ path: file, before, after, isWhole: true });
    return sum + Math.max(diff?.added ?? 0, diff?.removed ?? 0);
  }, 0);
}

function Footer() {
  const { dryRun, dryRunning, saving } = useStore(ledgerStore);
  const files = dryRun?.files;
  const lines = useMemo(() => linesOf(files ?? []), [files]);
  const isReady = dryRun !== undefined && !dryRunning && !saving && dryRun.problems.length === 0 && lines > 0;
  return (
    <footer className={styles.footer}>
      <span className={styles.hint}>Takes effect for the next decision.</span>
      <span className={styles.space} />
      <Button onClick={discard}>Discard</Button>
      <Button look="primary" disabled={!isReady} onClick={() => void save()}>
        {lines > 0 ? `Save ${counted(lines, 'line')}` : 'Save'}
      </Button>
    </footer>
  );
}
