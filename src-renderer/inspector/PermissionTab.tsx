import type { SessionEvent } from '../../src-shared/session/event.ts';
import { formatMillis, formatMoment } from '../../src-shared/timeline/words.ts';
import type { Classified, ToolCall } from '../../src-shared/tool-call/state.ts';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { Fact, Facts, Part } from './Facts.tsx';
import { decidedBy } from './facts.ts';
import styles from './Tab.module.css';
import { Trace } from './Trace.tsx';

export type PermissionTabProps = {
  readonly call: ToolCall;
  /** The events of this call. */
  readonly events: readonly SessionEvent[];
};

/** Why a call was allowed, denied or asked about: the whole chain, for calls that nobody was asked about too. */
export function PermissionTab({ call, events }: PermissionTabProps) {
  const settled = call.permission;
  const ask = call.asks.at(-1);
  if (settled === undefined && ask === undefined && call.classified.length === 0) {
    return <EmptyState title="No permission decision is recorded for this call." />;
  }
  const rule = events.findLast((event) => event.type === 'permission-settled')?.rule;
  const trace = settled !== undefined && settled.trace.length > 0 ? settled.trace : (ask?.trace ?? []);
  return (
    <div className={styles.tab}>
      <Part title="Decision">
        <Facts>
          <Fact name="Verdict">{settled === undefined ? 'waits for you' : verdictWords(call)}</Fact>
          {ask === undefined ? null : (
            <Fact name="Asked">
              at {formatMoment(ask.from)}
              {ask.until === undefined ? '' : `, answered after ${formatMillis(ask.until - ask.from)}`}
            </Fact>
          )}
          {ask === undefined ? null : <Fact name="Question">{ask.question.title}</Fact>}
          {ask?.question.reason ? <Fact name="Reason">{ask.question.reason}</Fact> : null}
          {rule === undefined ? null : (
            <Fact name="Rule">
              <code>{rule.text}</code>, saved for {SCOPES[rule.scope]}
            </Fact>
          )}
          {call.classified.map((look, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: looks are told in their order and never change it
            <Fact key={at} name="Classifier">
              {classifiedWords(look)}
            </Fact>
          ))}
          {settled?.feedback === undefined ? null : <Fact name="You said">{settled.feedback}</Fact>}
        </Facts>
      </Part>
      {trace.length === 0 ? null : (
        <Part title="What was looked at, in this order">
          <Trace steps={trace} />
        </Part>
      )}
    </div>
  );
}

const CLASSIFIED = { allow: 'allows it', ask: 'does not allow it', stopped: 'was stopped' } as const;

/** `rules does not allow it, 12 ms: npm runs a script`. */
function classifiedWords({ name, end }: Classified): string {
  if (end === undefined) return `${name} looks at it`;
  return `${name} ${CLASSIFIED[end.verdict]}, ${formatMillis(end.ms)}: ${end.reason}`;
}

const SCOPES = {
  session: 'this session',
  local: 'you in this project',
  project: 'this project',
  user: 'all your projects',
} as const;

function verdictWords(call: ToolCall): string {
  const { permission } = call;
  if (permission === undefined) return '';
  const verdict = permission.verdict === 'allow' ? 'allowed' : 'denied';
  if (permission.by === 'user') return `${verdict} by you`;
  const by = decidedBy(call);
  return by === undefined ? verdict : `${verdict} ${by}`;
}
