import { FolderOpen, Play, ShieldCheck, Square } from 'lucide-react';
import { useStore } from 'zustand';
import { formatBytes, formatCount } from '../../src-shared/timeline/words.ts';
import type { VaultOutcome, VaultStatus } from '../../src-shared/vault/view.ts';
import { appStore } from '../state/app-store.ts';
import { counted, tildePath } from '../state/format.ts';
import { Button } from '../widgets/Button.tsx';
import { DialogFailure, DialogFooter, DialogForm, DialogFrame } from '../widgets/DialogFrame.tsx';
import styles from './Vault.module.css';
import {
  chooseVault,
  closeVault,
  isAtWork,
  keepUpToDate,
  leaveVault,
  runVault,
  stopVault,
  vaultStore,
  verifyVault,
} from './vault-store.ts';
import { factsOf, programName, stateWords } from './words.ts';

/** Where transcripts are copied to, what is covered, and what the vault is doing. */
export function VaultDialog() {
  const open = useStore(vaultStore, (view) => view.open === 'vault');
  return (
    <DialogFrame open={open} onClose={closeVault} className={styles.dialog} startsAt="[data-start]">
      {open ? <Content /> : null}
    </DialogFrame>
  );
}

function Content() {
  const { overview, problem } = useStore(vaultStore);
  const folder = overview?.folder;
  return (
    <DialogForm title="Vault of transcripts" onClose={closeVault}>
      {/* The focus starts beside the buttons: nothing is done by a key that was meant for the page. */}
      <div className={styles.body} data-start tabIndex={-1}>
        {overview === undefined ? <p className={styles.note}>Looking at the vault.</p> : null}
        {overview !== undefined && folder === undefined ? <About /> : null}
        {folder === undefined ? null : <Folder folder={folder} />}
        {overview?.problem === undefined ? null : (
          <DialogFailure message={overview.problem.message} hint={overview.problem.hint} />
        )}
        {overview?.status === undefined ? null : <Covered status={overview.status} />}
        {folder === undefined ? null : <KeepUpToDate on={overview?.whileRunning ?? false} />}
        {folder === undefined ? null : <Work />}
      </div>
      {problem === undefined ? null : <DialogFailure {...problem} />}
      {overview === undefined ? null : <Footer folder={folder} />}
    </DialogForm>
  );
}

const About = () => (
  <div className={styles.about}>
    <p>
      Programs delete their own sessions, some after 30 days. The vault keeps copies of all sessions of this page in a
      folder of your choice, with their sub-agents and saved outputs.
    </p>
    <p className={styles.note}>
      Each copy is checked, a version that was replaced is kept, and everything can be read without Gantry. Sources are
      only read. The copies hold what sessions hold, secrets included.
    </p>
  </div>
);

function Folder({ folder }: { readonly folder: string }) {
  const home = useStore(appStore, (app) => app.info?.home);
  const busy = useStore(vaultStore, (view) => isAtWork(view.state));
  return (
    <div className={styles.folder}>
      <FolderOpen aria-hidden="true" size={16} strokeWidth={1.75} />
      <span className={styles.path} title={folder}>
        {tildePath(folder, home)}
      </span>
      <Button disabled={busy} onClick={() => void chooseVault()}>
        Change…
      </Button>
      <Button look="quiet" disabled={busy} title="Nothing in the folder is touched" onClick={() => void leaveVault()}>
        Leave it
      </Button>
    </div>
  );
}

function Covered({ status }: { readonly status: VaultStatus }) {
  const { programs, sessions, files, bytes, leftOut } = status;
  return (
    <>
      {programs.length === 0 ? (
        <p className={styles.note}>Nothing is in the vault yet.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Program</th>
              <th scope="col">Sessions</th>
              <th scope="col">Files</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {programs.map((program) => (
              <tr key={program.program}>
                <th scope="row">{programName(program.program)}</th>
                <td>{formatCount(program.sessions)}</td>
                <td>{formatCount(program.files)}</td>
                <td>{formatBytes(program.bytes)}</td>
              </tr>
            ))}
          </tbody>
          {programs.length === 1 ? null : (
            <tfoot>
              <tr>
                <th scope="row">All</th>
                <td>{formatCount(sessions)}</td>
                <td>{formatCount(files)}</td>
                <td>{formatBytes(bytes)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
      <dl className={styles.facts}>
        {factsOf(status, Date.now()).map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
        {leftOut.length === 0 ? null : (
          <div>
            <dt>Not copied</dt>
            <dd title={leftOut.join('\n')}>{counted(leftOut.length, 'database')} of other programs</dd>
          </div>
        )}
      </dl>
    </>
  );
}

const KeepUpToDate = ({ on }: { readonly on: boolean }) => (
  <label className={styles.check}>
    <input type="checkbox" checked={on} onChange={(event) => void keepUpToDate(event.target.checked)} />
    <span>Keep it up to date while Gantry runs</span>
    <span className={styles.note}>every 5 minutes; a session that is being written waits until it rests</span>
  </label>
);

/** What goes on, or what the last work came to. */
function Work() {
  const state = useStore(vaultStore, (view) => view.state);
  if (state.kind === 'idle') return state.outcome === undefined ? null : <Outcome outcome={state.outcome} />;
  return (
    <div className={styles.work} role="status">
      <span>{stateWords(state)}</span>
      {state.kind === 'busy' ? (
        <progress aria-label="Done" max={Math.max(1, state.ofBytes)} value={state.bytes} />
      ) : (
        <progress aria-label="Done" />
      )}
    </div>
  );
}

/** Problems that are named before the rest is only counted. */
const SHOWN = 5;

function Outcome({ outcome }: { readonly outcome: VaultOutcome }) {
  const { message, hint, first, problems, done } = outcome;
  if (!done) return <DialogFailure message={message} hint={hint} />;
  const more = problems - Math.min(first.length, SHOWN);
  return (
    <div className={styles.outcome} role="status">
      <p>{message}</p>
      {first.length === 0 ? null : (
        <ul className={styles.problems}>
          {first.slice(0, SHOWN).map(({ path, message: words }) => (
            <li key={path}>{words}</li>
          ))}
          {more > 0 ? <li>and {formatCount(more)} more</li> : null}
        </ul>
      )}
    </div>
  );
}

function Footer({ folder }: { readonly folder: string | undefined }) {
  const state = useStore(vaultStore, (view) => view.state);
  const hasStatus = useStore(vaultStore, (view) => view.overview?.status !== undefined);
  if (folder === undefined) {
    return (
      <DialogFooter>
        <Button icon={FolderOpen} look="primary" onClick={() => void chooseVault()}>
          Choose a folder…
        </Button>
      </DialogFooter>
    );
  }
  if (isAtWork(state)) {
    return (
      <DialogFooter>
        <Button icon={Square} onClick={() => void stopVault()}>
          Stop
        </Button>
      </DialogFooter>
    );
  }
  return (
    <DialogFooter>
      <Button icon={ShieldCheck} disabled={!hasStatus} onClick={() => void verifyVault()}>
        Verify
      </Button>
      <Button icon={Play} look="primary" disabled={!hasStatus} onClick={() => void runVault()}>
        Run now
      </Button>
    </DialogFooter>
  );
}
