import { FolderOpen, HardDriveDownload, Plus, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { ScenarioSummary } from '../../src-shared/session/summary.ts';
import { chooseTranscript, startScenario } from '../commands/actions.ts';
import { commandById } from '../commands/commands.ts';
import { FoundHere } from '../library/FoundHere.tsx';
import { appStore } from '../state/app-store.ts';
import { counted } from '../state/format.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { Button } from '../widgets/Button.tsx';
import { IconButton } from '../widgets/IconButton.tsx';
import { ScenarioPicture } from './ScenarioPicture.tsx';
import styles from './StartPage.module.css';

/** What a person sees first: what the program does, scenarios to try, and the way to open a transcript. */
export function StartPage() {
  const { scenarios, loaded } = useStore(sessionsStore);
  const starting = useStore(appStore, (app) => app.starting);
  return (
    <main className={styles.page} aria-label="Start">
      <div className={styles.column}>
        <div className={styles.head}>
          <div>
            <h1 className={styles.hero}>See what your agent does, while it does it</h1>
            <p className={styles.lead}>
              <span>Gantry runs an AI agent and draws every tool call as a bar in time. </span>
              <span>It shows what ran side by side, what waited and for whom, and what was cancelled. </span>
              <span>Any saved session can be replayed, moment by moment, and tried under other rules.</span>
            </p>
          </div>
          <div className={styles.starts}>
            <Button icon={FolderOpen} size="large" keys="Ctrl O" onClick={() => void chooseTranscript()}>
              Open a transcript
            </Button>
            <Button icon={Plus} size="large" look="primary" onClick={() => commandById('session.new').run()}>
              New session
            </Button>
          </div>
        </div>
        <OpenProblem />
        <div className={styles.heading}>
          <h2 className={styles.headingText} id="scenarios">
            Try a scenario
          </h2>
          <p className={styles.headingNote}>Real tools in a scratch folder. No account, no key, no network.</p>
        </div>
        {loaded && scenarios.length === 0 ? (
          <p className={styles.headingNote}>No scenarios were found. The installation is incomplete.</p>
        ) : null}
        <ul className={styles.tiles} aria-labelledby="scenarios">
          {scenarios.map((scenario) => (
            <li key={scenario.name}>
              <ScenarioTile scenario={scenario} starting={starting} />
            </li>
          ))}
        </ul>
        <DropZone />
      </div>
    </main>
  );
}

type ScenarioTileProps = { readonly scenario: ScenarioSummary; readonly starting: string | undefined };

function ScenarioTile({ scenario, starting }: ScenarioTileProps) {
  const { name, title, description, calls, picture, problem } = scenario;
  return (
    <button
      type="button"
      className={styles.tile}
      data-scenario={name}
      aria-disabled={starting !== undefined || problem !== undefined}
      onClick={() => (problem === undefined ? void startScenario(name) : undefined)}
    >
      <span className={styles.picture}>
        <ScenarioPicture name={picture} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.description}>{problem ?? description}</span>
        <span className={styles.note}>
          {problem !== undefined ? 'Cannot be started' : starting === name ? 'Starting' : counted(calls, 'call')}
        </span>
      </span>
    </button>
  );
}

/** Why the last file or scenario did not open, where it was asked for, until the next try. */
export function OpenProblem() {
  const problem = useStore(appStore, (app) => app.openProblem);
  if (problem === undefined) return null;
  return (
    <div className={styles.problem} role="alert">
      <p>
        <strong>{problem.message}</strong>
        {problem.hint === undefined ? null : <span> {problem.hint}</span>}
      </p>
      <IconButton icon={X} name="Close this message" onClick={() => appStore.setState({ openProblem: undefined })} />
    </div>
  );
}

function DropZone() {
  const reading = useStore(appStore, (app) => app.reading);
  return (
    <section className={styles.drop} aria-label="Drop a transcript">
      <HardDriveDownload aria-hidden="true" size={20} strokeWidth={1.5} className={styles.dropIcon} />
      <div aria-live="polite">
        <h3>{reading === undefined ? 'Drop a transcript here' : `Reading ${reading}`}</h3>
        <p className={styles.description}>
          JSONL from Claude Code and other programs, or the folder of a session. Files are read, never changed.
        </p>
      </div>
      <FoundHere />
    </section>
  );
}
