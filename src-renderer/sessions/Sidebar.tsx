import { FlaskConical, Library, Search, ShieldCheck, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { SessionId } from '../../src-shared/ids.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { showGallery } from '../commands/actions.ts';
import { ledgerStore, showLedger } from '../ledger/ledger-store.ts';
import { libraryStore, showLibrary } from '../library/library-store.ts';
import { counted } from '../state/format.ts';
import { sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { useNow } from '../state/use-now.ts';
import { viewStore } from '../state/view-store.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { groupSessions, type SessionGroup } from './groups.ts';
import { SessionRow } from './SessionRow.tsx';
import styles from './Sidebar.module.css';

/** Rows of a group before the rest is only counted: the list stays short enough to draw at once. */
const SHOWN = 60;

export type SidebarProps = {
  /** Called after a session was chosen: the list closes itself where it lies over the timeline. */
  readonly onOpened?: () => void;
};

const nothing = (): void => undefined;
type Fixed = 'gallery' | 'ledger' | 'library';
const isFixed = (id: string | undefined): id is Fixed => id === 'gallery' || id === 'ledger' || id === 'library';

/** Sessions on the left: what runs, what ran, what was read from files, and the scenario gallery. */
export function Sidebar({ onOpened = nothing }: SidebarProps) {
  const { sessions, scenarios, loaded, problem } = useStore(sessionsStore);
  const currentId = useStore(sessionStore, (view) => (view.phase === 'none' ? undefined : view.sessionId));
  const page = useStore(viewStore, (view) => view.page);
  const decisions = useStore(ledgerStore, (view) => view.news?.decisions ?? view.overview?.decisions);
  const all = useStore(libraryStore, (view) => view.overview?.facets.where.all);
  const [query, setQuery] = useState('');
  const groups = groupSessions(sessions, query);
  const now = useNow(groups.some((group) => group.id === 'running'));
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<SessionId | Fixed>();
  const ids = groups.flatMap((group) => group.sessions.slice(0, SHOWN).map((session) => session.sessionId));
  const reachable = [active, currentId, ids[0]].find((id) => isFixed(id) || (id && ids.includes(id))) ?? 'gallery';

  return (
    <nav className={styles.sidebar} aria-label="Sessions">
      <SearchField query={query} onChange={setQuery} onDown={() => focusRow(list.current, 0)} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys and the focus come up from the buttons inside */}
      <div
        ref={list}
        className={styles.list}
        onKeyDown={(event) => moveFocus(event, list.current)}
        onFocus={(event) => setActive((event.target as HTMLElement).dataset.row as SessionId | Fixed | undefined)}
      >
        {problem === undefined ? null : <p className={styles.note}>The list could not be read. {problem}</p>}
        {groups.map((group) => (
          <Group key={group.id} group={group}>
            {group.sessions.slice(0, SHOWN).map((session) => (
              <li key={session.sessionId}>
                <SessionRow
                  session={session}
                  now={now}
                  current={session.sessionId === currentId && page === 'session'}
                  reachable={session.sessionId === reachable}
                  onOpened={onOpened}
                />
              </li>
            ))}
          </Group>
        ))}
        <EmptyNote loaded={loaded} total={sessions.length} shown={groups.length} onClear={() => setQuery('')} />
        <section className={styles.group} aria-labelledby="group-try">
          <h2 className={styles.heading} id="group-try">
            Try
          </h2>
          <button
            type="button"
            data-row="library"
            className={styles.row}
            tabIndex={reachable === 'library' ? 0 : -1}
            onClick={() => {
              showLibrary();
              onOpened();
            }}
          >
            <Library aria-hidden="true" size={15} strokeWidth={1.75} className={styles.sign} />
            <span className={styles.title}>All sessions</span>
            <span className={styles.detail}>
              {all === undefined ? 'of every program' : `${counted(all, 'session')} to search`}
            </span>
          </button>
          <button
            type="button"
            data-row="gallery"
            className={styles.row}
            aria-current={currentId === undefined && page === 'session' ? 'page' : undefined}
            tabIndex={reachable === 'gallery' ? 0 : -1}
            onClick={() => {
              showGallery();
              onOpened();
            }}
          >
            <FlaskConical aria-hidden="true" size={15} strokeWidth={1.75} className={styles.sign} />
            <span className={styles.title}>Scenario gallery</span>
            <span className={styles.detail}>{formatCount(scenarios.length)} to try, no key needed</span>
          </button>
          <button
            type="button"
            data-row="ledger"
            className={styles.row}
            aria-current={page === 'ledger' ? 'page' : undefined}
            tabIndex={reachable === 'ledger' ? 0 : -1}
            onClick={() => {
              showLedger();
              onOpened();
            }}
          >
            <ShieldCheck aria-hidden="true" size={15} strokeWidth={1.75} className={styles.sign} />
            <span className={styles.title}>Permission ledger</span>
            <span className={styles.detail}>
              {decisions === undefined ? 'decisions and rules' : counted(decisions, 'decision')}
            </span>
          </button>
        </section>
      </div>
    </nav>
  );
}

type SearchFieldProps = {
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly onDown: () => void;
};

function SearchField({ query, onChange, onDown }: SearchFieldProps) {
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" size={15} strokeWidth={1.75} />
      <input
        type="text"
        data-session-search
        placeholder="Search sessions"
        aria-label="Search sessions"
        value={query}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && query !== '') {
            event.preventDefault();
            onChange('');
          }
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            onDown();
          }
        }}
      />
      {query === '' ? null : <IconButton icon={X} name="Clear the search" iconSize={14} onClick={() => onChange('')} />}
    </div>
  );
}

function Group({ group, children }: { readonly group: SessionGroup; readonly children: React.ReactNode }) {
  const rest = group.sessions.length - SHOWN;
  return (
    <section className={styles.group} aria-labelledby={`group-${group.id}`}>
      <h2 className={styles.heading} id={`group-${group.id}`}>
        {group.title}
        {group.id === 'running' ? <span className={styles.count}>{formatCount(group.sessions.length)}</span> : null}
      </h2>
      <ul>{children}</ul>
      {rest > 0 ? <p className={styles.note}>{formatCount(rest)} older ones. Search to find them.</p> : null}
    </section>
  );
}

type EmptyNoteProps = {
  readonly loaded: boolean;
  readonly total: number;
  readonly shown: number;
  readonly onClear: () => void;
};

function EmptyNote({ loaded, total, shown, onClear }: EmptyNoteProps) {
  if (!loaded) return <p className={styles.note}>Reading the list.</p>;
  if (total === 0) {
    return <p className={styles.note}>No sessions yet. Try a scenario, or open a transcript.</p>;
  }
  if (shown > 0) return null;
  return (
    <p className={styles.note}>
      0 of {counted(total, 'session')} match.{' '}
      <button type="button" className={styles.link} onClick={onClear}>
        Clear the search
      </button>
    </p>
  );
}

const rowsOf = (list: HTMLElement | null): readonly HTMLElement[] =>
  list === null ? [] : [...list.querySelectorAll<HTMLElement>('[data-row]')];

const focusRow = (list: HTMLElement | null, at: number): void => rowsOf(list)[at]?.focus();

/** Arrow keys, Home and End go through the rows of all groups as if they were one list. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const rows = rowsOf(list);
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}
