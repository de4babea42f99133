import {
  ArrowLeft,
  Eye,
  History,
  Moon,
  PanelLeft,
  PanelRight,
  Plus,
  Radio,
  Search,
  Settings,
  Sun,
  Workflow,
  Zap,
} from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { CascadePolicy, type SessionSettings, Strategy } from '../../src-shared/session/settings.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { changeSettings } from '../commands/actions.ts';
import { commandById } from '../commands/commands.ts';
import { ModeMenu } from '../modes/ModeMenu.tsx';
import { useIsPast } from '../replay/past.ts';
import { useOtherReader } from '../state/access-store.ts';
import { activityOf, isReadOnly } from '../state/activity.ts';
import { appStore } from '../state/app-store.ts';
import { shortPath, tildePath } from '../state/format.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { type Theme, viewStore } from '../state/view-store.ts';
import { effectiveTheme, toggleTheme } from '../theme/theme-switch.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { Kbd } from '../widgets/Kbd.tsx';
import { Menu, MenuChoices, MenuItem, MenuLine, MenuNote } from '../widgets/Menu.tsx';
import { Pill } from '../widgets/Pill.tsx';
import { Logo } from './Logo.tsx';
import { useSystemIsLight } from './system-theme.ts';
import styles from './TitleBar.module.css';

const run = (id: string) => (): void => commandById(id).run();

/** The top line: where we are, under which rules the session runs, and the ways to everything else. */
export function TitleBar() {
  const session = useStore(sessionStore);
  const { sidebarOpen, inspectorOpen, page } = useStore(viewStore);
  const isSession = session.phase === 'open' && page === 'session';
  const state = isSession ? session.state : undefined;
  return (
    <header className={styles.bar}>
      <span className={styles.logo}>
        <Logo />
      </span>
      <IconButton
        icon={PanelLeft}
        name="Sessions"
        keys="Ctrl B"
        aria-expanded={sidebarOpen}
        onClick={run('sidebar.toggle')}
      />
      <IconButton icon={Plus} name="New session" keys="Ctrl N" onClick={run('session.new')} />
      {page === 'session' ? <Title /> : <PageTitle page={page} />}
      {state === undefined ? null : <Rules state={state} />}
      <button
        type="button"
        className={styles.find}
        aria-label="Find or run"
        aria-keyshortcuts="Control+K"
        onClick={run('palette.open')}
      >
        <Search aria-hidden="true" size={15} strokeWidth={1.75} />
        <span className={styles.findText}>Find or run</span>
        <Kbd keys="Ctrl K" />
      </button>
      <ThemeButton />
      <SettingsMenu />
      <IconButton
        icon={PanelRight}
        name="Inspector"
        keys="Ctrl I"
        aria-expanded={inspectorOpen}
        disabled={!isSession}
        onClick={run('inspector.toggle')}
      />
    </header>
  );
}

function Title() {
  const session = useStore(sessionStore);
  const home = useStore(appStore, (app) => app.info?.home);
  const listed = useStore(sessionsStore, (view) =>
    session.phase === 'none' ? undefined : view.sessions.find((one) => one.sessionId === session.sessionId),
  );
  const isStart = session.phase === 'none';
  const title = isStart
    ? 'Gantry'
    : (session.phase === 'open' ? session.state.title : '') || listed?.title || 'Session';
  useEffect(() => {
    document.title = isStart ? title : `${title} – Gantry`;
  }, [isStart, title]);
  if (isStart) return <h1 className={styles.title}>{title}</h1>;
  const folder = (session.phase === 'open' ? session.state.cwd : '') || listed?.cwd || '';
  return (
    <div className={styles.titles}>
      <h1 className={styles.title} title={title}>
        {title}
      </h1>
      <span className={styles.folder} title={folder}>
        {shortPath(tildePath(folder, home), 40)}
      </span>
    </div>
  );
}

const PAGES = {
  ledger: { title: 'Permission ledger', aside: 'all sessions', leave: 'ledger.leave' },
  library: { title: 'Sessions', aside: 'all on this machine', leave: 'library.leave' },
} as const;

function PageTitle({ page }: { readonly page: keyof typeof PAGES }) {
  const { title, aside, leave } = PAGES[page];
  useEffect(() => {
    document.title = `${title} – Gantry`;
  }, [title]);
  return (
    <div className={classes(styles.titles, styles.page)}>
      <h1 className={styles.title}>{title}</h1>
      <span className={styles.folder}>{aside}</span>
      <Button icon={ArrowLeft} look="quiet" keys="Esc" onClick={run(leave)}>
        Back
      </Button>
    </div>
  );
}

/** The settings a session runs under. A file that was read shows those it tells of, and cannot be changed. */
function Rules({ state }: { readonly state: SessionState }) {
  const { mode } = state.settings;
  const reader = useOtherReader(state.sessionId);
  const isPast = useIsPast();
  if (reader !== undefined) {
    return (
      <Pill tone="lock" icon={Eye} className={styles.replay} title={reader.why}>
        Read-only
      </Pill>
    );
  }
  if (state.followed && !isPast) {
    return (
      <Pill tone="accent" icon={Radio} className={styles.replay} title="Another program writes this session.">
        Following, read-only
      </Pill>
    );
  }
  if (isReadOnly(state) || isPast) {
    return (
      <Pill tone="accent" icon={History} className={styles.replay}>
        Replay, read-only
      </Pill>
    );
  }
  return (
    <div className={styles.rules}>
      <StrategyMenu settings={state.settings} locked={activityOf(state).inTurn} />
      <CascadeMenu settings={state.settings} locked={activityOf(state).inTurn} />
      <ModeMenu mode={mode} className={styles.mode} />
    </div>
  );
}

type RuleMenuProps = { readonly settings: SessionSettings; readonly locked: boolean };

const LOCKED_NOTE = 'A turn is running. These can be changed when it has ended.';

const STRATEGY_HINTS: Readonly<Record<Strategy, string>> = {
  streaming: 'A call starts as soon as its block has arrived and the lock lets it.',
  batch: 'Calls wait for the whole message and run batch after batch.',
  serial: 'One call after the other.',
};

const LANES = [1, 2, 4, 10, 20];

function StrategyMenu({ settings, locked }: RuleMenuProps) {
  const { strategy, cap } = settings;
  const lanes = [...new Set([...LANES, cap])].sort((a, b) => a - b);
  const words = `${strategy} · ${cap} ${cap === 1 ? 'lane' : 'lanes'}`;
  return (
    <Menu
      trigger={
        <Button icon={Workflow} look="quiet" aria-label={`Strategy: ${words}`} className={styles.chip}>
          {words}
        </Button>
      }
    >
      <MenuChoices
        label="Strategy"
        value={strategy}
        disabled={locked}
        options={Strategy.options.map((value) => ({ value, label: value, hint: STRATEGY_HINTS[value] }))}
        onChange={(value) => void changeSettings({ strategy: value })}
      />
      <MenuLine />
      <MenuChoices
        label="Lanes: the most calls that run at once"
        value={String(cap)}
        disabled={locked}
        options={lanes.map((lane) => ({ value: String(lane), label: String(lane) }))}
        onChange={(value) => void changeSettings({ cap: Number(value) })}
      />
      {locked ? <MenuNote>{LOCKED_NOTE}</MenuNote> : null}
    </Menu>
  );
}

const CASCADE_HINTS: Readonly<Record<CascadePolicy, string>> = {
  'any-error': 'Any failing call cancels its siblings.',
  'except-writes': 'Any failing call but Write and Edit.',
  bash: 'Only a failing command.',
  'bash-mutating': 'Only a failing command that is not read-only.',
  none: 'Nobody is cancelled.',
};

function CascadeMenu({ settings, locked }: RuleMenuProps) {
  return (
    <Menu
      trigger={
        <Button icon={Zap} look="quiet" aria-label={`Cascade: ${settings.cascade}`} className={styles.chip}>
          cascade: {settings.cascade}
        </Button>
      }
    >
      <MenuChoices
        label="Whom a failing call cancels"
        value={settings.cascade}
        disabled={locked}
        options={CascadePolicy.options.map((value) => ({ value, label: value, hint: CASCADE_HINTS[value] }))}
        onChange={(value) => void changeSettings({ cascade: value })}
      />
      {locked ? <MenuNote>{LOCKED_NOTE}</MenuNote> : null}
    </Menu>
  );
}

function ThemeButton() {
  const choice = useStore(viewStore, (view) => view.theme);
  const isDark = effectiveTheme(choice, useSystemIsLight()) === 'dark';
  return (
    <IconButton
      icon={isDark ? Moon : Sun}
      name={isDark ? 'Use the light theme' : 'Use the dark theme'}
      onClick={toggleTheme}
    />
  );
}

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
];

function SettingsMenu() {
  const theme = useStore(viewStore, (view) => view.theme);
  const info = useStore(appStore, (app) => app.info);
  return (
    <Menu align="end" trigger={<IconButton icon={Settings} name="Settings" />}>
      <MenuChoices
        label="Theme"
        value={theme}
        options={THEMES}
        onChange={(value) => viewStore.setState({ theme: value })}
      />
      <MenuLine />
      <MenuItem keys="?" onSelect={run('legend.open')}>
        How to read the chart
      </MenuItem>
      <MenuItem keys="Ctrl K" onSelect={run('palette.open')}>
        All commands
      </MenuItem>
      {info === undefined ? null : (
        <MenuNote>
          Gantry {info.version}, Electron {info.electron}
        </MenuNote>
      )}
    </Menu>
  );
}
