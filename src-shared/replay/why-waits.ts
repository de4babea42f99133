import { assertNever } from '../assert-never.ts';
import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { callName, formatCount, formatMillis } from '../timeline/words.ts';
import { isPaused, type ToolCall, type Wait } from '../tool-call/state.ts';
import { since } from './queue-at.ts';
import { holdersOf, shortName, waitsFor } from './waits-for.ts';

/** A piece of a sentence: plain, strong, or the name of a call as a way to it. */
export type Piece = { readonly text: string; readonly callId?: CallId; readonly strong?: true };

const plain = (text: string): Piece => ({ text });

/** At most so many calls are named before the rest is counted. */
const NAMED = 3;

/** @param more how many come after these, which are not at hand. */
function names(calls: readonly ToolCall[], more = 0): readonly Piece[] {
  const count = calls.length + more;
  const shown = count <= NAMED ? calls : calls.slice(0, NAMED - 1);
  const rest = count - shown.length;
  return [
    ...shown.flatMap((call, at) => [
      ...(at === 0 ? [] : [plain(at === shown.length - 1 && rest === 0 ? ' and ' : ', ')]),
      { text: shortName(call), callId: call.callId },
    ]),
    ...(rest === 0 ? [] : [plain(` and ${formatCount(rest)} more`)]),
  ];
}

const WHAT: Readonly<Record<string, string>> = {
  Edit: 'an edit',
  MultiEdit: 'an edit',
  NotebookEdit: 'an edit',
  Write: 'a write',
  Bash: 'this command',
};

/** Why the lock keeps a call back: it needs it alone, or another has it alone. */
const lockWords = (call: ToolCall, alone: boolean): string =>
  call.safety.safe || alone
    ? ', and nothing runs beside such a call.'
    : `, and ${WHAT[call.tool] ?? 'this call'} needs it alone.`;

function reason(state: SessionState, call: ToolCall, wait: Wait): readonly Piece[] {
  const holders = holdersOf(state, wait);
  const one = holders.length === 1;
  switch (wait.why) {
    case 'lock': {
      const alone = holders.some(({ safety }) => !safety.safe);
      if (holders.length === 0) return [plain(' The lock is held by other calls.')];
      const held = one ? ' holds' : ' hold';
      return [
        plain(' '),
        ...names(holders),
        plain(`${held} the ${alone ? 'exclusive' : 'shared'} lock`),
        plain(lockWords(call, alone)),
      ];
    }
    case 'order':
      if (holders.length === 0) return [plain(' An earlier call goes first.')];
      return [
        plain(' '),
        ...names(holders),
        plain(`${one ? ' goes' : ' go'} first, and nothing may overtake a call that needs the lock alone.`),
      ];
    case 'no-lane':
      return [plain(` All ${formatCount(state.settings.cap)} lanes are taken.`)];
    case 'message-open':
      return [plain(' The model is still writing its message, and calls start when it is complete.')];
    case 'batch':
      if (holders.length === 0) return [plain(' An earlier batch runs first.')];
      return [plain(' '), ...names(holders), plain(` of an earlier batch ${one ? 'runs' : 'run'} first.`)];
    case 'hold':
      return [plain(' The queue is held.')];
    case 'settings':
      return [plain(' Calls that are not safe wait for the end of the message.')];
    default:
      return assertNever(wait.why, 'reason to wait');
  }
}

/**
 * Why a call waits at the state's moment, in sentences; undefined for one that does not. `timed`: the file has times,
 * else none is told.
 */
export function whyWaits(
  state: SessionState,
  call: ToolCall,
  now: number,
  timed: boolean,
): readonly Piece[] | undefined {
  const waits = waitsFor(state, call);
  if (waits.kind === 'nothing') return undefined;
  const length: readonly Piece[] = timed ? [plain(' '), { text: formatMillis(now - begin(call)), strong: true }] : [];
  const name = plain(callName(call));
  if (call.phase === 'queued') {
    const wait = call.waits.at(-1);
    const why = wait === undefined ? [plain(' Why is not recorded.')] : reason(state, call, wait);
    return [name, plain(timed ? ' has waited' : ' waits'), ...length, plain('.'), ...why];
  }
  if (waits.kind === 'turn') {
    const before = waits.calls.flatMap((id) => callById(state, id) ?? []);
    const done = [
      name,
      plain(' has ended'),
      plain(timed ? ' and has waited' : ' and waits'),
      ...length,
      plain(' for its turn. '),
    ];
    if (before.length === 0) return [...done, plain('Results are handed over in the order of the calls.')];
    return [
      ...done,
      plain('Results are handed over in the order of the calls, and '),
      ...names(before, waits.more),
      plain(before.length === 1 ? ' comes first.' : ' come first.'),
    ];
  }
  if (waits.kind !== 'you') return undefined;
  return [name, plain(timed ? ' has waited' : ' waits'), ...length, plain(` for ${waits.words}.`)];
}

/** When the wait began: a question and a breakpoint begin later than the call. */
function begin(call: ToolCall): number {
  if (call.phase !== 'executing') return since(call);
  return (isPaused(call) ? call.pauses.at(-1)?.from : call.asks.at(-1)?.from) ?? call.run.at;
}
