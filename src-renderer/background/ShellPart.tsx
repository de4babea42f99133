import { Square } from 'lucide-react';
import type { SessionId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { type Shell, shellOf } from '../../src-shared/shell/state.ts';
import { formatBytes, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { Fact, Facts, Part } from '../inspector/Facts.tsx';
import { TextLines } from '../inspector/output/ModelSaw.tsx';
import { useReader } from '../state/access-store.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { Button } from '../widgets/Button.tsx';
import { stopShell } from './actions.ts';
import styles from './ShellPart.module.css';
import { runningShells, shellWords } from './words.ts';

export type ShellPartProps = { readonly sessionId: SessionId; readonly state: SessionState; readonly call: ToolCall };

/** The command that a call has launched into the background; nothing for other calls. */
export function ShellPart({ sessionId, state, call }: ShellPartProps) {
  const why = useReader(sessionId)?.why;
  const shell = shellOf(state.shells, call.callId);
  if (shell === undefined) return null;
  const isRunning = runningShells(state).includes(shell);
  return (
    <Part title="In the background" note={shell.shellId}>
      <Facts>
        <Fact name="State">{shellWords(shell, state)}</Fact>
        <Fact name="Ran for">
          <Length shell={shell} isRunning={isRunning} />
        </Fact>
        <Fact name="Printed">{sizeWords(shell)}</Fact>
        {shell.end === undefined ? null : <Fact name="Survivors">{survivorWords(shell.end)}</Fact>}
        {shell.path === undefined ? null : <Fact name="Output">{shell.path}</Fact>}
      </Facts>
      {isRunning ? (
        <Button
          icon={Square}
          look="danger"
          className={styles.stop}
          disabled={why !== undefined}
          title={why}
          onClick={() => void stopShell(sessionId, shell.shellId)}
        >
          Stop
        </Button>
      ) : null}
      {shell.progress === undefined ? null : <TextLines text={shell.progress.tail} />}
    </Part>
  );
}

function Length({ shell, isRunning }: { readonly shell: Shell; readonly isRunning: boolean }) {
  const now = useLiveNow(isRunning, 1_000);
  if (shell.end === undefined && !isRunning) return 'not known';
  return formatMillis((shell.end?.at ?? now) - shell.from);
}

function sizeWords({ progress, end }: Shell): string {
  const bytes = end?.bytes ?? progress?.bytes;
  if (bytes === undefined) return end === undefined ? 'nothing yet' : 'not known';
  return progress === undefined ? formatBytes(bytes) : `${formatCount(progress.lines)} lines · ${formatBytes(bytes)}`;
}

function survivorWords({ survivors }: NonNullable<Shell['end']>): string {
  if (survivors === undefined) return 'not looked for';
  return survivors.length === 0
    ? 'none: nothing of its process tree is alive'
    : survivors.map(({ pid, command }) => `${pid} ${command}`).join('\n');
}
