import { Ban, Check, CircleDashed, Hand, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { TraceStep } from '../../src-shared/permission/event.ts';
import { classes } from '../widgets/classes.ts';
import styles from './Trace.module.css';

type Look = 'pass' | 'partial' | 'allow' | 'deny' | 'ask' | 'person';

const ICONS: Readonly<Record<Look, LucideIcon>> = {
  pass: Check,
  partial: CircleDashed,
  allow: Check,
  deny: Ban,
  ask: TriangleAlert,
  person: Hand,
};

/** What a screen reader hears before the sentence: the sign in words. */
const SPOKEN: Readonly<Record<Look, string>> = {
  pass: '',
  partial: 'does not decide: ',
  allow: 'allowed: ',
  deny: 'denied: ',
  ask: 'asks: ',
  person: '',
};

/** Rules that would allow and a classifier that has no say do not decide; the other steps are passed. */
function lookOf({ step, verdict }: TraceStep): Look {
  if (step === 'user' || (step === 'fallback' && verdict === 'ask')) return verdict === 'deny' ? 'deny' : 'person';
  if (verdict !== 'pass') return verdict;
  return step === 'allow-rules' || step === 'classifier' ? 'partial' : 'pass';
}

/** The steps of the permission chain that were looked at, in order, each with what it said (spec 2.5). */
export function Trace({ steps }: { readonly steps: readonly TraceStep[] }) {
  return (
    <ol className={styles.trace}>
      {steps.map((step, at) => {
        const look = lookOf(step);
        const Icon = ICONS[look];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a trace never changes once it is recorded
          <li key={at} className={classes(styles.step, styles[look])}>
            <Icon aria-hidden="true" size={15} strokeWidth={1.75} />
            <div>
              <p className={styles.text}>
                <span className="visually-hidden">{SPOKEN[look]}</span>
                {step.text}
              </p>
              {step.detail === undefined ? null : <p className={styles.detail}>{step.detail}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
