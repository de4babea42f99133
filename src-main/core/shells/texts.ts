import { type Shell, shellEndWords } from '../../../src-shared/shell/state.ts';
import { cutText } from '../results/texts.ts';

const MOST_COMMAND_CHARACTERS = 80;

const commandOf = ({ command }: Shell): string =>
  cutText(command.replace(/\s+/g, ' ').trim(), MOST_COMMAND_CHARACTERS, '…');

/** What a call that launched a shell answers. */
export const launchedText = ({ shellId, path }: Shell): string =>
  [
    `The command runs in the background as ${shellId}, without a time limit, until it ends or the session is closed.`,
    `BashOutput with bash_id ${shellId} gives what it has written since the last look; KillShell ends it.`,
    ...(path === undefined ? [] : [`Its whole output: ${path}`]),
  ].join('\n');

/** How the model learns that a shell has ended, with the next message it gets. */
export function endedReminder(shell: Shell): string {
  const { shellId, end, readUntil } = shell;
  if (end === undefined) throw new Error(`${shellId} runs`);
  const unread = end.bytes === undefined || end.bytes > readUntil;
  const sentences = [
    `The background shell ${shellId} (${commandOf(shell)}) ${shellEndWords(end.how)}.`,
    ...survivorWords(shell),
    ...(unread ? [`BashOutput with bash_id ${shellId} gives what it has written since the last look.`] : []),
  ];
  return `<system-reminder>\n${sentences.join(' ')}\n</system-reminder>`;
}

/** `bash_1 runs.` · `bash_1 ended with exit code 1.`, with what could not be ended. */
export const statusWords = (shell: Shell): string =>
  shell.end === undefined
    ? `${shell.shellId} runs.`
    : [`${shell.shellId} ${shellEndWords(shell.end.how)}.`, ...survivorWords(shell)].join(' ');

/** Nothing, where nothing is left or nobody looked. */
export function survivorWords({ end }: Shell): readonly string[] {
  const survivors = end?.survivors ?? [];
  if (survivors.length === 0) return [];
  const named = survivors.map(({ pid, command }) => `${pid} ${command}`).join(', ');
  return [`These of its processes could not be ended: ${named}.`];
}

/** For a name that is none of the session's. */
export const noSuchShell = (id: string, shells: readonly Shell[]): string => {
  const known = shells.map(({ shellId, end }) => (end === undefined ? `${shellId} (runs)` : shellId));
  const hint =
    known.length === 0 ? 'This session has started none.' : `The shells of this session are ${known.join(', ')}.`;
  return `There is no background shell ${cutText(id, MOST_COMMAND_CHARACTERS, '…')}. ${hint}`;
};
