import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  Hand,
  Import,
  type LucideIcon,
} from 'lucide-react';
import { ContextMenu } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { removeSession, renameSession } from '../commands/actions.ts';
import { openCompare } from '../compare/compare-store.ts';
import { openExport } from '../export/export-store.ts';
import { openSession } from '../state/session-store.ts';
import { classes } from '../widgets/classes.ts';
import menuStyles from '../widgets/Menu.module.css';
import { detailOf, lengthOf, type RowSign, rowName, signOf } from './groups.ts';
import styles from './Sidebar.module.css';

const ICONS: Readonly<Record<RowSign, LucideIcon>> = {
  running: CircleDot,
  waiting: Hand,
  ok: CircleCheck,
  error: CircleX,
  interrupted: CircleSlash,
  imported: Import,
  new: CircleDashed,
};

/** The picture of how a session stands. The row says the same in words. */
export function SessionSign({ sign }: { readonly sign: RowSign }) {
  const Icon = ICONS[sign];
  return <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={classes(styles.sign, styles[sign])} />;
}

export type SessionRowProps = {
  readonly session: SessionSummary;
  readonly now: number;
  readonly current: boolean;
  /** The one row that Tab reaches; arrow keys go to the others. */
  readonly reachable: boolean;
  readonly onOpened: () => void;
};

/** A session in the list. Imported ones can be taken off it, by menu or with Delete; their file stays. */
export function SessionRow({ session, now, current, reachable, onOpened }: SessionRowProps) {
  const open = (): void => {
    void openSession(session.sessionId);
    onOpened();
  };
  const exportIt = async (): Promise<void> => {
    if (!current) await openSession(session.sessionId);
    openExport();
  };
  const removable = session.kind === 'imported';
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) return <TitleField session={session} onDone={() => setRenaming(false)} />;
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>
        <button
          type="button"
          data-row={session.sessionId}
          className={styles.row}
          aria-label={rowName(session, now)}
          aria-current={current ? 'true' : undefined}
          tabIndex={reachable ? 0 : -1}
          onClick={open}
          onKeyDown={(event) => {
            if (removable && event.key === 'Delete') void removeSession(session.sessionId);
            if (!removable && event.key === 'F2') setRenaming(true);
          }}
        >
          <SessionSign sign={signOf(session)} />
          <span className={styles.title} title={session.title}>
            {session.title}
          </span>
          <span className={styles.length}>{lengthOf(session, now)}</span>
          <span className={styles.detail}>{detailOf(session, now)}</span>
        </button>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className={menuStyles.content} collisionPadding={8}>
          <ContextMenu.Item className={menuStyles.item} onSelect={open}>
            Open
          </ContextMenu.Item>
          {/* The menu gives the focus back when it has closed; only then may the dialog take it. */}
          <ContextMenu.Item className={menuStyles.item} onSelect={() => setTimeout(() => void exportIt(), 0)}>
            Export…
          </ContextMenu.Item>
          {/* The same: the dialog takes the focus when the menu has given it back. */}
          <ContextMenu.Item
            className={menuStyles.item}
            onSelect={() => setTimeout(() => openCompare(session.sessionId), 0)}
          >
            Compare with…
          </ContextMenu.Item>
          {removable ? null : (
            // The menu gives the focus back when it has closed; only then may the field take it.
            <ContextMenu.Item className={menuStyles.item} onSelect={() => setTimeout(() => setRenaming(true), 0)}>
              Rename
            </ContextMenu.Item>
          )}
          {removable ? (
            <ContextMenu.Item className={menuStyles.item} onSelect={() => void removeSession(session.sessionId)}>
              Remove from the list
            </ContextMenu.Item>
          ) : null}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** The title as a field, in the row's place. Enter keeps it, Escape leaves it as it was. */
function TitleField({ session, onDone }: { readonly session: SessionSummary; readonly onDone: () => void }) {
  const [title, setTitle] = useState(session.title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  // A field that goes away loses the focus too, which must not keep what was given up.
  const isDone = useRef(false);
  const leave = (): void => {
    isDone.current = true;
    onDone();
  };
  const keep = (): void => {
    if (isDone.current) return;
    if (title.trim() !== '' && title.trim() !== session.title) void renameSession(session.sessionId, title.trim());
    leave();
  };
  return (
    <input
      ref={field}
      type="text"
      className={styles.rename}
      aria-label={`Title of ${session.title}`}
      value={title}
      maxLength={200}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') {
          event.preventDefault();
          leave();
        }
      }}
    />
  );
}
