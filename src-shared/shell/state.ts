import { assertNever } from '../assert-never.ts';
import type { AgentId, CallId, ShellId } from '../ids.ts';
import type { EventOf } from '../session/event.ts';
import { replaceLast } from '../session/replace-last.ts';
import type { Progress } from '../tool-call/state.ts';
import type { SessionTime } from '../units.ts';
import type { ShellEnd } from './event.ts';

/** A command that goes on behind the call that launched it. */
export type Shell = {
  readonly shellId: ShellId;
  readonly callId: CallId;
  readonly agentId: AgentId;
  readonly command: string;
  /** The file with its output; undefined where it is not known. */
  readonly path: string | undefined;
  readonly from: SessionTime;
  readonly progress: Progress | undefined;
  /** The model has been given the output up to this byte. */
  readonly readUntil: number;
  readonly end:
    | {
        readonly at: SessionTime;
        readonly how: ShellEnd;
        readonly bytes: number | undefined;
        /** Undefined where nobody looked. */
        readonly survivors: readonly { readonly pid: number; readonly command: string }[] | undefined;
      }
    | undefined;
};

export type ShellEvent = EventOf<'shell-started' | 'shell-progressed' | 'shell-read' | 'shell-ended'>;

/** Adds one event to the list, in place. Nothing brings a shell back from its end. */
export function applyShell(shells: Shell[], e: ShellEvent): void {
  switch (e.type) {
    case 'shell-started':
      shells.push({
        shellId: e.shellId,
        callId: e.callId,
        agentId: e.agentId,
        command: e.command,
        path: e.path,
        from: e.t,
        progress: undefined,
        readUntil: 0,
        end: undefined,
      });
      return;
    case 'shell-progressed':
      update(shells, e, (shell) =>
        shell.end === undefined ? { ...shell, progress: { bytes: e.bytes, lines: e.lines, tail: e.tail } } : shell,
      );
      return;
    case 'shell-read':
      update(shells, e, (shell) => ({ ...shell, readUntil: e.until }));
      return;
    case 'shell-ended':
      update(shells, e, (shell) =>
        shell.end === undefined
          ? { ...shell, end: { at: e.t, how: e.end, bytes: e.bytes, survivors: e.survivors } }
          : shell,
      );
      return;
    default:
      assertNever(e, 'shell event');
  }
}

const update = (shells: Shell[], { shellId }: ShellEvent, next: (shell: Shell) => Shell): void =>
  replaceLast(shells, (shell) => shell.shellId === shellId, next);

/** The newest shell of a name; names are given once in a session, but a file may say anything. */
export const shellById = (shells: readonly Shell[], id: string): Shell | undefined =>
  shells.findLast((shell) => shell.shellId === id);

/** The shell that a call has launched. */
export const shellOf = (shells: readonly Shell[], callId: CallId): Shell | undefined =>
  shells.findLast((shell) => shell.callId === callId);

/** The last line it has written that is not empty. */
export const lastLine = ({ progress }: Shell): string =>
  progress?.tail
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? '';

/** How it ended, as the end of a sentence: `ended with exit code 1`. */
export function shellEndWords(end: ShellEnd): string {
  switch (end.kind) {
    case 'exited':
      return `ended with exit code ${end.code}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'killed':
      return end.by === 'model' ? 'was ended by KillShell' : 'was ended by the user';
    case 'session-closed':
      return 'was ended when its session was closed';
    case 'output-limit':
      return `was ended because it wrote more than ${Math.round(end.limitBytes / 1024 ** 3)} GB`;
    case 'host-lost':
      return 'ended with the helper that runs commands';
    case 'unknown':
      return end.said === undefined ? 'ended with Gantry; how is not known' : `ended, it is said: ${end.said}`;
    default:
      return assertNever(end, 'shell end');
  }
}
