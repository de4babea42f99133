import { type AgentId, type CallId, MAIN_AGENT } from '../ids.ts';
import type { SimulatedInput } from '../scheduler/simulate.ts';
import type { MessageEnd, ScheduledCall } from '../scheduler/types.ts';
import type { Agent, ModelRequest, SessionState, Turn } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import type { CancelReason } from '../tool-call/event.ts';
import { failedByItself, type ToolCall } from '../tool-call/state.ts';
import { endOfTurn } from '../turns/turn-of.ts';
import type { SessionTime } from '../units.ts';
import type { RecordedRules } from './rules.ts';
import { allSteps, CALLS_A_STEP, type Steps } from './steps.ts';
import type { TouchedFiles } from './touched.ts';

/** What main has found out about Bash commands, by call. Where it has not looked, less is known. */
export type CommandFacts = ReadonlyMap<CallId, TouchedFiles>;

/**
 * How long a call runs when nobody stops it. `at-least`: it was stopped in the recording; `nothing`: it never started
 * there, and counts as no time at all.
 */
export type Length = { readonly ms: number; readonly known: 'whole' | 'at-least' | 'nothing' };

/** What was recorded of a call, as far as it bears on other rules. Times in milliseconds. */
export type RecordedCall = {
  readonly call: ToolCall;
  /** Its place in the state's calls. */
  readonly item: number;
  /** When its block came, counted from the start of its request. */
  readonly arrives: number;
  readonly length: Length;
  /** Its start or end was not recorded but inferred. */
  readonly isInferred: boolean;
  readonly kind: ScheduledCall['kind'];
  readonly fails: boolean;
  readonly isBroken: boolean;
  /** A person refused it without a word, and the turn ended with it. */
  readonly endsTurn: boolean;
  /** How long it went on after it was told to stop. */
  readonly stopsAfter: number;
  /** Agents that worked below it. */
  readonly below: readonly RecordedWork[];
};

/** A request to the model with what came of it: blocks, calls, results. The next one begins when all of it is over. */
export type Round = {
  readonly from: SessionTime;
  readonly until: SessionTime;
  /** Between the end of the round before (or the start of the work) and this one: what was recorded, kept as it is. */
  readonly lead: number;
  readonly calls: readonly RecordedCall[];
  /** When the message was complete, counted from `from`. */
  readonly messageEnds: number;
  readonly how: MessageEnd;
  /** What a person did meanwhile, and a stream that broke. `at` counts from `from`. */
  readonly inputs: readonly SimulatedInput[];
  readonly rules: RecordedRules;
};

/** The work of one agent: a turn of the main agent, or the life of a sub-agent. */
export type RecordedWork = {
  readonly agentId: AgentId;
  readonly from: SessionTime;
  readonly until: SessionTime;
  readonly rounds: readonly Round[];
  /** From the end of the last round to the end of the work. */
  readonly tail: number;
};

type Source = { readonly state: SessionState; readonly facts: CommandFacts; readonly index: Index };

/** Look-ups that are made once for a turn, so that long sessions cost no more than a walk through them. */
type Index = {
  /** Places of an agent's calls, by message. */
  readonly messagesOf: ReadonlyMap<AgentId, ReadonlyMap<string, readonly number[]>>;
  readonly requestsOf: ReadonlyMap<AgentId, readonly ModelRequest[]>;
  readonly agentsBelow: ReadonlyMap<CallId, readonly Agent[]>;
};

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Everything about a turn that other rules could change. Reads the state, and keeps nothing of it but the calls. */
export const recordTurn = (state: SessionState, turn: Turn, facts: CommandFacts = new Map()): RecordedWork =>
  allSteps(recordSteps(state, turn, facts));

/** The same, part by part. */
export function* recordSteps(state: SessionState, turn: Turn, facts: CommandFacts): Steps<RecordedWork> {
  const source: Source = { state, facts, index: indexOf(state) };
  yield;
  return yield* turnFrom(source, turn);
}

/** The same for several turns of a session, which is walked through once. */
export function recordTurns(state: SessionState, turns: readonly Turn[], facts: CommandFacts): readonly RecordedWork[] {
  const source: Source = { state, facts, index: indexOf(state) };
  return turns.map((turn) => allSteps(turnFrom(source, turn)));
}

function* turnFrom(source: Source, turn: Turn): Steps<RecordedWork> {
  const until = endOfTurn(source.state, turn);
  const requests = (source.index.requestsOf.get(turn.agentId) ?? []).filter(({ turnId }) => turnId === turn.turnId);
  const isTurn = (call: ToolCall): boolean => call.queuedAt >= turn.from && call.queuedAt <= until;
  return yield* workOf(source, { agentId: turn.agentId, from: turn.from, until }, requests, isTurn);
}

function indexOf(state: SessionState): Index {
  const messagesOf = new Map<AgentId, Map<string, number[]>>();
  for (const [item, call] of state.calls.entries()) {
    const messages = messagesOf.get(call.agentId) ?? new Map<string, number[]>();
    messagesOf.set(call.agentId, messages);
    addTo(messages, call.messageId, item);
  }
  const requestsOf = new Map<AgentId, ModelRequest[]>();
  for (const request of state.requests) addTo(requestsOf, request.agentId, request);
  const agentsBelow = new Map<CallId, Agent[]>();
  for (const agent of state.agents) if (agent.parentCallId !== undefined) addTo(agentsBelow, agent.parentCallId, agent);
  return { messagesOf, requestsOf, agentsBelow };
}

type Life = Pick<RecordedWork, 'agentId' | 'from' | 'until'>;

/** A message on its way, told by its request, or by its calls alone where no request was told. */
type Draft = {
  readonly from: SessionTime;
  readonly request: ModelRequest | undefined;
  readonly items: readonly number[];
};

function* workOf(
  source: Source,
  life: Life,
  requests: readonly ModelRequest[],
  isOwn: (call: ToolCall) => boolean,
): Steps<RecordedWork> {
  const drafts = draftsOf(source, life.agentId, requests, isOwn);
  const rounds: Round[] = [];
  let before: number = life.from;
  let looked = 0;
  for (const [at, draft] of drafts.entries()) {
    const next = drafts[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const round = roundOf(source, draft, before, Math.min(next, life.until + 1));
    rounds.push(round);
    before = round.until;
    looked += round.calls.length;
    if (looked < CALLS_A_STEP) continue;
    looked = 0;
    yield;
  }
  return { ...life, rounds, tail: Math.max(0, life.until - before) };
}

function draftsOf(
  { state, index }: Source,
  agentId: AgentId,
  requests: readonly ModelRequest[],
  isOwn: (call: ToolCall) => boolean,
): readonly Draft[] {
  const messages = index.messagesOf.get(agentId) ?? new Map<string, readonly number[]>();
  const drafts: Draft[] = requests.map((request) => {
    const items = request.messageId === undefined ? [] : (messages.get(request.messageId) ?? []);
    return { from: request.from, request, items };
  });
  const told = new Set((index.requestsOf.get(agentId) ?? []).map(({ messageId }) => messageId as string | undefined));
  for (const [messageId, items] of messages) {
    const first = state.calls[items[0] as number] as ToolCall;
    if (!told.has(messageId) && isOwn(first)) drafts.push({ from: first.queuedAt, request: undefined, items });
  }
  return drafts.sort((a, b) => a.from - b.from);
}

function roundOf(source: Source, { from, request, items }: Draft, before: number, next: number): Round {
  const calls = items.map((item) => callOf(source, item, from));
  const lastBlock = calls.at(-1)?.arrives ?? 0;
  const isBroken = request?.end?.kind === 'failed';
  const inputs = inputsOf(source.state, { from, next, calls, isBroken, brokeAt: request?.end?.at });
  const brokeAt = inputs.find((input) => input.do === 'discard')?.at;
  const rules = rulesOf(source.state, calls, { from, lastBlock });
  const told = request?.end === undefined ? lastBlock : request.end.at - from;
  const ended = rules.strategy === 'batch' ? Math.min(told, firstStart(calls, from)) : told;
  const messageEnds = Math.max(lastBlock, brokeAt ?? ended);
  const ends = calls.map(({ call }) => (isEnded(call) ? call.end.at : source.state.now));
  const until = latest(ends, from + messageEnds) as SessionTime;
  return {
    from,
    until,
    lead: from - before,
    calls,
    messageEnds,
    how: howEnded(request, source.state),
    inputs,
    rules,
  };
}

/** A spread of 100,000 numbers would not fit the stack. */
const latest = (values: readonly number[], least: number): number =>
  values.reduce((most, value) => Math.max(most, value), least);

/**
 * The rules of a round: the settings in force, but that a call which started before the last block had come contradicts
 * `batch`. Imported sessions have one strategy for all messages, although the program may have changed it in between.
 */
function rulesOf(
  state: SessionState,
  calls: readonly RecordedCall[],
  { from, lastBlock }: { readonly from: SessionTime; readonly lastBlock: number },
): RecordedRules {
  const rules = rulesAt(state, calls[0]?.call.queuedAt ?? from);
  return rules.strategy === 'batch' && firstStart(calls, from) < lastBlock
    ? { ...rules, strategy: 'streaming' }
    : rules;
}

/**
 * Under `batch` no call starts before the message is complete. Files of other programs stamp a message when all is over,
 * or say nothing of its end: then the first call tells.
 */
const firstStart = (calls: readonly RecordedCall[], from: SessionTime): number =>
  calls.reduce((first, { call }) => {
    const run = call.phase === 'queued' ? undefined : call.run;
    return run === undefined ? first : Math.min(first, run.at - from);
  }, Number.POSITIVE_INFINITY);

function howEnded(request: ModelRequest | undefined, state: SessionState): MessageEnd {
  if (request?.end?.kind !== 'completed') return 'well';
  const { stopReason } = request.end;
  if (stopReason === 'refusal') return 'refused';
  if (stopReason === 'max-tokens' || stopReason === 'model-context-window-exceeded') return 'cut-off';
  // A person stopped the stream. In other programs' files it only means that nobody wrote the reason down.
  return stopReason === 'unknown' && state.origin?.kind === 'live' ? 'cut-off' : 'well';
}

type RoundFacts = {
  readonly from: SessionTime;
  readonly next: number;
  readonly calls: readonly RecordedCall[];
  readonly isBroken: boolean;
  readonly brokeAt: SessionTime | undefined;
};

/** What came from outside while the round went on, at the same distance from its start as it was recorded. */
function inputsOf(
  state: SessionState,
  { from, next, calls, isBroken, brokeAt }: RoundFacts,
): readonly SimulatedInput[] {
  const inputs: SimulatedInput[] = [];
  const discarded = discardedAt(calls) ?? (isBroken && calls.length > 0 ? brokeAt : undefined);
  if (discarded !== undefined) inputs.push({ at: Math.max(0, discarded - from), do: 'discard' });
  // Sub-agents stop with the call they work for.
  if (calls[0] !== undefined && calls[0].call.agentId !== MAIN_AGENT) return inputs;
  for (const { at, reason } of state.interrupts) {
    if (at >= from && at < next) inputs.push({ at: at - from, do: reason === 'escape' ? 'escape' : 'interrupt' });
  }
  const closed = toldAt(calls, 'shutdown').reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined);
  if (closed !== undefined) inputs.push({ at: Math.max(0, closed - from), do: 'shutdown' });
  return inputs;
}

const toldAt = (calls: readonly RecordedCall[], reason: CancelReason): readonly number[] =>
  calls.flatMap(({ call: { cancellation } }) => (cancellation?.reason === reason ? cancellation.at : []));

/**
 * When the stream broke, as its calls tell. Of one that had been told to stop before the first time is kept, so the
 * latest counts; those that came behind the break were told when they came.
 */
function discardedAt(calls: readonly RecordedCall[]): number | undefined {
  const there = calls.filter(({ call }) => call.cancellation !== undefined && call.cancellation.at > call.queuedAt);
  const told = toldAt(there, 'discarded');
  return (told.length > 0 ? told : toldAt(calls, 'discarded')).reduce<number | undefined>(
    (a, b) => (told.length > 0 ? Math.max(a ?? b, b) : Math.min(a ?? b, b)),
    undefined,
  );
}

/** The settings in force at a moment. */
function rulesAt(state: SessionState, t: number): RecordedRules {
  const { strategy, cascade, cap, startUnsafe } =
    state.settingsLog.findLast((one) => one.from <= t)?.settings ?? state.settings;
  return { strategy, cascade, cap, startUnsafe };
}

function callOf(source: Source, item: number, from: SessionTime): RecordedCall {
  const call = source.state.calls[item] as ToolCall;
  const run = call.phase === 'queued' ? undefined : call.run;
  const end = isEnded(call) ? call.end : undefined;
  const stopped = call.cancellation;
  const stopsAfter = stopped !== undefined && end !== undefined ? Math.max(0, end.at - stopped.at) : 0;
  const isInferred =
    run?.timing.certainty === 'inferred' || (run !== undefined && end?.timing.certainty !== 'measured');
  return {
    call,
    item,
    arrives: Math.max(0, call.queuedAt - from),
    length: lengthOf(call, source.state.now),
    isInferred,
    kind: kindOf(call, source.facts.get(call.callId)),
    fails: end !== undefined && run !== undefined && stopped === undefined && failedByItself(end),
    isBroken: run === undefined && stopped?.reason === 'cut-off' && end?.outcome === 'error',
    endsTurn: end?.outcome === 'rejected' && call.permission?.feedback === undefined,
    stopsAfter,
    below: belowOf(source, call),
  };
}

function lengthOf(call: ToolCall, now: number): Length {
  const run = call.phase === 'queued' ? undefined : call.run;
  if (run === undefined) return { ms: 0, known: 'nothing' };
  const end = isEnded(call) ? call.end : undefined;
  const ms = Math.max(0, (end?.at ?? now) - run.at);
  const wasStopped = end === undefined || end.outcome === 'unknown' || isStopped(call);
  return { ms, known: wasStopped ? 'at-least' : 'whole' };
}

/** It ended because it was told to. One that had its own result already when it was told keeps that. */
const isStopped = (call: ToolCall): boolean =>
  isEnded(call) && /^(?:cancelled|interrupted|discarded)$/.test(call.end.outcome) && call.cancellation !== undefined;

const WRITERS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** What the cascade policies distinguish. Of a command that main has not looked at its safety tells most. */
function kindOf({ tool, safety }: ToolCall, facts: TouchedFiles | undefined): ScheduledCall['kind'] {
  // An input that fits no schema is not known to be that of a writer.
  if (WRITERS.has(tool)) return safety.because === 'invalid-input' ? 'other' : 'write';
  if (tool !== 'Bash') return 'other';
  const isReadOnly = facts?.readOnly ?? (safety.safe && safety.because !== 'treat-as-safe-rule');
  return isReadOnly ? 'bash-read-only' : 'bash-mutating';
}

function belowOf(source: Source, call: ToolCall): readonly RecordedWork[] {
  const agents = source.index.agentsBelow.get(call.callId) ?? [];
  return agents.map(({ agentId, from, until }) => {
    const requests = source.index.requestsOf.get(agentId) ?? [];
    const end = until ?? source.state.now;
    return allSteps(workOf(source, { agentId, from, until: end }, requests, () => true));
  });
}
