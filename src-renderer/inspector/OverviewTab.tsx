import { CircleSlash, Eye, FlaskConical, Zap } from 'lucide-react';
import { useStore } from 'zustand';
import type { SessionId } from '../../src-shared/ids.ts';
import { isOver } from '../../src-shared/session/is-over.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import { formatBytes, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import { keptIn, type ToolResult } from '../../src-shared/tool-call/content.ts';
import type { Cancellation, ToolCall } from '../../src-shared/tool-call/state.ts';
import { ShellPart } from '../background/ShellPart.tsx';
import { hasTimes } from '../conversation/selectors.ts';
import { CallLink } from '../critical-path/CallLink.tsx';
import { PathPart } from '../critical-path/PathPart.tsx';
import { WaitCard } from '../critical-path/WaitCard.tsx';
import { agentOf } from '../permissions/asks.ts';
import { AbortTreePart } from '../replay/state/AbortTree.tsx';
import { AheadPart, WhyBox } from '../replay/state/WhyBox.tsx';
import { appStore } from '../state/app-store.ts';
import { counted } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { viewStore } from '../state/view-store.ts';
import { askWithoutCascades } from '../what-if/what-if-store.ts';
import { Button } from '../widgets/Button.tsx';
import { AgentPart } from './AgentPart.tsx';
import { Fact, Facts, Part } from './Facts.tsx';
import {
  besideWords,
  cascadeStartedBy,
  endWords,
  ranBeside,
  safetyWords,
  startWords,
  whereTheTimeWent,
} from './facts.ts';
import styles from './OverviewTab.module.css';
import { AnsiPainter } from './output/ansi.ts';
import { Pieces } from './output/LineView.tsx';
import { useEndOfResult } from './output/whole-result.ts';
import { Swatch } from './Swatch.tsx';
import { ResultTokens } from './TokensPart.tsx';

export type OverviewTabProps = {
  readonly sessionId: SessionId;
  readonly state: SessionState;
  readonly call: ToolCall;
};
type CardProps = Omit<OverviewTabProps, 'sessionId'>;

/** What happened to a call, in one look. */
export function OverviewTab({ sessionId, state, call }: OverviewTabProps) {
  // Without times in the file, positions are order: lengths and waits would be made up.
  const timed = hasTimes(state);
  // While it can be stopped, what would stop it matters; afterwards, where its time went.
  const isEnded = call.phase === 'completed' || call.phase === 'yielded';
  return (
    <div className={styles.tab}>
      <CascadeCard state={state} call={call} />
      <CancelledCard state={state} call={call} />
      <WhyBox state={state} call={call} />
      {timed && (call.phase !== 'queued' || state.ended !== undefined) ? <WaitCard state={state} call={call} /> : null}
      <AheadPart call={call} />
      {isEnded ? null : <AbortTreePart state={state} call={call} />}
      <AgentPart state={state} call={call} />
      <ShellPart sessionId={sessionId} state={state} call={call} />
      {timed ? <WhereTheTimeWent state={state} call={call} /> : null}
      {isEnded ? <AbortTreePart state={state} call={call} /> : null}
      {timed ? <PathPart state={state} call={call} /> : null}
      <Part title="Timing">
        <Facts>
          {timed ? (
            <>
              <Fact name="Started">{startWords(call)}</Fact>
              <Fact name="Ended">{endWords(call)}</Fact>
            </>
          ) : (
            <Fact name="Times">none in the file</Fact>
          )}
          {state.agents.length === 0 ? null : <Fact name="Agent">{agentOf(state, call)}</Fact>}
          <Fact name="Lane">{laneWords(state, call)}</Fact>
          <Fact name="Ran beside">{besideWords(ranBeside(state, call))}</Fact>
        </Facts>
      </Part>
      <Part title="Safe to run beside others">
        <Facts>
          <Fact name="Verdict">{call.safety.safe ? '✓ safe' : 'exclusive'}</Fact>
          <Fact name="Because">{safetyWords(call.safety)}</Fact>
          {call.safety.detail === undefined ? null : <Fact name="Detail">{call.safety.detail}</Fact>}
        </Facts>
      </Part>
      <ResultTokens state={state} call={call} />
      <Changes call={call} />
      <EndOfOutput sessionId={sessionId} call={call} />
    </div>
  );
}

const laneWords = (state: SessionState, call: ToolCall): string =>
  call.phase === 'queued' || call.run === undefined
    ? 'none'
    : `${formatCount(call.run.lane + 1)} of ${formatCount(state.settings.cap)}`;

function CascadeCard({ state, call }: CardProps) {
  const cascade = cascadeStartedBy(state, call.callId);
  // An exported page has the inspector, but nothing that would play a turn again.
  const hasApp = useStore(appStore, ({ info }) => info !== undefined);
  if (cascade === undefined) return null;
  const { victims, lostMs } = cascade;
  return (
    <section className={styles.cascade} aria-label="Started a cascade">
      <h3>
        <Zap aria-hidden="true" size={15} /> Started a cascade
      </h3>
      <p>
        Its failure cancelled <strong>{counted(victims.length, 'call')}</strong>.{' '}
        {lostMs > 0 ? (
          <>
            <strong>{formatMillis(lostMs)}</strong> of running work were thrown away.
          </>
        ) : (
          'None of them had started, so no work was lost.'
        )}
      </p>
      <div className={styles.buttons}>
        <Button icon={Eye} onClick={() => viewStore.setState({ focusedCascade: call.callId })}>
          Show only these
        </Button>
        {hasApp ? (
          <Button icon={FlaskConical} title="The same turn without cascades" onClick={askWithoutCascades}>
            What if: none
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Who told the call to stop, as the start of a sentence. A culprit among the calls is named and can be gone to. */
const CANCELLED_BY: Readonly<Record<Exclude<Cancellation['reason'], 'sibling_error'>, string>> = {
  escape: 'You stopped the turn.',
  interrupt: 'You sent a message that could not wait.',
  discarded: 'Its message was discarded, because the stream of the model broke.',
  shutdown: 'The app was closed.',
  refused: 'The model refused to go on with its message.',
  'cut-off': 'The message of the model was cut off.',
};

function CancelledCard({ state, call }: CardProps) {
  const { cancellation } = call;
  if (cancellation === undefined) return null;
  const culprit = cancellation.culprit === undefined ? undefined : callById(state, cancellation.culprit);
  return (
    <section className={styles.cancelled} aria-label="Cancelled">
      <h3>
        <CircleSlash aria-hidden="true" size={15} />
        {cancellation.hadStarted ? 'Cancelled while running' : 'Cancelled before it started'}
      </h3>
      {cancellation.reason === 'sibling_error' ? (
        <p>
          Cancelled by <CallLink call={culprit} />, which failed.
        </p>
      ) : (
        <p>{CANCELLED_BY[cancellation.reason]}</p>
      )}
    </section>
  );
}

function WhereTheTimeWent({ state, call }: CardProps) {
  const over = isOver(state);
  const isGrowing = !over && (call.phase === 'queued' || call.phase === 'executing' || call.phase === 'completed');
  const now = useLiveNow(isGrowing);
  const { from, until, lines } = whereTheTimeWent(call, now, over);
  const total = Math.max(1, until - from);
  const failed = (call.phase === 'completed' || call.phase === 'yielded') && call.end.outcome === 'error';
  return (
    <Part title="Where the time went">
      <table className={styles.times}>
        <tbody>
          {lines.map(({ kind, label, ms, spans, note }) => {
            const look = kind === 'running' && failed ? 'failed' : kind;
            return (
              <tr key={kind}>
                <th scope="row">
                  <Swatch kind={look} /> {label}
                </th>
                <td className={styles.bars}>
                  {spans.map((span) => (
                    <Swatch
                      key={span.from}
                      kind={look}
                      className={styles.bar ?? ''}
                      style={{
                        left: `${(100 * (span.from - from)) / total}%`,
                        width: `${(100 * (span.until - span.from)) / total}%`,
                      }}
                    />
                  ))}
                </td>
                <td className={styles.ms}>{note ?? formatMillis(ms)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Part>
  );
}

function Changes({ call }: { readonly call: ToolCall }) {
  if (call.staleFiles.length === 0 && call.contextChanges.length === 0) return null;
  return (
    <Part title="What it changed for others">
      <Facts>
        {call.staleFiles.length === 0 ? null : <Fact name="Made stale">{call.staleFiles.join('\n')}</Fact>}
        {call.contextChanges.length === 0 ? null : <Fact name="Context">{call.contextChanges.join('\n')}</Fact>}
      </Facts>
    </Part>
  );
}

const TAIL_LINES = 12;
/** The end of a text is looked for in its last characters only: results may be long. */
const TAIL_CHARACTERS = 20_000;

function EndOfOutput({ sessionId, call }: { readonly sessionId: SessionId; readonly call: ToolCall }) {
  const result = call.phase === 'completed' || call.phase === 'yielded' ? call.end.result : undefined;
  const end = useEndOfResult(sessionId, result, TAIL_CHARACTERS);
  const text = result === undefined ? (call.progress?.tail ?? '') : end;
  if (text === undefined || text === '') return null;
  const painter = new AnsiPainter();
  const lines = text.slice(-TAIL_CHARACTERS).replace(/\n$/, '').split('\n').slice(-TAIL_LINES);
  return (
    <Part title="End of the output" note={sizeWords(call, text, result)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <pre className={styles.tail} tabIndex={0}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <div key={at}>
            <Pieces pieces={painter.line(line)} />
          </div>
        ))}
      </pre>
    </Part>
  );
}

/** `41 lines · 2.9 KB`: of all the call printed, where that was counted, else of what the model saw. */
function sizeWords(call: ToolCall, text: string, result: ToolResult | undefined): string {
  const { progress, saved } = call;
  if (progress !== undefined) return `${counted(progress.lines, 'line')} · ${formatBytes(progress.bytes)}`;
  if (saved !== undefined) return formatBytes(saved.bytes);
  const kept = keptIn(result?.content ?? []);
  if (kept.length > 0) {
    const sum = (of: 'lines' | 'characters') => kept.reduce((all, one) => all + one[of], 0);
    return `${counted(sum('lines'), 'line')} · ${counted(sum('characters'), 'character')}`;
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return `${counted(lines, 'line')} · ${formatBytes(new TextEncoder().encode(text).length)}`;
}
