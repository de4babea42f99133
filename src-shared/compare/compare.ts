import type { CallId } from '../ids.ts';
import { callById, type SessionState } from '../session/state.ts';
import { isEnded } from '../timeline/parts.ts';
import type { Outcome } from '../tool-call/event.ts';
import type { ToolCall } from '../tool-call/state.ts';
import { align } from './align.ts';
import { callKey } from './call-key.ts';
import { agentPaths, callsIn, type Side, stretchOf } from './calls.ts';

export type SideFacts = {
  /** Session time at which it begins: moments count from here. */
  readonly from: number;
  readonly wallMs: number;
  readonly calls: number;
};

/** When, in ms from the start of each side. On the side that lacks the call: when the call before it was asked for. */
export type Moment = { readonly a: number; readonly b: number };

/** `open`: it had not ended. */
export type ComparedOutcome = Outcome | 'open';

export type Difference =
  | { readonly kind: 'only-a'; readonly at: Moment; readonly a: CallId }
  | { readonly kind: 'only-b'; readonly at: Moment; readonly b: CallId }
  | {
      readonly kind: 'outcome';
      readonly at: Moment;
      readonly a: CallId;
      readonly b: CallId;
      readonly outcomes: readonly [ComparedOutcome, ComparedOutcome];
    }
  | {
      readonly kind: 'duration';
      readonly at: Moment;
      readonly a: CallId;
      readonly b: CallId;
      /** How long the call ran. */
      readonly ms: readonly [number, number];
    };

export type Comparison = {
  readonly a: SideFacts;
  readonly b: SideFacts;
  /** Calls that both have. */
  readonly common: number;
  /** Calls of both before the first difference. */
  readonly sameCalls: number;
  /** In order: what was asked for or ended otherwise, and what took clearly longer or shorter. */
  readonly differences: readonly Difference[];
  /** The first call that only one has or that ended otherwise. Lengths alone make no other run. */
  readonly first: Exclude<Difference, { kind: 'duration' }> | undefined;
};

/** A length counts as changed from this many ms on, and from this share of the longer one. */
const LEAST_MS = 100;
const LEAST_SHARE = 0.2;

/** Puts the calls of two runs side by side, agent by agent, by tool and input and in order, and tells where they differ. */
export function compare(a: Side, b: Side): Comparison {
  const [ofA, ofB] = [groupsOf(a), groupsOf(b)];
  const found: Found[] = [];
  let common = 0;
  const ofMain: Moment[] = [];
  for (const agent of new Set([MAIN, ...ofA.keys(), ...ofB.keys()])) {
    const [callsA, callsB] = [ofA.get(agent) ?? NO_CALLS, ofB.get(agent) ?? NO_CALLS];
    let last: Moment = agent === MAIN ? { a: 0, b: 0 } : beginOf(callsA, callsB, ofMain);
    for (const place of align(callsA.keys, callsB.keys)) {
      const one = place.a === undefined ? undefined : callsA.calls[place.a];
      const other = place.b === undefined ? undefined : callsB.calls[place.b];
      last = { a: one?.at ?? last.a, b: other?.at ?? last.b };
      if (one !== undefined && other !== undefined) common++;
      if (agent === MAIN) ofMain.push(last);
      found.push({ at: last, difference: differenceOf(last, one?.call, other?.call) });
    }
  }
  // Stable: within an agent the order stays that of the alignment.
  found.sort((x, y) => x.at.a - y.at.a || x.at.b - y.at.b);
  return { ...summary(found), a: factsOf(a), b: factsOf(b), common };
}

/** The path of the main agent, which goes first: it tells where sub-agents stand that only one side has. */
const MAIN = '';

/** Where a sub-agent's first call stands. On a side without one: where the main agent was then on the other. */
function beginOf(a: Group, b: Group, ofMain: readonly Moment[]): Moment {
  const [atA, atB] = [a.calls[0]?.at, b.calls[0]?.at];
  return {
    a: atA ?? ofMain.findLast((moment) => moment.b <= (atB ?? 0))?.a ?? 0,
    b: atB ?? ofMain.findLast((moment) => moment.a <= (atA ?? 0))?.b ?? 0,
  };
}

type Found = { readonly at: Moment; readonly difference: Difference | undefined };

function summary(found: readonly Found[]): Pick<Comparison, 'differences' | 'first' | 'sameCalls'> {
  const differences = found.flatMap(({ difference }) => difference ?? []);
  const isOther = (one: Difference | undefined): one is NonNullable<Comparison['first']> =>
    one !== undefined && one.kind !== 'duration';
  const firstAt = found.findIndex(({ difference }) => isOther(difference));
  return { differences, first: differences.find(isOther), sameCalls: firstAt === -1 ? found.length : firstAt };
}

type Timed = { readonly call: ToolCall; readonly at: number };
type Group = { readonly keys: string[]; readonly calls: Timed[] };
const NO_CALLS: Group = { keys: [], calls: [] };

function groupsOf(side: Side): ReadonlyMap<string, Group> {
  const { state } = side;
  const { from } = stretchOf(side);
  const pathOf = agentPaths(side);
  const groups = new Map<string, Group>();
  for (const index of callsIn(side)) {
    const call = state.calls[index] as ToolCall;
    const path = pathOf(call.agentId);
    const group = groups.get(path) ?? { keys: [], calls: [] };
    groups.set(path, group);
    group.keys.push(callKey(call, state.cwd));
    group.calls.push({ call, at: call.queuedAt - from });
  }
  return groups;
}

function differenceOf(at: Moment, a: ToolCall | undefined, b: ToolCall | undefined): Difference | undefined {
  if (a === undefined) return b === undefined ? undefined : { kind: 'only-b', at, b: b.callId };
  if (b === undefined) return { kind: 'only-a', at, a: a.callId };
  const pair = { at, a: a.callId, b: b.callId };
  const outcomes = [outcomeOf(a), outcomeOf(b)] as const;
  if (outcomes[0] !== outcomes[1]) return { kind: 'outcome', ...pair, outcomes };
  const ms = [ranFor(a), ranFor(b)] as const;
  if (ms[0] === undefined || ms[1] === undefined) return undefined;
  const gap = Math.abs(ms[0] - ms[1]);
  const isChanged = gap >= LEAST_MS && gap >= LEAST_SHARE * Math.max(ms[0], ms[1]);
  return isChanged ? { kind: 'duration', ...pair, ms: [ms[0], ms[1]] } : undefined;
}

const outcomeOf = (call: ToolCall): ComparedOutcome => (isEnded(call) ? call.end.outcome : 'open');

const ranFor = (call: ToolCall): number | undefined =>
  isEnded(call) && call.run !== undefined ? call.end.at - call.run.at : undefined;

function factsOf(side: Side): SideFacts {
  const { from, until } = stretchOf(side);
  return { from, wallMs: Math.max(0, until - from), calls: callsIn(side).length };
}

/** The call a difference is about, on the first side where there is one. */
export function callOf(difference: Difference, a: SessionState, b: SessionState): ToolCall | undefined {
  return difference.kind === 'only-b' ? callById(b, difference.b) : callById(a, difference.a);
}
