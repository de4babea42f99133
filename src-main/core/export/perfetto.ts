import { callTracks } from './perfetto-calls.ts';
import { perfettoJson } from './perfetto-json.ts';
import { otherTracks } from './perfetto-tracks.ts';
import { callsIn, type ExportInput, hasTimes, runOf } from './session.ts';
import { micros, nested, packed, type Slice } from './slices.ts';

/** Slices that belong together, under the name of their thread. Overlapping ones get further threads of that name. */
export type Track = { readonly name: string; readonly slices: readonly Slice[] };

/** The one process of a trace, and the thread that what belongs to none goes by: 0 is the idle one of the system. */
const PID = 1;
const NO_THREAD = 1;
type Anchor = { readonly tid: number; readonly from: number; readonly until: number };

/**
 * Chrome's trace format, which ui.perfetto.dev reads: process = session, thread = lane of an agent, slices with
 * arguments, what a call waited for as slices inside of its own, arrows for cascades and sub-agents, counters for what
 * runs and waits. Times are microseconds from the session's start.
 */
export function* exportPerfetto(input: ExportInput): Iterable<string> {
  const { state } = input;
  // Without `displayTimeUnit`: some versions of Perfetto read the numbers by it.
  yield `{"otherData":${perfettoJson(metadata(input))},"traceEvents":[\n`;
  yield line(
    { ph: 'M', ts: 0, pid: PID, tid: NO_THREAD, name: 'process_name', args: { name: state.title || 'Session' } },
    true,
  );
  const anchors = new Map<string, Anchor>();
  let tid = 0;
  for (const track of tracks(input)) {
    if (track === undefined) {
      yield '';
      continue;
    }
    for (const [n, slices] of packed(track.slices.map(nested)).entries()) {
      tid++;
      yield line(named(tid, n === 0 ? track.name : `${track.name} (${n + 1})`));
      yield line({ ph: 'M', ts: 0, pid: PID, tid, name: 'thread_sort_index', args: { sort_index: tid } });
      for (const slice of slices) {
        yield line(complete(tid, slice));
        for (const part of slice.parts) yield line(complete(tid, part));
        if (slice.anchor !== undefined) anchors.set(slice.anchor, { tid, from: slice.from, until: slice.until });
      }
    }
  }
  for (const flow of flows(input, anchors)) yield line(flow);
  for (const counter of counters(input)) yield line(counter);
  yield '\n]}\n';
}

function* tracks(input: ExportInput): Iterable<Track | undefined> {
  yield* otherTracks(input, 'before');
  yield* callTracks(input);
  yield* otherTracks(input, 'after');
}

/** `ts` stands before all texts and lists: older versions of Perfetto look for it and stumble over what comes first. */
type TraceEvent = { readonly ph: string; readonly ts: number; readonly [field: string]: unknown };

const line = (event: TraceEvent, isFirst = false): string => `${isFirst ? '' : ',\n'}${perfettoJson(event)}`;

const named = (tid: number, name: string) => ({
  ph: 'M',
  ts: 0,
  pid: PID,
  tid,
  name: 'thread_name',
  args: { name },
});

function complete(tid: number, { name, category, from, until, args }: Omit<Slice, 'parts'>) {
  return { ph: 'X', ts: from, dur: until - from, pid: PID, tid, name, cat: category, args: args() };
}

function metadata({ state, generator }: ExportInput) {
  return {
    generator,
    title: state.title,
    session: state.sessionId,
    started: new Date(state.startedAt).toISOString(),
    source: state.origin?.kind === 'imported' ? state.origin.format : 'gantry',
    strategy: state.settings.strategy,
    cascade: state.settings.cascade,
    clock: hasTimes(state) ? 'recorded' : 'order-only: positions are order, not time',
  };
}

/** A moment inside of a slice: an arrow is bound to the slice that is open when it begins or ends. */
const lastMoment = ({ from, until }: Anchor): number => Math.max(from, until - 1);

function* flows(input: ExportInput, anchors: ReadonlyMap<string, Anchor>) {
  let id = 0;
  const arrow = (name: string, from: Anchor, fromAt: number, to: Anchor, toAt: number, args: object) => {
    id++;
    const common = { pid: PID, name, cat: 'flow', id, args };
    return [
      { ph: 's', ts: fromAt, tid: from.tid, ...common },
      { ph: 'f', ts: Math.max(fromAt, toAt), bp: 'e', tid: to.tid, ...common },
    ];
  };
  const { state } = input;
  for (const call of callsIn(input)) {
    const culprit = call.cancellation?.reason === 'sibling_error' ? call.cancellation.culprit : undefined;
    if (culprit === undefined) continue;
    const from = anchors.get(`call ${culprit}`);
    const to = anchors.get(`call ${call.callId}`) ?? anchors.get(`wait ${call.callId}`);
    if (from === undefined || to === undefined) continue;
    // An arrow does not go back in time: a victim may have been told to stop before its culprit's bar ends.
    const start = Math.min(lastMoment(from), Math.max(from.from, lastMoment(to)));
    yield* arrow('cascade', from, start, to, lastMoment(to), { culprit, victim: call.callId });
  }
  for (const agent of state.agents) {
    const from = anchors.get(`call ${agent.parentCallId ?? ''}`);
    const to = anchors.get(`agent ${agent.agentId}`);
    if (from === undefined || to === undefined) continue;
    const at = Math.min(Math.max(from.from, to.from), lastMoment(from));
    yield* arrow('sub-agent', from, at, to, Math.max(to.from, at), { agent: agent.agentId });
  }
}

/** How many calls run and wait, at every moment one of the numbers changes. */
function* counters(input: ExportInput) {
  const steps: { at: number; running: number; waiting: number }[] = [];
  for (const call of callsIn(input)) {
    const run = runOf(call);
    const end = call.phase === 'completed' || call.phase === 'yielded' ? micros(call.end.at) : undefined;
    const left = run === undefined ? end : micros(run.at);
    steps.push({ at: micros(call.queuedAt), running: 0, waiting: 1 });
    if (left !== undefined) steps.push({ at: left, running: run === undefined ? 0 : 1, waiting: -1 });
    if (run !== undefined && end !== undefined) steps.push({ at: end, running: -1, waiting: 0 });
  }
  steps.sort((a, b) => a.at - b.at);
  let running = 0;
  let waiting = 0;
  for (const [n, step] of steps.entries()) {
    running += step.running;
    waiting += step.waiting;
    if (steps[n + 1]?.at === step.at) continue;
    yield { ph: 'C', ts: step.at, pid: PID, tid: NO_THREAD, name: 'calls', args: { running, waiting } };
  }
}
