import fc from 'fast-check';
import { expect } from 'vitest';
import type { CallId } from '../ids.ts';
import { checkSteps } from './invariants.ts';
import { naively } from './naive.ts';
import {
  numberedBatches,
  type SimulatedCall,
  type SimulatedInput,
  type SimulatedMessage,
  type Simulation,
  simulate,
} from './simulate.ts';
import type { SchedulerOptions } from './types.ts';

/** After this tick nothing is held and nothing hangs any more. */
const LAST_RELEASE = 80;
const LAST_ESCAPE = 300;

const aKind = (safe: boolean) =>
  safe ? fc.constantFrom('bash-read-only', 'other') : fc.constantFrom('bash-mutating', 'write', 'other');

const aCall = fc.record({ safe: fc.boolean(), gap: fc.constantFrom(0, 0, 0, 1, 3) }).chain(({ safe, gap }) =>
  fc.record({
    safe: fc.constant(safe),
    gap: fc.constant(gap),
    kind: aKind(safe),
    onInterrupt: fc.constantFrom('cancel', 'block'),
    runs: fc.oneof(
      { weight: 15, arbitrary: fc.nat(6) },
      { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    ),
    stopsAfter: fc.nat(3),
    fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    modifies: fc.boolean(),
  }),
);

const manyCalls = fc.array(aCall, { maxLength: 24 }).map((drafts) => {
  let arrives = 0;
  return drafts.map(({ gap, ...draft }, index): SimulatedCall => {
    arrives += gap;
    return { ...draft, callId: `c${index}` as CallId, arrives };
  });
});

const anInput: fc.Arbitrary<SimulatedInput> = fc.record({
  at: fc.nat(40),
  do: fc.constantFrom('interrupt', 'escape', 'shutdown', 'discard', 'hold', 'release', 'step'),
});

const aMessage: fc.Arbitrary<SimulatedMessage> = fc.record({
  calls: manyCalls,
  inputs: fc
    .array(anInput, { maxLength: 4 })
    .map((inputs) => [
      ...inputs,
      { at: LAST_RELEASE, do: 'release' as const },
      { at: LAST_ESCAPE, do: 'escape' as const },
    ]),
  ends: fc.record({ at: fc.nat(40), how: fc.constantFrom('well', 'well', 'well', 'refused', 'cut-off') }),
});

const someOptions = fc.record({
  strategy: fc.constantFrom('streaming', 'streaming', 'batch', 'serial'),
  cap: fc.constantFrom(1, 2, 3, 10),
  cascade: fc.constantFrom('any-error', 'except-writes', 'bash', 'bash-mutating', 'none'),
  startUnsafe: fc.constantFrom('at-once', 'at-once', 'after-message'),
});

type Choice = Omit<SchedulerOptions, 'newBatchId'>;
const run = (message: SimulatedMessage, choice: Choice): Simulation =>
  simulate(message, { ...choice, newBatchId: numberedBatches() });

const appliedIn = (simulation: Simulation): readonly CallId[] =>
  simulation.steps.flatMap(({ decisions }) =>
    decisions.flatMap((decision) => (decision.type === 'apply-modifiers' ? decision.callIds : [])),
  );

const outcomeOf = ({ runs }: Simulation) =>
  runs.map(({ call, start, yieldedAt, cancelled }) => ({
    callId: call.callId,
    ran: start !== undefined,
    answered: yieldedAt !== undefined,
    cancelled: cancelled?.reason,
  }));

/** A message in which every call simply runs to its end. */
const withoutTrouble = ({ calls }: SimulatedMessage): SimulatedMessage => ({
  calls: calls.map((call) => ({ ...call, fails: false, runs: Number.isFinite(call.runs) ? call.runs : 1 })),
});

/** What must hold of any message at all. Each is tried on random messages, with a seed in the title. */
export const properties: readonly { readonly title: string; readonly property: fc.IProperty<unknown> }[] = [
  {
    title: 'every step keeps the rules',
    property: fc.property(aMessage, someOptions, (message, choice) => {
      checkSteps(run(message, choice), choice);
    }) as fc.IProperty<unknown>,
  },
  {
    title: 'the naive reading of the spec gives the same run',
    property: fc.property(aMessage, someOptions, (message, choice) => {
      const ours = run(message, choice).runs.map(({ start, endedAt, yieldedAt, cancelled }) => ({
        startedAt: start?.at,
        endedAt,
        yieldedAt,
        reason: cancelled?.reason,
      }));
      expect(ours).toEqual(naively(message, { ...choice, newBatchId: numberedBatches() }));
    }) as fc.IProperty<unknown>,
  },
  {
    title: 'the strategies give the same results for calls that neither fail nor are cancelled',
    property: fc.property(aMessage, someOptions, (message, choice) => {
      const calm = withoutTrouble(message);
      const expected = outcomeOf(run(calm, { ...choice, strategy: 'serial' }));
      expect(expected.every(({ ran, answered, cancelled }) => ran && answered && cancelled === undefined)).toBe(true);
      for (const strategy of ['streaming', 'batch'] as const) {
        expect(outcomeOf(run(calm, { ...choice, strategy }))).toEqual(expected);
      }
    }) as fc.IProperty<unknown>,
  },
  {
    title: 'under batch and serial the order of modifiers depends on the calls alone, not on who is done first',
    property: fc.property(aMessage, someOptions, fc.infiniteStream(fc.nat(9)), (message, choice, lengths) => {
      const calm = withoutTrouble(message);
      const otherwise = { calls: calm.calls.map((call) => ({ ...call, runs: lengths.next().value ?? 0 })) };
      for (const strategy of ['batch', 'serial'] as const) {
        const expected = calm.calls.filter(({ modifies }) => modifies).map(({ callId }) => callId);
        expect(appliedIn(run(calm, { ...choice, strategy }))).toEqual(expected);
        expect(appliedIn(run(otherwise, { ...choice, strategy }))).toEqual(expected);
      }
    }) as fc.IProperty<unknown>,
  },
];
