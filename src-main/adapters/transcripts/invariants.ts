import { SessionEvent } from '../../../src-shared/session/event.ts';
import { foldSession } from '../../../src-shared/session/state.ts';

/**
 * Where an imported session breaks what every reader of events relies on, in words; nothing when it is sound. For tests:
 * the same rules hold for a sound file, a damaged one and a stranger's.
 */
export function faultsOf(events: readonly SessionEvent[]): readonly string[] {
  return [...faultsOfOrder(events), ...faultsOfCalls(events), ...faultsOfLanes(events), ...faultsOfTimes(events)];
}

function faultsOfOrder(events: readonly SessionEvent[]): string[] {
  const faults: string[] = [];
  let t = 0;
  events.forEach((event, index) => {
    if (event.seq !== index) faults.push(`event ${index} has the number ${event.seq}`);
    if (!(event.t >= t)) faults.push(`event ${index} (${event.type}) is at ${event.t}, after one at ${t}`);
    t = event.t;
    const parsed = SessionEvent.safeParse(event);
    if (!parsed.success) faults.push(`event ${index} (${event.type}): ${parsed.error.issues[0]?.message}`);
  });
  if (events[0]?.type !== 'session-started') faults.push('the first event does not start the session');
  if (events.at(-1)?.type !== 'session-ended') faults.push('the last event does not end the session');
  return faults;
}

/** How often each kind of event may happen to one call, and in which order. */
const STEPS = ['call-queued', 'call-started', 'call-completed', 'call-yielded'] as const;

function faultsOfCalls(events: readonly SessionEvent[]): string[] {
  const faults: string[] = [];
  const steps = new Map<string, string[]>();
  const openBatches = new Set<string>();
  for (const event of events) {
    if (STEPS.some((step) => step === event.type) && 'callId' in event) {
      steps.set(event.callId as string, [...(steps.get(event.callId as string) ?? []), event.type]);
    }
    if (event.type === 'batch-started') openBatches.add(event.batchId);
    if (event.type === 'batch-ended' && !openBatches.delete(event.batchId)) faults.push(`${event.batchId} ends twice`);
    if (event.type === 'call-started' && !openBatches.has(event.batchId)) {
      faults.push(`${event.callId} starts in ${event.batchId}, which is not open`);
    }
  }
  for (const [id, taken] of steps) {
    const expected = STEPS.filter((step) => taken.includes(step));
    if (taken.join() !== expected.join()) faults.push(`${id} goes ${taken.join(', ')}`);
    for (const step of ['call-queued', 'call-completed'] as const) {
      if (!taken.includes(step)) faults.push(`${id} has no ${step}`);
    }
  }
  for (const id of openBatches) faults.push(`${id} does not end`);
  const state = foldSession(events);
  const dangling = state.calls.filter((call) => call.phase === 'queued' || call.phase === 'executing');
  return [...faults, ...dangling.map((call) => `${call.callId} is still ${call.phase} at the end`)];
}

/** No two running calls of one agent share a lane. */
function faultsOfLanes(events: readonly SessionEvent[]): string[] {
  const faults: string[] = [];
  const agents = new Map<string, string>();
  const holders = new Map<string, string>();
  const lanes = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'call-queued') {
      agents.set(event.callId, event.agentId);
    } else if (event.type === 'call-started') {
      const lane = `${agents.get(event.callId)} lane ${event.lane}`;
      const holder = holders.get(lane);
      if (holder !== undefined) faults.push(`${lane} is held by ${holder} and taken by ${event.callId}`);
      holders.set(lane, event.callId);
      lanes.set(event.callId, lane);
    } else if (event.type === 'call-completed') {
      const lane = lanes.get(event.callId);
      if (lane !== undefined) holders.delete(lane);
    }
  }
  return faults;
}

/** An inferred moment lies between the two that bound it, and these are times. */
function faultsOfTimes(events: readonly SessionEvent[]): string[] {
  const faults: string[] = [];
  for (const event of events) {
    if (event.type !== 'call-started' && event.type !== 'call-completed') continue;
    const { timing, t } = event;
    if (timing.certainty === 'measured') continue;
    const { earliest, latest } = timing;
    if (!(earliest >= 0 && earliest <= t && t <= latest && Number.isFinite(latest))) {
      faults.push(`${event.type} of ${event.callId} at ${t} is not within ${earliest} and ${latest}`);
    }
  }
  return faults;
}
