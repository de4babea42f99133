import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAIN_AGENT, type RequestId, type TurnId } from '../../src-shared/ids.ts';
import type { ModelRequest, SessionState, Turn } from '../../src-shared/session/state.ts';
import { MEASURED } from '../../src-shared/tool-call/timing.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { play } from '../../src-shared/what-if/play.ts';
import { recordTurn } from '../../src-shared/what-if/recorded.ts';
import { MESSAGE } from './testing/bench.ts';
import { type MessagePlan, messagePlan, undisturbedPlan } from './testing/planned/plans.ts';
import { type Played, play as run } from './testing/planned/play.ts';

const RUNS = 400;
// A seed that once failed stays in the list.
const seeds = [2_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

/** What a whole session's journal has besides what the bench of one message tells: its end, and what a person did. */
function whole({ bench, plan }: Played): { readonly state: SessionState; readonly turn: Turn } {
  const { state } = bench.log;
  const lastBlock = plan.calls.reduce((at, call) => at + call.gap, 0);
  const endsAt = sessionTime(Math.max(lastBlock, plan.end.at));
  // The bench has tools of its own: this is its writer.
  for (const [at, call] of state.calls.entries())
    if (call.tool === 'Change') state.calls[at] = { ...call, tool: 'Write' };
  const stopReason = plan.end.how === 'refused' ? 'refusal' : plan.end.how === 'cut-off' ? 'max-tokens' : 'tool-use';
  const request: ModelRequest = {
    requestId: 'request-1' as RequestId,
    agentId: MAIN_AGENT,
    turnId: 'turn-1' as TurnId,
    attempt: 1,
    purpose: undefined,
    from: sessionTime(0),
    timing: MEASURED,
    messageId: MESSAGE,
    model: undefined,
    firstBlockAt: undefined,
    blockTimes: [],
    end: { at: endsAt, kind: 'completed', stopReason, usage: {} },
  };
  state.requests.push(request);
  for (const { at, do: what } of plan.inputs) {
    if (what === 'escape' || what === 'interrupt') state.interrupts.push({ at: sessionTime(at), reason: what });
  }
  const { turnId, agentId } = request;
  const end = { at: state.now, reason: 'completed' as const, message: undefined };
  return { state, turn: { turnId, agentId, from: request.from, end } };
}

/** So much later is each call's end, its hook's answer, and each input: nothing happens at the same moment as another. */
const END = [1.001, 2.003, 3.007, 4.013, 5.027, 6.053, 7.107, 8.211, 9.417];
const HOOK = 0.0625;
const INPUT = 0.53;

/** The same message, but that nothing ends or is stopped at the very moment of something else. */
const apart = (plan: MessagePlan): MessagePlan => ({
  ...plan,
  calls: plan.calls.map((call, at) => ({
    ...call,
    runs: call.runs + (END[at] as number),
    stopsAfter: call.stopsAfter + (END[at] as number) / 7,
    answerAfter: call.answerAfter + (END[at] as number) / 3,
    hook: call.hook && { ...call.hook, after: call.hook.after + HOOK * (at + 1) },
  })),
  inputs: plan.inputs.map((input) => ({ ...input, at: input.at + INPUT })),
});

/** One thing from outside at most: the journal keeps only the strongest reason a call was stopped for. */
const disturbedOnce: fc.Arbitrary<MessagePlan> = messagePlan.map((plan) => {
  const inputs = plan.inputs.slice(0, 1);
  type Call = MessagePlan['calls'][number];
  // What hangs, or is never answered, the bench ends by itself: one more thing from outside.
  const oneOf = ({ answer, end }: Call) => ({
    end: end === 'hangs' ? ('ok' as const) : end,
    answer: answer === 'never' || (answer === 'deny' && inputs.length > 0) ? ('deny-with-feedback' as const) : answer,
  });
  // A stream that breaks has not brought the message to its end.
  const end = inputs[0]?.do === 'discard' ? { ...plan.end, at: inputs[0].at + 1_000 } : plan.end;
  // A victim of a cascade that is then discarded is remembered as discarded from when it fell.
  const cascade = inputs[0]?.do === 'discard' ? ('none' as const) : plan.cascade;
  return { ...plan, inputs, end, cascade, calls: plan.calls.map((call) => ({ ...call, ...oneOf(call) })) };
});

/** The journal's own precision. */
const micro = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 1000) / 1000;

/** Each call as it was recorded, and as the model has it under the recorded rules. */
async function bothOf(plan: MessagePlan) {
  const { state, turn } = whole(await run(apart(plan)));
  const played = play(recordTurn(state, turn), {});
  const recorded = state.calls.map((call) => {
    const from = call.phase === 'queued' ? undefined : call.run;
    const end = 'end' in call ? call.end : undefined;
    return {
      id: call.callId as string,
      start: from === undefined ? undefined : { at: from.at as number, lane: from.lane },
      endedAt: end?.at as number | undefined,
      cancelled: call.cancellation?.reason,
      culprit: call.cancellation?.culprit as string | undefined,
    };
  });
  const again = played.calls.map(({ recorded: { call }, start, endedAt, cancelled }) => ({
    id: call.callId as string,
    start: start === undefined ? undefined : { at: micro(start.at), lane: start.lane },
    endedAt: micro(endedAt),
    cancelled: cancelled?.reason,
    culprit: cancelled?.culprit as string | undefined,
  }));
  return { recorded, again };
}

describe.each(seeds)(`played again under its own rules, ${RUNS} random messages (seed %d)`, (seed) => {
  test('every start, lane, end and cancellation comes out as recorded', async () => {
    await fc.assert(
      fc.asyncProperty(undisturbedPlan, async (plan) => {
        const { recorded, again } = await bothOf(plan);
        expect(again).toEqual(recorded);
      }),
      { seed, numRuns: RUNS },
    );
  }, 60_000);

  test('what a person did stays where it was, and so does all that comes of it', async () => {
    await fc.assert(
      fc.asyncProperty(disturbedOnce, async (plan) => {
        const { recorded, again } = await bothOf(plan);
        const fate = ({ id, start, cancelled }: (typeof again)[number]) => ({ id, start, cancelled });
        expect(again.map(fate)).toEqual(recorded.map(fate));
      }),
      { seed, numRuns: RUNS },
    );
  }, 60_000);
});
