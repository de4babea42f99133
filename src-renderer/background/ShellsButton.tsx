import { Square, SquareTerminal } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { lastLine, type Shell } from '../../src-shared/shell/state.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import { useReader } from '../state/access-store.ts';
import { clock } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { selectCall } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { PopoverPanel } from '../widgets/PopoverPanel.tsx';
import { stopShell } from './actions.ts';
import styles from './ShellsButton.module.css';
import { runningShells } from './words.ts';

export type ShellsButtonProps = { readonly state: SessionState; readonly sessionId: SessionId };

/** `2 in background` in the status bar; opens the list of what runs there. Nothing while nothing does. */
export function ShellsButton({ state, sessionId }: ShellsButtonProps) {
  const shells = runningShells(state);
  if (shells.length === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.trigger}>
        <SquareTerminal aria-hidden="true" size={14} strokeWidth={1.75} />
        {formatCount(shells.length)} in background
      </Popover.Trigger>
      <PopoverPanel className={styles.content} side="top" align="end">
        <h2 className={styles.title}>In the background</h2>
        <p className={styles.note}>These commands go on when a turn ends or is stopped. They end with the session.</p>
        <ul className={styles.list} aria-label="Background shells">
          {shells.map((shell) => (
            <ShellRow key={shell.shellId} shell={shell} sessionId={sessionId} />
          ))}
        </ul>
      </PopoverPanel>
    </Popover.Root>
  );
}

function ShellRow({ shell, sessionId }: { readonly shell: Shell; readonly sessionId: SessionId }) {
  const now = useLiveNow(true, 1_000);
  const why = useReader(sessionId)?.why;
  const last = lastLine(shell);
  return (
    <li className={styles.shell}>
      <div className={styles.what}>
        <button type="button" className={styles.command} onClick={() => selectCall(shell.callId)} title={shell.command}>
          <code>{shell.command.split('\n', 1)[0]}</code>
        </button>
        <span className={styles.facts}>
          {shell.shellId} · {clock(now - shell.from)}
          {last === '' ? ' · nothing printed yet' : ''}
        </span>
        {last === '' ? null : (
          <code className={styles.last} title={last}>
            {last}
          </code>
        )}
      </div>
      <Button
        icon={Square}
        look="danger"
        disabled={why !== undefined}
        title={why}
        aria-label={`Stop ${shell.shellId}`}
        onClick={() => void stopShell(sessionId, shell.shellId)}
      >
        Stop
      </Button>
    </li>
  );
}
