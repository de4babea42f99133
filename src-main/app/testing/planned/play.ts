import type { CallId } from '../../../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../../../src-shared/ids.ts';
import { millis } from '../../../../src-shared/units.ts';
import type { HookInput } from '../../../core/hooks/hook-input.ts';
import type { Classifier } from '../../../ports/classifier.ts';
import { ManualClock } from '../../../ports/clock.fake.ts';
import { FakeHookRunner } from '../../../ports/hook-runner.fake.ts';
import { ExecutorBench, MESSAGE, quiet } from '../bench.ts';
import { type Answer, verdict } from '../hook-words.ts';
import type { CallPlan, MessagePlan } from './plans.ts';
import { LONG, PlannedTools } from './tools.ts';

/** When everything that was planned is over, whatever still goes on is ended: after this many ms at the latest. */
const PATIENCE_MS = 60_000;

export type Played = {
  readonly plan: MessagePlan;
  readonly bench: ExecutorBench;
  readonly tools: PlannedTools;
  readonly discarded: boolean;
};

export const idOf = (at: number): string => `c${at}`;

const commandOf = (call: CallPlan, at: number): string => `${call.readsOnly ? 'ls' : 'touch'} file${at}`;

/** Plays a message to its end: calls arrive, hooks and people answer, tools run, all when it was planned. */
export async function play(plan: MessagePlan): Promise<Played> {
  const clock = new ManualClock();
  const plans = new Map(plan.calls.map((call, at) => [idOf(at), call]));
  const tools = new PlannedTools(plans, clock);
  const bench = new ExecutorBench({
    clock,
    tools,
    settings: {
      strategy: plan.strategy,
      cap: plan.cap,
      cascade: plan.cascade,
      startUnsafe: plan.startUnsafe,
      saveThreshold: LONG / 2,
    },
    mode: plan.mode,
    hooks: new FakeHookRunner(hooksFor(plans, clock)),
    classifier: classifierFor(plans, clock),
  });
  answerQuestions(bench, plans, clock);
  await follow(bench, plan);
  let shutDown = false;
  for (let end = clock.monotonic() + PATIENCE_MS; bench.finished === undefined; ) {
    const next = clock.nextDue;
    if (next === undefined || next > end) {
      // What hangs, or a question that nobody answers.
      if (shutDown) break;
      bench.executor.interrupt('shutdown');
      shutDown = true;
      await quiet();
      continue;
    }
    await bench.advance(next - clock.monotonic());
  }
  // What was given up still talks for a while.
  for (let next = clock.nextDue; next !== undefined; next = clock.nextDue) {
    await bench.advance(next - clock.monotonic());
  }
  return { plan, bench, tools, discarded: plan.inputs.some((input) => input.do === 'discard') };
}

type Happening = { readonly at: number; readonly run: () => void };

/** Blocks, inputs and the message's end in the order of their times; inputs and ends come behind what is there already. */
async function follow(bench: ExecutorBench, plan: MessagePlan): Promise<void> {
  let at = 0;
  const blocks = plan.calls.map((call, index): Happening => {
    at += call.gap;
    return { at, run: () => arrive(bench, call, index) };
  });
  const ends: Happening = { at: Math.max(at, plan.end.at), run: () => bench.executor.messageEnded(plan.end.how) };
  const inputs = plan.inputs.map(({ at: when, do: what }): Happening => {
    const run = () => (what === 'discard' ? bench.executor.discard() : bench.executor.interrupt(what));
    return { at: when, run };
  });
  const all = [...blocks, ends, ...inputs].sort((a, b) => a.at - b.at);
  for (const happening of all) {
    while (bench.clock.nextDue !== undefined && bench.clock.nextDue <= happening.at) {
      await bench.advance(bench.clock.nextDue - bench.clock.monotonic());
    }
    await bench.advance(happening.at - bench.clock.monotonic());
    happening.run();
    await quiet();
  }
}

function arrive(bench: ExecutorBench, call: CallPlan, at: number): void {
  const callId = idOf(at) as CallId;
  const block = { kind: 'tool-use', callId, tool: call.tool } as const;
  bench.log.append({ type: 'block-arrived', messageId: MESSAGE, agentId: MAIN_AGENT, index: at, block });
  const input = call.invalid ? { call: 7 } : { call: callId, command: commandOf(call, at) };
  bench.executor.add({
    callId,
    messageId: MESSAGE,
    tool: call.tool,
    input,
    ...(call.broken ? { problem: 'The input was cut off.' } : {}),
  });
}

const afterMs = <T>(clock: ManualClock, ms: number, value: () => T | Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    clock.schedule(millis(ms), () => {
      Promise.resolve().then(value).then(resolve, reject);
    });
  });

const hooksFor =
  (plans: ReadonlyMap<string, CallPlan>, clock: ManualClock) =>
  (input: HookInput): Answer => {
    if (input.event !== 'PreToolUse') return undefined;
    const hook = plans.get(input.callId)?.hook;
    return hook === undefined ? undefined : afterMs(clock, hook.after, () => wordsOf(hook.says, input.callId));
  };

function wordsOf(says: NonNullable<CallPlan['hook']>['says'], call: string): Exclude<Answer, Promise<unknown>> {
  switch (says) {
    case 'nothing':
      return {};
    case 'changes':
      return { updatedInput: { call, command: 'ls changed' } };
    case 'stops-turn':
      return { preventContinuation: { reason: 'enough' } };
    case 'deny':
      return { ...verdict('deny'), denial: `a hook denied ${call}` };
    default:
      return verdict(says);
  }
}

const classifierFor = (plans: ReadonlyMap<string, CallPlan>, clock: ManualClock): Classifier => ({
  name: 'planned',
  classify: ({ use }) => {
    const plan = plans.get(String((use.input as { readonly call?: unknown }).call))?.classifier;
    if (plan === undefined || plan.says === 'nothing') return new Promise(() => undefined);
    const { says, after } = plan;
    return afterMs(clock, after, () => {
      if (says === 'fails') throw new Error('the classifier is broken');
      return { verdict: says, reason: 'as planned' } as const;
    });
  },
});

/** A person answers each question after a while. */
function answerQuestions(bench: ExecutorBench, plans: ReadonlyMap<string, CallPlan>, clock: ManualClock): void {
  bench.log.onEvents((events) => {
    for (const event of events) {
      if (event.type !== 'permission-asked') continue;
      const { callId, askId } = event;
      const { answer, answerAfter } = plans.get(callId) as CallPlan;
      if (answer === 'never') continue;
      clock.schedule(millis(answerAfter), () => {
        const given =
          answer === 'deny-with-feedback' ? ({ kind: answer, feedback: 'not this' } as const) : { kind: answer };
        bench.board.answer(callId, askId, given);
      });
    }
  });
}
