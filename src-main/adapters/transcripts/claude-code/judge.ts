import type { Strategy } from '../../../../src-shared/session/settings.ts';
import { resultText } from '../../../../src-shared/tool-call/content.ts';
import type { Exit } from '../../../../src-shared/tool-call/event.ts';
import { textAt } from '../common/fields.ts';
import type { BestTime, JudgedMessage, Reconstruction, Refusal, Verdict } from '../common/judged.ts';
import { type CallStory, compare, isBefore, type MessageStory, type Moment } from '../common/story.ts';
import { type PlayedCall, reconstruct } from './reconstruct.ts';
import { type JudgedCall, strategyShownBy } from './regime.ts';
import { fitsDescription, isShell, mayRunBeside, needsDialog, wouldHaveAnswered } from './safety.ts';
import { type Ending, endingOf } from './texts.ts';
import { bestStart, seenRunning } from './timing.ts';

export type PrepareInput = {
  /** Where a call without a result is taken to have ended, and whether it was by an explicit interruption. */
  readonly openEnd: (call: CallStory) => { readonly moment: Moment; readonly interrupted: boolean };
  /** Calls that the end of a stream lists as refused. */
  readonly denied: ReadonlySet<string>;
};

/** A message with what its lines alone say of its calls. */
export type PreparedMessage = {
  readonly message: MessageStory;
  readonly calls: readonly JudgedCall[];
  /** Calls without a result whose turn was interrupted explicitly. */
  readonly interrupted: ReadonlySet<string>;
  /** When its calls started, as far as the order of lines shows it. */
  readonly shown: Strategy | undefined;
};

export function prepareMessage(message: MessageStory, input: PrepareInput): PreparedMessage {
  const interrupted = new Set<string>();
  const calls = message.calls.map((call): JudgedCall => {
    const open = call.result === undefined ? input.openEnd(call) : undefined;
    if (open?.interrupted) interrupted.add(call.id);
    const end = call.result?.place ?? open?.moment ?? call.queued;
    return { call, ending: endingOfCall(input, call), end: isBefore(end, call.queued) ? call.queued : end };
  });
  return { message, calls, interrupted, shown: strategyShownBy(message, calls) };
}

export type JudgeInput = {
  /** When calls started where the message does not show it. */
  readonly usual: Strategy;
  readonly cwd: string;
  /** The files hold no times. */
  readonly orderOnly: boolean;
};

/** Decides how each call of a message ended, who cancelled whom, and when they must have started. */
export function judgeMessage(prepared: PreparedMessage, { usual, cwd, orderOnly }: JudgeInput): JudgedMessage {
  const { message, calls, interrupted } = prepared;
  const culpritOf = matchCulprits(calls);
  const culprits = new Set(culpritOf.values());
  const stopped = calls.filter(({ ending }) => ending?.kind === 'stopped' && !ending.atDialog);
  const stoppedAt = stopped.map(({ end }) => end).sort(compare)[0];
  const played = reconstruct({
    messageId: message.id,
    calls: calls.map((one) => playedOf(one, culprits)),
    strategy: prepared.shown ?? usual,
    stoppedAt,
  });
  const refused = stopped.find(({ call }) => played.starts.has(call.id) && needsDialog(call, message.mode, cwd));
  const context = { culpritOf, interrupted, refused: refused?.call.id };
  return {
    message,
    verdicts: new Map(calls.map((one) => [one.call.id, verdictOf(one, context)])),
    ends: new Map(calls.map(({ call, end }) => [call.id, end])),
    played,
    starts: startsOf(calls, played, orderOnly),
    endTimes: new Map(),
    cascades: grouped(calls, culpritOf),
    stoppedAt,
  };
}

function startsOf(
  calls: readonly JudgedCall[],
  played: Reconstruction,
  orderOnly: boolean,
): ReadonlyMap<string, BestTime> {
  const starts = new Map<string, BestTime>();
  for (const { call, end } of calls) {
    const start = played.starts.get(call.id);
    if (start !== undefined) starts.set(call.id, bestStart(call, start, end, orderOnly));
  }
  return starts;
}

const exitWith = (code: number | undefined): Exit | undefined => (code === undefined ? undefined : { code });

/** The exit of a command that went well. */
function exitOf(call: CallStory): Exit | undefined {
  if (!isShell(call.tool)) return undefined;
  const facts = call.result?.facts;
  // Only a twin that is an object tells of a command that was run to its end.
  if (!('interrupted' in (facts ?? {})) || textAt(facts, 'backgroundTaskId') !== undefined) return undefined;
  const meaning = textAt(facts, 'returnCodeInterpretation');
  // The program reports every other code than 0 as an error, or with its meaning.
  return meaning === undefined ? { code: 0 } : { meaning };
}

function endingOfCall(input: PrepareInput, call: CallStory): Ending | undefined {
  const { result } = call;
  if (result === undefined) return undefined;
  const ending = endingOf({
    tool: call.tool,
    text: resultText(result.shown),
    isError: result.shown.isError,
    twinText: result.twinText,
    twinInterrupted: result.facts.interrupted === true,
    denialKind: result.denialKind,
    hookDenied: call.hookDenial !== undefined,
  });
  return ending.kind === 'error' && input.denied.has(call.id) ? { kind: 'denied', by: 'no-user' } : ending;
}

function playedOf({ call, ending, end }: JudgedCall, culprits: ReadonlySet<string>): PlayedCall {
  const neverRan = ending?.kind === 'error' && ending.neverRan;
  const wasStopped =
    ending?.kind === 'sibling' || ending?.kind === 'discarded' || (ending?.kind === 'stopped' && !ending.atDialog);
  const waited = wasStopped && wouldHaveAnswered(call.tool, call.input, end.at - call.queued.at);
  return {
    id: call.id,
    queued: call.queued,
    end,
    hasResult: call.result !== undefined,
    safe: !neverRan && !waited && mayRunBeside(call.tool, call.input),
    wasStopped,
    isCulprit: culprits.has(call.id),
    neverRan,
    seenRunningAt: seenRunning(call),
  };
}

/** Victim → culprit: the sibling the victim's text describes, else the first that failed before it. */
function matchCulprits(judged: readonly JudgedCall[]): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const failures = judged
    .filter(({ ending }) => ending?.kind === 'error' || ending?.kind === 'denied')
    .sort((a, b) => compare(a.end, b.end));
  for (const { call, ending, end } of judged) {
    if (ending?.kind !== 'sibling') continue;
    const { culprit: description } = ending;
    // Lines of one moment may stand in either order.
    const before = failures.filter((one) => one.end.at <= end.at);
    const described = description === undefined ? [] : before.filter((one) => fitsDescription(one.call, description));
    const tool = description?.split('(')[0];
    const sameTool = before.filter((one) => one.call.tool === tool);
    const culprit = described[0] ?? sameTool[0] ?? (description === undefined ? before[0] : undefined);
    if (culprit !== undefined) matches.set(call.id, culprit.call.id);
  }
  return matches;
}

function grouped(judged: readonly JudgedCall[], culprits: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { call } of judged) {
    const culprit = culprits.get(call.id);
    if (culprit === undefined) continue;
    const victims = groups.get(culprit);
    if (victims === undefined) groups.set(culprit, [call.id]);
    else victims.push(call.id);
  }
  return groups;
}

type VerdictContext = {
  readonly culpritOf: ReadonlyMap<string, string>;
  /** The call whose dialog was refused, among those that all carry the same text. */
  readonly refused: string | undefined;
  readonly interrupted: ReadonlySet<string>;
};

const REFUSED_BY: Readonly<Record<'rule' | 'hook' | 'no-user' | 'classifier', string>> = {
  rule: 'The recording says that a rule or mode denied it.',
  hook: 'The recording says that a hook denied it.',
  'no-user': 'There was nobody to ask.',
  classifier: 'The classifier could not decide.',
};

function verdictOf({ call, ending }: JudgedCall, context: VerdictContext): Verdict {
  const plain = { exit: undefined, refusal: undefined, cancel: undefined };
  switch (ending?.kind) {
    case undefined:
      return { ...plain, outcome: context.interrupted.has(call.id) ? 'interrupted' : 'unknown' };
    case 'ok':
      return { ...plain, outcome: 'ok', exit: exitOf(call) };
    case 'error':
      return { ...plain, outcome: 'error', exit: exitWith(ending.exitCode) };
    case 'killed':
      return {
        ...plain,
        outcome: 'interrupted',
        exit: exitWith(ending.exitCode),
        cancel: { reason: 'escape', culprit: undefined },
      };
    case 'sibling':
      return {
        ...plain,
        outcome: 'cancelled',
        cancel: { reason: 'sibling_error', culprit: context.culpritOf.get(call.id) },
      };
    case 'discarded':
      return { ...plain, outcome: 'discarded', cancel: { reason: 'discarded', culprit: undefined } };
    case 'denied':
      return {
        ...plain,
        outcome: 'denied',
        refusal: { by: ending.by, text: REFUSED_BY[ending.by], feedback: undefined },
      };
    case 'stopped': {
      if (!ending.atDialog && call.id !== context.refused) {
        return { ...plain, outcome: 'interrupted', cancel: { reason: 'escape', culprit: undefined } };
      }
      const refusal: Refusal = { by: 'user', text: 'The user refused it.', feedback: ending.feedback };
      return { ...plain, outcome: 'rejected', refusal };
    }
  }
}
