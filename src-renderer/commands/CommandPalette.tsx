import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useStore } from 'zustand';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { signOf } from '../sessions/groups.ts';
import { SessionSign } from '../sessions/SessionRow.tsx';
import { openSession } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { viewStore } from '../state/view-store.ts';
import { Kbd } from '../widgets/Kbd.tsx';
import { startScenario } from './actions.ts';
import styles from './CommandPalette.module.css';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandContext } from './keyboard.ts';
import { paletteScore } from './palette-score.ts';

const GROUPS: readonly Command['group'][] = ['Session', 'Timeline', 'View', 'Help'];

const close = (): void => viewStore.setState({ paletteOpen: false });

/** Everything that can be done, found by a few letters: commands, scenarios, sessions. */
export function CommandPalette() {
  const open = useStore(viewStore, (view) => view.paletteOpen);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => viewStore.setState({ paletteOpen: next })}>
      <Dialog.Portal>
        {/* Dialog.Overlay would inject a style element to lock scrolling, which the content policy refuses. */}
        <div className={styles.backdrop} />
        <Dialog.Content className={styles.dialog} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Find or run</Dialog.Title>
          <Palette />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette() {
  const { sessions, scenarios } = useStore(sessionsStore);
  const context = commandContext();
  const usable = COMMANDS.filter((command) => command.id !== 'palette.open' && command.when(context));
  return (
    <Cmdk label="Find or run" loop className={styles.palette} filter={score}>
      <Cmdk.Input className={styles.input} placeholder="Find a session, run a command" autoFocus />
      <Cmdk.List className={styles.list}>
        <Cmdk.Empty className={styles.empty}>
          {/* A list box without an option would be none, for screen readers. */}
          <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1}>
            Nothing is called like this.
          </div>
        </Cmdk.Empty>
        {GROUPS.map((group) => (
          <Group key={group} heading={group}>
            {usable
              .filter((command) => command.group === group)
              .map((command) => (
                <Item key={command.id} id={command.id} title={command.title} keys={command.keys} onRun={command.run} />
              ))}
          </Group>
        ))}
        <Group heading="Scenarios">
          {scenarios.map((scenario) => (
            <Item
              key={scenario.name}
              id={`scenario ${scenario.name}`}
              title={`Try ${scenario.title}`}
              words={[scenario.description]}
              onRun={() => void startScenario(scenario.name)}
            />
          ))}
        </Group>
        <Group heading="Sessions">
          {newest(sessions).map((session) => (
            <Item
              key={session.sessionId}
              id={`session ${session.sessionId}`}
              title={session.title}
              words={[session.cwd, session.path]}
              sign={<SessionSign sign={signOf(session)} />}
              onRun={() => void openSession(session.sessionId)}
            />
          ))}
        </Group>
      </Cmdk.List>
    </Cmdk>
  );
}

const score = (_id: string, typed: string, [title = '', ...words]: string[] = []): number =>
  paletteScore(title, words, typed);

const Group = ({ heading, children }: { readonly heading: string; readonly children: React.ReactNode[] }) =>
  children.length === 0 ? null : (
    <Cmdk.Group heading={heading} className={styles.group}>
      {children}
    </Cmdk.Group>
  );

/** More rows than this make the palette slow to open; the others are found with `Search sessions`. */
const MOST_SESSIONS = 200;

const newest = (sessions: readonly SessionSummary[]): readonly SessionSummary[] =>
  [...sessions].sort((a, b) => b.startedAt - a.startedAt).slice(0, MOST_SESSIONS);

type ItemProps = {
  readonly id: string;
  readonly title: string;
  readonly keys?: string | undefined;
  /** Further words the search looks at. */
  readonly words?: readonly string[];
  readonly sign?: React.ReactNode;
  readonly onRun: () => void;
};

function Item({ id, title, keys, words = [], sign, onRun }: ItemProps) {
  const run = (): void => {
    close();
    // After the dialog has given the focus back, so that a command may move it.
    setTimeout(onRun, 0);
  };
  return (
    <Cmdk.Item value={id} keywords={[title, ...words]} onSelect={run} className={styles.item}>
      {sign}
      <span className={styles.title}>{title}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </Cmdk.Item>
  );
}
