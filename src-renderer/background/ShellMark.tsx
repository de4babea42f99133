import { SquareTerminal } from 'lucide-react';
import { shellOf } from '../../src-shared/shell/state.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { useOpenSession } from '../state/use-session.ts';
import { Pill } from '../widgets/Pill.tsx';
import { shellTone, shellWords } from './words.ts';

/** May the call have launched a command into the background? Only such a row follows the session. */
export const mayHaveShell = ({ input }: ToolCall): boolean =>
  typeof input === 'object' &&
  input !== null &&
  (input as { readonly run_in_background?: unknown }).run_in_background === true;

/** What has become of the command that a call has launched into the background. */
export function ShellMark({ call }: { readonly call: ToolCall }) {
  const open = useOpenSession();
  const shell = open === undefined ? undefined : shellOf(open.state.shells, call.callId);
  if (open === undefined || shell === undefined) return null;
  return (
    <Pill tone={shellTone(shell)} icon={SquareTerminal} title={`In the background as ${shell.shellId}`}>
      {shell.shellId} {shellWords(shell, open.state)}
    </Pill>
  );
}
