import { FlaskConical, Library, Search, ShieldCheck } from 'lucide-react';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { showGallery } from '../commands/actions.ts';
import { showLedger } from '../ledger/ledger-store.ts';
import { showLibrary } from '../library/library-store.ts';
import { openSession, sessionStore } from '../state/session-store.ts';
import { sessionsStore } from '../state/sessions-store.ts';
import { useNow } from '../state/use-now.ts';
import buttonStyles from '../widgets/IconButton.module.css';
import { IconButton } from '../widgets/IconButton.tsx';
import { Tooltip } from '../widgets/Tooltip.tsx';
import { groupSessions, rowName, signOf } from './groups.ts';
import { SessionSign } from './SessionRow.tsx';
import styles from './Sidebar.module.css';

/** Icons of a group in the rail; the whole list opens with the first button. */
const SHOWN = 8;

/** The sidebar where the window is too narrow for it: one icon a session, named on hover and for screen readers. */
export function SidebarRail({ onExpand }: { readonly onExpand: () => void }) {
  const sessions = useStore(sessionsStore, (view) => view.sessions);
  const currentId = useStore(sessionStore, (view) => (view.phase === 'none' ? undefined : view.sessionId));
  const groups = groupSessions(sessions, '');
  const now = useNow(groups.some((group) => group.id === 'running'));
  return (
    <nav className={styles.rail} aria-label="Sessions">
      <IconButton icon={Search} name="Search sessions" keys="Ctrl Shift F" side="right" onClick={onExpand} />
      {groups.map((group) => (
        <Fragment key={group.id}>
          <div className={styles.railLine} />
          {group.sessions.slice(0, SHOWN).map((session) => (
            <Tooltip key={session.sessionId} text={rowName(session, now)} side="right">
              <button
                type="button"
                className={`${buttonStyles.button} ${styles.railButton}`}
                aria-label={rowName(session, now)}
                aria-current={session.sessionId === currentId ? 'true' : undefined}
                onClick={() => void openSession(session.sessionId)}
              >
                <SessionSign sign={signOf(session)} />
              </button>
            </Tooltip>
          ))}
        </Fragment>
      ))}
      <div className={styles.railLine} />
      <IconButton icon={Library} name="All sessions" side="right" onClick={showLibrary} />
      <IconButton icon={FlaskConical} name="Scenario gallery" side="right" onClick={showGallery} />
      <IconButton icon={ShieldCheck} name="Permission ledger" side="right" onClick={showLedger} />
    </nav>
  );
}
