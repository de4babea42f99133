import type { CallId } from '../ids.ts';
import { cascades } from '../scheduler/cascade.ts';
import type { CascadePolicy } from '../session/settings.ts';
import { isEnded } from '../timeline/parts.ts';
import { type Accesses, accessesOf } from './accesses.ts';
import { type Difference, differencesOf } from './differences.ts';
import { boundsOf, type PlayedCall, type PlayedWork, playSteps } from './play.ts';
import { findRaces, type Interval, type Races } from './races.ts';
import type { CommandFacts, RecordedCall, RecordedWork } from './recorded.ts';
import { CASCADES, type PlayedStrategy, type RecordedRules, type Rules, STRATEGIES } from './rules.ts';
import { allSteps, type Steps } from './steps.ts';

/** What a turn came to. Lengths in milliseconds. */
export type Numbers = {
  readonly wallMs: number;
  /** Calls that fell with a sibling. What a person stopped is not among them: that is kept as it was. */
  readonly cancelled: number;
  /** How long the cancelled ones had run. Work that never started is not lost. */
  readonly lostMs: number;
  readonly races: Races;
};

/** How far the numbers of a turn under other rules can be trusted. */
export type Trust = {
  /** Calls that ran to their end, although it is not known how long they take: they were stopped in the recording. */
  readonly atLeast: readonly number[];
  /** Calls that ran, although nothing is known of how long: they never started in the recording. */
  readonly unknown: readonly number[];
  /** Calls ran whose times were not recorded but inferred. */
  readonly isInferred: boolean;
};

export type Outcome = {
  readonly rules: Rules;
  readonly numbers: Numbers;
  readonly trust: Trust;
  /** Against the recorded rules, by time. */
  readonly differences: readonly Difference[];
  readonly played: PlayedWork;
};

/** One turn made ready to be played. Made once; each play of it costs a few microseconds a call. */
export type Question = {
  readonly work: RecordedWork;
  /** All calls, those of sub-agents among them. */
  readonly calls: readonly RecordedCall[];
  /** The rules of most of its messages. */
  readonly rules: RecordedRules;
  readonly recorded: Numbers;
  /** Played under the recorded rules: what others are compared with. */
  readonly baseline: PlayedWork;
  /** By how much that misses the recorded wall time, in milliseconds. */
  readonly missesBy: number;
  readonly accesses: (item: number) => Accesses;
  /** Commands that may read or write files their words do not name. */
  readonly vague: readonly number[];
};

/** Makes a turn ready. */
export const ask = (work: RecordedWork, cwd: string, facts: CommandFacts = new Map()): Question =>
  allSteps(askSteps(work, cwd, facts));

export function* askSteps(work: RecordedWork, cwd: string, facts: CommandFacts): Steps<Question> {
  const calls = allCalls(work);
  const byItem = new Map<number, Accesses>();
  for (const { call, item } of calls) byItem.set(item, accessesOf(call, cwd, facts.get(call.callId)));
  const accesses = (item: number): Accesses =>
    byItem.get(item) ?? { reads: [], folders: [], writes: [], complete: true };
  yield;
  const baseline = yield* playSteps(work, {});
  yield;
  const recordedWall = work.until - work.from;
  return {
    work,
    calls,
    rules: usualRules(work),
    recorded: { wallMs: recordedWall, ...recordedLosses(calls), races: findRaces(recordedRuns(calls), accesses) },
    baseline,
    missesBy: baseline.wallMs - recordedWall,
    accesses,
    vague: calls.flatMap(({ call, item }) =>
      call.phase !== 'queued' && call.run !== undefined && !accesses(item).complete ? item : [],
    ),
  };
}

/**
 * What the turn would have come to under other rules. By how much the model misses the recorded wall time under the
 * recorded rules (time between a call's turn and its start, mostly), it is taken to miss it under others.
 */
export const answer = (question: Question, rules: Rules): Outcome => allSteps(answerSteps(question, rules));

export function* answerSteps(question: Question, rules: Rules): Steps<Outcome> {
  const played = yield* playSteps(question.work, rules);
  yield;
  const runs = played.calls.flatMap(({ recorded, start, endedAt }): Interval[] =>
    start === undefined ? [] : [{ item: recorded.item, from: start.at, until: endedAt }],
  );
  const races = findRaces(runs, question.accesses);
  yield;
  return {
    rules,
    numbers: { wallMs: Math.max(0, played.wallMs - question.missesBy), ...losses(played.calls), races },
    trust: trustOf(played),
    differences: differencesOf(question.baseline.calls, played.calls),
    played,
  };
}

function allCalls(work: RecordedWork): readonly RecordedCall[] {
  return work.rounds.flatMap(({ calls }) => calls.flatMap((call) => [call, ...call.below.flatMap(allCalls)]));
}

function usualRules(work: RecordedWork): RecordedRules {
  const withCalls = work.rounds.filter(({ calls }) => calls.length > 0);
  return (withCalls.at(-1) ?? work.rounds.at(-1))?.rules ?? FALLBACK;
}
const FALLBACK: RecordedRules = { strategy: 'streaming', cascade: 'bash', cap: 10, startUnsafe: 'at-once' };

function recordedRuns(calls: readonly RecordedCall[]): readonly Interval[] {
  return calls.flatMap(({ call, item, length }): Interval[] => {
    const run = call.phase === 'queued' ? undefined : call.run;
    return run === undefined ? [] : [{ item, from: run.at, until: run.at + length.ms }];
  });
}

function recordedLosses(calls: readonly RecordedCall[]): Pick<Numbers, 'cancelled' | 'lostMs'> {
  const agents = new Map<CallId, unknown>(calls.map(({ call }) => [call.callId, call.agentId]));
  let cancelled = 0;
  let lostMs = 0;
  for (const { call } of calls) {
    const { cancellation } = call;
    if (cancellation?.reason !== 'sibling_error') continue;
    cancelled += 1;
    const run = call.phase === 'queued' ? undefined : call.run;
    const { culprit } = cancellation;
    const isSibling = culprit === undefined || agents.get(culprit) === call.agentId;
    if (run !== undefined && isSibling && isEnded(call)) lostMs += Math.max(0, call.end.at - run.at);
  }
  return { cancelled, lostMs };
}

function losses(calls: readonly PlayedCall[]): Pick<Numbers, 'cancelled' | 'lostMs'> {
  let cancelled = 0;
  let lostMs = 0;
  for (const call of calls) {
    if (call.cancelled?.reason !== 'sibling_error') continue;
    cancelled += 1;
    // The time of an agent's calls is that of the call it works for, which fell as well.
    if (call.start !== undefined && !call.fellWithParent) lostMs += call.endedAt - call.start.at;
  }
  return { cancelled, lostMs };
}

function trustOf(played: PlayedWork): Trust {
  const bounds = boundsOf(played);
  const of = (known: PlayedCall['known']) => bounds.flatMap((call) => (call.known === known ? call.recorded.item : []));
  return {
    atLeast: of('at-least'),
    unknown: of('nothing'),
    isInferred: played.calls.some((call) => call.start !== undefined && call.recorded.isInferred),
  };
}

/** A row of the table: rules with a strategy and a policy, and the policies that come to the same. */
export type Row = {
  readonly strategy: PlayedStrategy;
  readonly cascade: CascadePolicy;
  readonly alike: readonly CascadePolicy[];
};

/**
 * The rules worth comparing for a turn: every strategy with each cascade policy that makes a difference to its failing
 * calls, and all at once. Policies that would let the same calls cancel others are one row.
 */
export function rowsFor({ calls, rules }: Pick<Question, 'calls' | 'rules'>): readonly Row[] {
  const failing = calls.filter(({ fails }) => fails);
  const groups = new Map<string, CascadePolicy[]>();
  for (const policy of CASCADES) {
    const key = failing.map((call) => (cascades(policy, call) ? '1' : '0')).join('');
    groups.set(key, [...(groups.get(key) ?? []), policy]);
  }
  const rows = STRATEGIES.flatMap((strategy) =>
    [...groups.values()].reverse().map((alike): Row => ({ strategy, cascade: nameOf(alike, strategy, rules), alike })),
  );
  return [...rows, { strategy: 'all-at-once', cascade: 'none', alike: CASCADES }];
}

/** The policy that stands for those that come to the same: the recorded one, else the usual one. */
function nameOf(alike: readonly CascadePolicy[], strategy: PlayedStrategy, rules: RecordedRules): CascadePolicy {
  const wanted: readonly CascadePolicy[] =
    strategy === 'streaming' ? [rules.cascade, 'none', 'bash'] : ['none', rules.cascade, 'bash'];
  return wanted.find((policy) => alike.includes(policy)) ?? (alike[0] as CascadePolicy);
}

/** Is this row what was recorded? */
export const isRecordedRow = (row: Row, rules: RecordedRules): boolean =>
  row.strategy === rules.strategy && row.alike.includes(rules.cascade);

/** The few rows that fit beside the chart: of `batch` and `serial` only the one without cascades. */
export const shortRows = (question: Pick<Question, 'calls' | 'rules'>): readonly Row[] =>
  rowsFor(question).filter(
    (row) => !isRecordedRow(row, question.rules) && (row.strategy === 'streaming' || row.alike.includes('none')),
  );
