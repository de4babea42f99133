import type { BatchId, CallId, MessageId } from '../../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../../src-shared/ids.ts';
import { emptySession, type SessionState } from '../../../src-shared/session/state.ts';
import { textResult } from '../../../src-shared/tool-call/content.ts';
import type { Outcome, Safety } from '../../../src-shared/tool-call/event.ts';
import { queued as queuedCall, type ToolCall, type Wait } from '../../../src-shared/tool-call/state.ts';
import { MEASURED } from '../../../src-shared/tool-call/timing.ts';
import { instant, sessionTime } from '../../../src-shared/units.ts';

/** A small generator with a seed, so that the same session comes out every time. */
function randomOf(seed: number): () => number {
  let x = seed >>> 0;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return x / 2 ** 32;
  };
}

const TOOLS = ['Read', 'Grep', 'Bash', 'Edit', 'Glob'] as const;
const LANES = 10;
const RESULT = textResult('');
const SAFE: Safety = { safe: true, because: 'declared-safe' };

/** How a made-up call ends: most well, one in fifty not. */
const outcomeOf = (chance: number): Outcome =>
  chance < 0.98
    ? 'ok'
    : chance < 0.99
      ? 'error'
      : chance < 0.995
        ? 'cancelled'
        : chance < 0.998
          ? 'interrupted'
          : 'unknown';

/**
 * A session of so many calls on ten lanes, batch after batch. Its state is made directly: folding five million events
 * would measure something else.
 */
export function bigSession(count: number, seed = 7): SessionState {
  const random = randomOf(seed);
  const state = emptySession();
  state.title = `${count} made-up calls`;
  state.startedAt = instant(Date.UTC(2025, 10, 18, 9));
  state.origin = { kind: 'live', provider: 'scripted' };
  const free = new Array<number>(LANES).fill(0);
  for (let i = 0; i < count; i++) {
    const lane = i % LANES;
    const queued = (free[lane] as number) + random() * 40;
    const start = queued + (random() < 0.2 ? random() * 60 : 0);
    const end = start + 20 + random() * random() * 900;
    free[lane] = end;
    state.callIndex[`call-${i}`] = i;
    state.calls.push(madeUpCall(i, lane, { queued, start, end }, random));
    if (lane === LANES - 1) {
      addBatch(state, i, free);
      // The next batch gets the lock when this one is done.
      free.fill(Math.max(...free) + 5);
    }
  }
  state.now = sessionTime(Math.max(...free));
  state.ended = 'end-of-file';
  return state;
}

function madeUpCall(
  i: number,
  lane: number,
  { queued, start, end }: { queued: number; start: number; end: number },
  random: () => number,
): ToolCall {
  const wait: Wait = { why: 'no-lane', by: [], from: sessionTime(queued), until: sessionTime(start) };
  const base = queuedCall({
    type: 'call-queued',
    seq: i,
    at: instant(queued),
    t: sessionTime(queued),
    callId: `call-${i}` as CallId,
    agentId: MAIN_AGENT,
    messageId: `message-${Math.floor(i / LANES)}` as MessageId,
    index: lane,
    tool: TOOLS[Math.floor(random() * TOOLS.length)] ?? 'Read',
    input: undefined,
    summary: `src/file-${i % 977}.ts`,
    safety: SAFE,
  });
  return {
    ...base,
    phase: 'yielded',
    waits: start > queued ? [wait] : [],
    run: { lane, batchId: `batch-${Math.floor(i / LANES)}` as BatchId, at: sessionTime(start), timing: MEASURED },
    end: { at: sessionTime(end), outcome: outcomeOf(random()), exit: undefined, result: RESULT, timing: MEASURED },
    yieldedAt: sessionTime(end),
  };
}

/** One batch per row of ten, so that there are frames to draw. */
function addBatch(state: SessionState, i: number, free: readonly number[]): void {
  const first = i - LANES + 1;
  state.batches.push({
    batchId: `batch-${first / LANES}` as BatchId,
    agentId: MAIN_AGENT,
    messageId: `message-${first / LANES}` as MessageId,
    kind: 'safe',
    from: state.calls[first]?.queuedAt,
    until: sessionTime(Math.max(...free)),
    callIds: [],
  });
}
