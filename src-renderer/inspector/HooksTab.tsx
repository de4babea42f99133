import { Webhook } from 'lucide-react';
import type { HookRun, SessionState } from '../../src-shared/session/state.ts';
import { formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { Pill, type PillTone } from '../widgets/Pill.tsx';
import { Fact, Facts, Pre } from './Facts.tsx';
import styles from './Tab.module.css';

/** The hooks that ran for a call, in the order they started. */
export function HooksTab({ state, call }: { readonly state: SessionState; readonly call: ToolCall }) {
  const ids = new Set(call.hookRuns);
  const runs = state.hookRuns.filter((run) => ids.has(run.runId));
  if (runs.length === 0) return <EmptyState icon={Webhook} title="No hook ran for this call." />;
  return (
    <div className={styles.tab}>
      {runs.map((run) => (
        <Run key={run.runId} run={run} />
      ))}
    </div>
  );
}

type Outcome = NonNullable<HookRun['end']>['outcome'];
const TONES: Readonly<Record<Outcome, PillTone>> = {
  ok: 'hook',
  allow: 'hook',
  ask: 'hook',
  deny: 'error',
  error: 'error',
  'timed-out': 'error',
  cancelled: 'cancelled',
  stopped: 'error',
};
const WORDS: Readonly<Record<Outcome, string>> = {
  ok: 'no say',
  allow: 'allowed',
  ask: 'wants you asked',
  deny: 'denied',
  error: 'failed',
  'timed-out': 'took too long',
  cancelled: 'cancelled',
  stopped: 'ended the turn',
};

function Run({ run }: { readonly run: HookRun }) {
  const { end } = run;
  return (
    <section className={styles.card} aria-label={run.command}>
      <header className={styles.cardHead}>
        <strong>{run.hookEvent}</strong>
        {end === undefined ? (
          <Pill tone="hook">running</Pill>
        ) : (
          <Pill tone={TONES[end.outcome]}>{WORDS[end.outcome]}</Pill>
        )}
      </header>
      <Facts>
        <Fact name="Command">
          <code>{run.command}</code>
        </Fact>
        <Fact name="Matcher">
          {run.matcher === undefined || run.matcher === '' ? 'every tool' : <code>{run.matcher}</code>}
        </Fact>
        {run.source === undefined ? null : (
          <Fact name="Set in">
            <code>{run.source}</code>
          </Fact>
        )}
        {end === undefined ? null : (
          <>
            <Fact name="Exit code">{end.exitCode ?? 'none'}</Fact>
            <Fact name="Took">{formatMillis(end.at - run.from)}</Fact>
          </>
        )}
        {end?.notice === undefined ? null : <Fact name="Notice">{end.notice}</Fact>}
        {end === undefined || end.effects.length === 0 ? null : <Fact name="Effects">{end.effects.join(', ')}</Fact>}
      </Facts>
      {end === undefined ? null : (
        <>
          <Stream name="stdout" text={end.stdout} />
          <Stream name="stderr" text={end.stderr} />
        </>
      )}
    </section>
  );
}

function Stream({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <div className={styles.stream}>
      <p className={styles.streamName}>{name}</p>
      <Pre>{text}</Pre>
    </div>
  );
}
