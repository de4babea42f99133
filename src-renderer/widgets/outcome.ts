import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Hand,
  Hourglass,
  Lock,
  type LucideIcon,
  Pause,
  Play,
  Slash,
  Undo2,
  X,
} from 'lucide-react';
import { assertNever } from '../../src-shared/assert-never.ts';
import type { Exit } from '../../src-shared/tool-call/event.ts';
import { isPaused, type ToolCall } from '../../src-shared/tool-call/state.ts';
import type { PillTone } from './Pill.tsx';

export type OutcomeWords = { readonly tone: PillTone; readonly icon: LucideIcon; readonly label: string };

const exitWords = (exit: Exit | undefined): string | undefined => {
  if (exit?.signal !== undefined) return exit.signal;
  return exit?.code === undefined ? undefined : `exit ${exit.code}`;
};

/**
 * How a call stands or ended, in words and in the hue of whoever is responsible (design 1): `cancelled while running`,
 * `never started`, `exit 1`. `short` drops what the row around it already says.
 */
export function outcomeWords(call: ToolCall, short = false): OutcomeWords {
  switch (call.phase) {
    case 'queued':
      return queuedWords(call);
    case 'executing':
      return executingWords(call);
    case 'completed':
    case 'yielded':
      return endWords(call, short);
    default:
      return assertNever(call, 'call phase');
  }
}

function executingWords(call: ToolCall): OutcomeWords {
  if (isPaused(call)) return { tone: 'human', icon: Pause, label: 'at a breakpoint' };
  return call.asks.at(-1)?.until === undefined && call.asks.length > 0
    ? { tone: 'human', icon: Hand, label: 'waits for you' }
    : { tone: 'work', icon: Play, label: 'running' };
}

function queuedWords(call: ToolCall): OutcomeWords {
  return call.waits.at(-1)?.why === 'lock'
    ? { tone: 'lock', icon: Lock, label: 'queued' }
    : { tone: 'neutral', icon: Hourglass, label: 'queued' };
}

function endWords(call: Extract<ToolCall, { phase: 'completed' | 'yielded' }>, short: boolean): OutcomeWords {
  const exit = exitWords(call.end.exit);
  const { outcome } = call.end;
  switch (outcome) {
    case 'ok':
      return { tone: 'ok', icon: Check, label: exit === undefined ? 'ok' : `ok, ${exit}` };
    case 'error':
      return { tone: 'error', icon: X, label: exit === undefined ? 'error' : short ? exit : `error, ${exit}` };
    case 'rejected':
      return { tone: 'human', icon: Ban, label: 'rejected' };
    case 'denied':
      return { tone: call.permission?.by === 'hook' ? 'hook' : 'neutral', icon: Ban, label: 'denied' };
    case 'cancelled':
      return call.run === undefined
        ? { tone: 'cancelled', icon: Ban, label: 'never started' }
        : { tone: 'cancelled', icon: Slash, label: 'cancelled while running' };
    case 'interrupted':
      return interruptedWords(call.run !== undefined, call.cancellation?.reason === 'shutdown');
    case 'discarded':
      return { tone: 'neutral', icon: Undo2, label: 'discarded' };
    case 'unknown':
      return { tone: 'neutral', icon: CircleHelp, label: 'unknown' };
    default:
      return assertNever(outcome, 'outcome');
  }
}

/** A person stopped it, or the app was closed over it: then nobody is responsible. */
const interruptedWords = (started: boolean, byShutdown: boolean): OutcomeWords => ({
  tone: byShutdown ? 'neutral' : 'human',
  icon: started ? CircleSlash : CircleDashed,
  label: started ? 'interrupted' : 'interrupted before start',
});
