import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Ellipsis,
  FoldVertical,
  GitFork,
  Info,
  OctagonX,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { memo, useState } from 'react';
import { useStore } from 'zustand';
import type { AgentId } from '../../src-shared/ids.ts';
import type { RetryWait } from '../../src-shared/session/retry.ts';
import { agentKind, agentName } from '../../src-shared/timeline/agent-tree.ts';
import { formatBytes, formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { askToFork } from '../new-session/actions.ts';
import { short } from '../state/format.ts';
import { retryWords } from '../state/retry-words.ts';
import { sessionStore } from '../state/session-store.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { classes } from '../widgets/classes.ts';
import { IconButton } from '../widgets/IconButton.tsx';
import { Menu, MenuItem } from '../widgets/Menu.tsx';
import { CallRow } from './CallRow.tsx';
import { LongText, Markdown } from './Markdown.tsx';
import { Pictures } from './Pictures.tsx';
import styles from './RowView.module.css';
import type { Row } from './rows.ts';

export type RowViewProps = {
  readonly row: Row;
  /** The call of a call row, as it stands now. */
  readonly call: ToolCall | undefined;
  readonly isSelected: boolean;
  readonly showsTime: boolean;
  readonly onSelect: (call: ToolCall) => void;
  readonly onHover: (call: ToolCall | undefined) => void;
  readonly onToggleAgent: (agentId: AgentId) => void;
};

const INDENTS = [styles.depth0, styles.depth1, styles.depth2, styles.depth3];

/** One row: the label column and what stands beside it. */
export const RowView = memo(function RowView(props: RowViewProps) {
  const { row } = props;
  const depth = INDENTS[Math.min(row.depth, INDENTS.length - 1)];
  return (
    <div className={classes(styles.row, depth, row.kind === 'call' && styles.tight, row.copied && styles.copied)}>
      <div className={styles.label}>{row.label}</div>
      <div className={styles.content}>
        <Content {...props} />
      </div>
      <MessageMenu row={row} />
    </div>
  );
});

function Content(props: RowViewProps) {
  const { row, call } = props;
  switch (row.kind) {
    case 'you':
      return (
        <div className={styles.you}>
          <Markdown text={row.text} />
          <Pictures images={row.images} />
        </div>
      );
    case 'program':
      return (
        <div className={styles.program}>
          <LongText text={row.text} />
        </div>
      );
    case 'text':
      return (
        <div className={classes(row.discarded && styles.discarded)}>
          <Markdown text={row.text} />
        </div>
      );
    case 'thinking':
      return (
        <Folded title={row.growing ? 'Thinking …' : 'Thinking'} isDiscarded={row.discarded}>
          <LongText text={row.text} />
        </Folded>
      );
    case 'writing':
      return (
        <span className={classes(styles.muted, row.discarded && styles.discarded)}>
          Writing {row.tool} input, {formatBytes(row.size)}
        </span>
      );
    case 'other':
      return (
        <Folded title="A block of an unknown kind" isDiscarded={row.discarded}>
          <pre className={styles.raw}>{JSON.stringify(row.raw, undefined, 2)}</pre>
        </Folded>
      );
    case 'call':
      return call === undefined ? (
        <span className={styles.muted}>A call that is not in the file</span>
      ) : (
        <CallRow
          call={call}
          isSelected={props.isSelected}
          isDiscarded={row.discarded}
          showsTime={props.showsTime}
          onSelect={props.onSelect}
          onHover={props.onHover}
        />
      );
    case 'discarded':
      return (
        <div className={styles.mark}>
          <Undo2 aria-hidden="true" size={14} />{' '}
          {row.left ? 'Taken back: the session went on without it.' : 'Discarded attempt: the stream broke.'} The model
          never sees it again.
        </div>
      );
    case 'notice':
      return <NoticeRow row={row} />;
    case 'mark':
      return (
        <div className={classes(styles.mark, styles[row.tone])}>
          <OctagonX aria-hidden="true" size={14} /> {row.text}
        </div>
      );
    case 'agent':
      return <AgentRow row={row} onToggle={props.onToggleAgent} />;
    case 'waiting':
      return <Waiting from={row.from} isForSummary={row.isForSummary} />;
    case 'retrying':
      return <Retrying wait={row.wait} />;
    case 'compacted':
      return <Compacted row={row} />;
    case 'fork':
      return (
        <div className={styles.divider} role="note">
          <GitFork aria-hidden="true" size={14} /> Above is the history of {row.history.from.title || 'another session'}
          . This session goes on from here.
        </div>
      );
  }
}

function Folded(props: { readonly title: string; readonly isDiscarded: boolean; readonly children: React.ReactNode }) {
  const [open, setOpen] = useState(false);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div className={classes(props.isDiscarded && styles.discarded)}>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron aria-hidden="true" size={14} /> {props.title}
      </button>
      {open ? <div className={styles.folded}>{props.children}</div> : null}
    </div>
  );
}

const NOTICE_ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const;

function NoticeRow({ row }: { readonly row: Extract<Row, { kind: 'notice' }> }) {
  const Icon = NOTICE_ICONS[row.level];
  return (
    <div className={classes(styles.notice, styles[row.level])} role={row.level === 'error' ? 'alert' : undefined}>
      <Icon aria-hidden="true" size={14} />
      <div>
        <div>{row.text}</div>
        {row.detail === undefined ? null : <div className={styles.detail}>{row.detail}</div>}
      </div>
    </div>
  );
}

function AgentRow(props: {
  readonly row: Extract<Row, { kind: 'agent' }>;
  readonly onToggle: (agentId: AgentId) => void;
}) {
  const { agent, calls, open } = props.row;
  const kind = agentKind(agent);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      className={styles.agent}
      aria-expanded={open}
      onClick={() => props.onToggle(agent.agentId)}
      title={agent.prompt.slice(0, 300)}
    >
      <Chevron aria-hidden="true" size={14} />
      <span className={styles.agentName}>{agentName(agent)}</span>
      <span className={styles.muted}>
        {kind === undefined ? '' : `${kind}, `}
        {calls === 1 ? '1 call' : `${formatCount(calls)} calls`}
        {agent.until === undefined ? '' : `, ${formatMillis(agent.until - agent.from)}`}
      </span>
    </button>
  );
}

function Compacted({ row }: { readonly row: Extract<Row, { kind: 'compacted' }> }) {
  const { tokensBefore, tokensAfter, summary } = row.compaction;
  return (
    <div role="note">
      <div className={styles.divider}>
        <FoldVertical aria-hidden="true" size={14} /> Conversation compacted, {short(tokensBefore)} →{' '}
        {short(tokensAfter)} tokens
      </div>
      <Folded title="Summary" isDiscarded={false}>
        <LongText text={summary} />
      </Folded>
    </div>
  );
}

const WITH_MENU: ReadonlySet<Row['kind']> = new Set(['you', 'text']);

/** What can be done with a message. */
function MessageMenu({ row }: { readonly row: Row }) {
  const { messageId } = row;
  const session = useStore(sessionStore, (view) => (view.phase === 'open' ? view.sessionId : undefined));
  if (messageId === undefined || session === undefined || !WITH_MENU.has(row.kind)) return null;
  return (
    <div className={styles.menu}>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} name="Message menu" side="top" />}>
        <MenuItem onSelect={() => askToFork(session, messageId)}>Fork from here…</MenuItem>
      </Menu>
    </div>
  );
}

function Retrying({ wait }: { readonly wait: RetryWait }) {
  const now = useLiveNow(true);
  return (
    <span className={styles.muted}>
      {retryWords(wait, now)} It is try {wait.attempt}.
    </span>
  );
}

function Waiting({ from, isForSummary }: { readonly from: number; readonly isForSummary: boolean }) {
  const now = useLiveNow(true);
  const what = isForSummary ? 'The conversation is being compacted' : 'The model is thinking';
  return (
    <span className={styles.muted}>
      {what}, {formatMillis(now - from)}.
    </span>
  );
}
