import fc from 'fast-check';
import { expect } from 'vitest';
import { parseLine, toLine } from '../../../../src-shared/session/stored-line.ts';
import { audit } from './audit.ts';
import { type MessagePlan, messagePlan, undisturbedPlan } from './plans.ts';
import { type Played, play } from './play.ts';

const STRATEGIES = ['streaming', 'batch', 'serial'] as const;

const byStrategy = (plan: MessagePlan, cascade: MessagePlan['cascade']): Promise<readonly Played[]> =>
  Promise.all(STRATEGIES.map((strategy) => play({ ...plan, strategy, cascade })));

const outcomes = ({ plan, bench }: Played) =>
  plan.calls.map((_, at) => [bench.outcome(`c${at}`), bench.result(`c${at}`)]);
const context = ({ bench }: Played) => [...bench.context.current.discovered];

/** What has to hold of every message, each as a property over random ones. */
export const plannedProperties = [
  {
    title: 'every call ends once, is answered once and in order, and starts only where the lock lets it',
    property: fc.asyncProperty(messagePlan, async (plan) => audit(await play(plan))),
    share: 1,
  },
  {
    title: 'every event comes back from the journal as it was',
    property: fc.asyncProperty(messagePlan, async (plan) => {
      const { bench } = await play(plan);
      for (const event of bench.log.events) expect(parseLine(toLine(event))).toEqual({ ok: true, value: event });
    }),
    share: 0.1,
  },
  {
    title: 'where nobody is cancelled, all strategies give the same results and leave the same context',
    property: fc.asyncProperty(undisturbedPlan, async (plan) => {
      const [first, ...others] = await byStrategy(plan, 'none');
      for (const other of others) {
        expect(outcomes(other)).toEqual(outcomes(first as Played));
        expect(context(other)).toEqual(context(first as Played));
      }
    }),
    share: 0.3,
  },
  {
    title: 'calls that neither fail nor are cancelled have the same results under all strategies',
    property: fc.asyncProperty(undisturbedPlan, async (plan) => {
      const all = (await byStrategy(plan, plan.cascade)).map(outcomes);
      for (const at of plan.calls.keys()) {
        const ends = all.map((one) => one[at]);
        if (ends.every((end) => end?.[0] === 'ok')) expect(new Set(ends.map((end) => end?.[1])).size).toBe(1);
      }
    }),
    share: 0.2,
  },
] as const;
