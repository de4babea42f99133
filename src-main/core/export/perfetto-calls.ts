import type { AgentId } from '../../../src-shared/ids.ts';
import type { SessionState } from '../../../src-shared/session/state.ts';
import { agentOrder, titleOf } from '../../../src-shared/timeline/agent-tree.ts';
import { barParts, type PartKind } from '../../../src-shared/timeline/parts.ts';
import { callName, outcomeWords, whyItWaited } from '../../../src-shared/timeline/words.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { sentResult, type ToolCall } from '../../../src-shared/tool-call/state.ts';
import type { Track } from './perfetto.ts';
import { callEnd, callsIn, type ExportInput, inferredFacts, isWithin, runOf } from './session.ts';
import { micros, type Slice } from './slices.ts';

const PART_WORDS: Readonly<Record<PartKind, string>> = {
  hooks: 'hooks',
  permission: 'waits for permission',
  paused: 'at a breakpoint',
  running: 'runs',
  saving: 'saves its output',
  empty: 'not allowed',
};

/** Outputs in a trace are for reading in a panel. */
const MOST_TEXT = 4_000;
const shortened = (text: string): string =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}… (${text.length - MOST_TEXT} more characters)`;

/** A moment for whatever else the process does: after so many calls. */
const BREATH = 500;

/** For each agent: a thread for its queue and one for each of its lanes; sub-agents also have one for their whole time. `undefined` is a moment for others. */
export function* callTracks(input: ExportInput): Iterable<Track | undefined> {
  const { state } = input;
  const byAgent = new Map<AgentId, ToolCall[]>();
  for (const call of callsIn(input)) {
    const list = byAgent.get(call.agentId);
    if (list === undefined) byAgent.set(call.agentId, [call]);
    else list.push(call);
  }
  for (const { agentId, path } of agentOrder(state, [...byAgent.keys()])) {
    const title = titleOf(path);
    const calls = byAgent.get(agentId) ?? [];
    yield* agentTrack(input, agentId, title);
    yield* queueTrack(state, calls, title);
    yield* laneTracks(state, calls, title);
  }
}

function agentTrack({ state, stretch }: ExportInput, agentId: AgentId, title: string): readonly Track[] {
  const agent = state.agents.find((one) => one.agentId === agentId);
  if (agent === undefined || !isWithin(stretch, agent.from, agent.until)) return [];
  const slice: Slice = {
    name: agent.name || agent.agentType || title,
    category: 'agent',
    from: micros(agent.from),
    until: micros(agent.until ?? state.now),
    anchor: `agent ${agentId}`,
    args: () => ({
      agent: agentId,
      type: agent.agentType,
      prompt: shortened(agent.prompt),
      call: agent.parentCallId,
      ended: agent.end?.reason,
    }),
    parts: [],
  };
  return [{ name: `${title} · agent`, slices: [slice] }];
}

type Tracks = Iterable<Track | undefined>;

function* queueTrack(state: SessionState, calls: readonly ToolCall[], title: string): Tracks {
  const slices: Slice[] = [];
  for (const [n, call] of calls.entries()) {
    if (n % BREATH === BREATH - 1) yield undefined;
    const from = micros(call.queuedAt);
    const run = runOf(call);
    const until = micros(run?.at ?? callEnd(call) ?? state.now);
    // What never started has no bar: its wait, of at least a microsecond, is what arrows can point to.
    if (until <= from && run !== undefined) continue;
    const parts = call.waits.map((wait) => ({
      name: wait.why.replaceAll('-', ' '),
      category: 'wait',
      from: micros(wait.from),
      until: micros(wait.until ?? state.now),
      args: () => ({ why: wait.why, by: wait.by }),
    }));
    const args = () => ({ call: call.callId, why: whyItWaited(state, call), ...endOf(call, run) });
    const anchor = `wait ${call.callId}`;
    slices.push({
      name: callName(call),
      category: 'queue',
      from,
      until: Math.max(until, from + 1),
      args,
      anchor,
      parts,
    });
  }
  if (slices.length > 0) yield { name: `${title} · queue`, slices };
}

const endOf = (call: ToolCall, run: unknown) =>
  run === undefined ? { outcome: outcomeWords(call), started: false, culprit: call.cancellation?.culprit } : {};

function* laneTracks(state: SessionState, calls: readonly ToolCall[], title: string): Tracks {
  const lanes = new Map<number, Slice[]>();
  for (const [n, call] of calls.entries()) {
    if (n % BREATH === BREATH - 1) yield undefined;
    const run = runOf(call);
    if (run === undefined) continue;
    const list = lanes.get(run.lane) ?? [];
    lanes.set(run.lane, list);
    list.push(callSlice(state, call));
  }
  for (const [lane, slices] of [...lanes].sort(([a], [b]) => a - b)) {
    yield { name: `${title} · lane ${lane + 1}`, slices };
  }
}

function callSlice(state: SessionState, call: ToolCall): Slice {
  const run = runOf(call);
  const end = call.phase === 'completed' || call.phase === 'yielded' ? call.end : undefined;
  const isInferred = run?.timing.certainty === 'inferred' || end?.timing.certainty === 'inferred';
  const outcome = end?.outcome ?? 'unknown';
  const parts = barParts(call);
  return {
    name: callName(call),
    category: `call,${outcome}${isInferred ? ',inferred' : ''}`,
    from: micros(run?.at ?? call.queuedAt),
    until: micros(end?.at ?? state.now),
    anchor: `call ${call.callId}`,
    args: () => ({
      id: call.callId,
      tool: call.tool,
      outcome: outcomeWords(call),
      input: inputOf(call),
      output: end === undefined ? undefined : shortened(resultText(sentResult({ ...call, end } as Ended))),
      safe: call.safety.safe,
      because: call.safety.because,
      message: call.messageId,
      batch: run?.batchId,
      queuedMs: run === undefined ? undefined : run.at - call.queuedAt,
      startInferred: inferredFacts(run?.timing),
      endInferred: inferredFacts(end?.timing),
      exit: end?.exit,
      permission: call.permission === undefined ? undefined : `${call.permission.verdict} by ${call.permission.by}`,
      culprit: call.cancellation?.culprit,
      saved: call.saved?.path,
    }),
    // One part alone says no more than the slice itself.
    parts: (parts.length > 1 ? parts : []).map(({ kind, from, until }) => ({
      name: PART_WORDS[kind],
      category: kind === 'running' ? 'work' : 'wait',
      from: micros(from),
      until: micros(until ?? state.now),
      args: () => ({}),
    })),
  };
}

type Ended = Parameters<typeof sentResult>[0];

/** As it came, unless it is too long for a panel. */
function inputOf({ input }: ToolCall): unknown {
  const text = JSON.stringify(input) ?? '';
  return text.length > MOST_TEXT ? shortened(text) : input;
}
