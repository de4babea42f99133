import { Copy, FileClock, Hand, HardDrive, Webhook } from 'lucide-react';
import { memo } from 'react';
import { callLabel, formatBytes, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { mayHaveShell, ShellMark } from '../background/ShellMark.tsx';
import { useLiveNow } from '../state/use-live-now.ts';
import { classes } from '../widgets/classes.ts';
import { OutcomePill } from '../widgets/OutcomePill.tsx';
import { Pill } from '../widgets/Pill.tsx';
import { ToolIcon } from '../widgets/ToolIcon.tsx';
import styles from './CallRow.module.css';

export type CallRowProps = {
  readonly call: ToolCall;
  readonly isSelected: boolean;
  readonly isDiscarded: boolean;
  /** False where a file holds no times. */
  readonly showsTime: boolean;
  readonly onSelect: (call: ToolCall) => void;
  readonly onHover: (call: ToolCall | undefined) => void;
};

/** One call as a line: what it is, what is special about it, how it ended, how long it held its lane. */
export const CallRow = memo(function CallRow(props: CallRowProps) {
  const { call, isSelected, isDiscarded, showsTime, onSelect, onHover } = props;
  const { tool, argument } = rowLabel(call);
  const isEnded = call.phase === 'completed' || call.phase === 'yielded';
  return (
    <button
      type="button"
      className={classes(styles.row, isSelected && styles.selected, isDiscarded && styles.discarded)}
      aria-pressed={isSelected}
      data-call-id={call.callId}
      title={call.summary}
      onClick={() => onSelect(call)}
      onPointerEnter={() => onHover(call)}
      onPointerLeave={() => onHover(undefined)}
    >
      <ToolIcon tool={call.tool} className={styles.icon} />
      <span className={styles.what}>
        <span className={styles.tool}>{tool}</span> <span className={styles.argument}>{argument}</span>
      </span>
      <span className={styles.marks}>
        <Marks call={call} />
        {isEnded && call.end.outcome === 'ok' ? null : <OutcomePill call={call} short />}
      </span>
      <span className={styles.time}>{showsTime ? <Duration call={call} /> : null}</span>
    </button>
  );
});

/** Files with their whole path: there is room here, unlike in a bar. */
function rowLabel(call: ToolCall): { readonly tool: string; readonly argument: string } {
  const label = callLabel(call);
  return call.tool.startsWith('mcp__') ? label : { tool: label.tool, argument: call.summary.split('\n', 1)[0] ?? '' };
}

function Marks({ call }: { readonly call: ToolCall }) {
  const answered = call.permission?.by === 'user' && call.permission.verdict === 'allow';
  return (
    <>
      {call.saved === undefined ? null : (
        <Pill icon={HardDrive} title={call.saved.path}>
          {formatBytes(call.saved.bytes)} saved
        </Pill>
      )}
      {mayHaveShell(call) ? <ShellMark call={call} /> : null}
      {call.sameAs === undefined ? null : <Pill icon={Copy}>same as before</Pill>}
      {call.staleFiles.length === 0 ? null : (
        <Pill icon={FileClock} title={call.staleFiles.join('\n')}>
          made a read stale
        </Pill>
      )}
      {call.changedInput?.by === 'hook' ? (
        <Pill tone="hook" icon={Webhook}>
          a hook changed the input
        </Pill>
      ) : null}
      {call.changedInput?.by === 'user' || answered ? (
        <Pill tone="human" icon={Hand}>
          {answerWords(call)}
        </Pill>
      ) : null}
    </>
  );
}

/** What the person did: some calls ask for answers or for a word on a plan, not for permission. */
function answerWords(call: ToolCall): string {
  const question = call.asks.at(-1)?.question;
  if (question?.choices !== undefined) return 'you answered';
  if (question?.plan !== undefined) return 'you approved the plan';
  return call.changedInput?.by === 'user' ? 'you allowed an edited input' : 'you allowed it';
}

function Duration({ call }: { readonly call: ToolCall }) {
  switch (call.phase) {
    case 'queued':
      return null;
    case 'executing':
      return <Growing from={call.run.at} />;
    default:
      if (call.run === undefined) return <span title="never started">–</span>;
      return (
        <>
          {call.run.timing.certainty === 'inferred' || call.end.timing.certainty === 'inferred' ? (
            <span title="not recorded, worked out from other times">≈ </span>
          ) : null}
          {formatMillis(call.end.at - call.run.at)}
        </>
      );
  }
}

function Growing({ from }: { readonly from: number }) {
  const now = useLiveNow(true);
  return <>{formatMillis(now - from)}</>;
}
