import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, MessageSquare } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { AgentId, CallId } from '../../src-shared/ids.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { useIsCovered } from '../permissions/use-asks.ts';
import { useReader } from '../state/access-store.ts';
import { filterStore } from '../state/filter-store.ts';
import { useOpenSession } from '../state/use-session.ts';
import { selectCall, viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { EmptyState } from '../widgets/EmptyState.tsx';
import { CallFilterMenu } from './CallFilterMenu.tsx';
import styles from './Conversation.module.css';
import { MessageBox } from './MessageBox.tsx';
import { ModelTrouble } from './ModelTrouble.tsx';
import { RowView } from './RowView.tsx';
import { RowBook } from './row-book.ts';
import { agentsAround, type Row, type RowOptions } from './rows.ts';
import { hasTimes, isTurnRunning, isWritable, whereWeAre } from './selectors.ts';

/** The open session as a conversation, with the place to write the next message. */
export function Conversation() {
  const open = useOpenSession();
  const isCovered = useIsCovered(open);
  if (open === undefined) return null;
  const { sessionId } = open.view;
  return <ConversationView key={sessionId} state={open.state} version={open.version} isCovered={isCovered} />;
}

export type ConversationViewProps = {
  /** Grows in place: `version` tells when it did. */
  readonly state: SessionState;
  readonly version: number;
  /** The permission board lies over all but the message box, so that nothing there can be reached. */
  readonly isCovered?: boolean;
};

/** The same for a given state: what the component gallery shows. */
export function ConversationView({ state, version, isCovered = false }: ConversationViewProps) {
  const [openAgents, setOpenAgents] = useState<ReadonlySet<AgentId>>(new Set());
  const [hidesCalls, setHidesCalls] = useState(false);
  const matching = useStore(filterStore, (view) => view.matching);
  const filterVersion = useStore(filterStore, (view) => view.version);
  const selected = useStore(viewStore, (view) => view.selectedCall);
  const reader = useReader(state.sessionId);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useRef<() => void>(() => undefined);
  const [book] = useState(() => new RowBook());
  const calls: RowOptions['calls'] = hidesCalls ? 'none' : (matching ?? 'all');
  const options = useMemo(() => ({ openAgents, calls }), [openAgents, calls]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: state and set grow in place; their versions tell
  const rows = useMemo(() => book.rowsOf(state, options), [book, state, version, filterVersion, options]);
  const toggleAgent = useCallback((agentId: AgentId) => {
    setOpenAgents((before) => {
      const after = new Set(before);
      if (!after.delete(agentId)) after.add(agentId);
      return after;
    });
  }, []);
  // A call that is selected in the chart must be in the list, also when its agent is folded.
  useEffect(() => {
    if (selected === undefined) return;
    const around = agentsAround(state, selected);
    setOpenAgents((before) => (around.every((id) => before.has(id)) ? before : new Set([...before, ...around])));
  }, [state, selected]);

  return (
    <section className={styles.conversation} aria-label="Conversation">
      <div className={styles.upper} inert={isCovered}>
        <header className={styles.header}>
          {/* Its tab says it to all others. */}
          <h2 className="visually-hidden">Conversation</h2>
          <span className={styles.where}>{whereWeAre(state)}</span>
          {isAtEnd || rows.length === 0 ? null : (
            <Button look="quiet" icon={ArrowDown} onClick={() => toEnd.current()}>
              Newest
            </Button>
          )}
          <CallFilterMenu hidden={hidesCalls} onHide={setHidesCalls} />
        </header>
        {rows.length === 0 ? (
          <EmptyState icon={MessageSquare} title="Nothing was said yet." hint="Write a message to start." />
        ) : (
          <RowList
            state={state}
            rows={rows}
            selected={selected}
            toEnd={toEnd}
            onAtEnd={setAtEnd}
            onToggleAgent={toggleAgent}
          />
        )}
        {isWritable(state) ? <ModelTrouble state={state} /> : null}
      </div>
      {isWritable(state) && state.sessionId !== undefined && reader === undefined ? (
        <MessageBox sessionId={state.sessionId} isTurnRunning={isTurnRunning(state)} queued={state.queuedMessages} />
      ) : null}
    </section>
  );
}

type RowListProps = {
  readonly state: SessionState;
  readonly rows: readonly Row[];
  readonly selected: CallId | undefined;
  /** Set to the way back to the newest row, which the header offers. */
  readonly toEnd: RefObject<() => void>;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  readonly onToggleAgent: (agentId: AgentId) => void;
};

/** Within this many pixels of the end the list counts as at its end, and stays there as it grows. */
const END_PX = 24;

const select = (call: ToolCall): void => selectCall(call.callId);
const hover = (call: ToolCall | undefined): void => viewStore.setState({ hoveredCall: call?.callId });

function RowList({ state, rows, selected, toEnd, onAtEnd, onToggleAgent }: RowListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => estimatedHeight(rows[at]),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 10,
    paddingStart: 8,
    paddingEnd: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_PX,
  });
  useStickToEnd(scroller, virtualizer.getTotalSize(), () => virtualizer.scrollToEnd());
  useScrollToSelected(rows, selected, (at) => virtualizer.scrollToIndex(at, { align: 'auto' }));
  const showsTime = hasTimes(state);
  const isAtEnd = virtualizer.isAtEnd();
  useEffect(() => {
    toEnd.current = () => virtualizer.scrollToEnd();
    onAtEnd(isAtEnd);
  }, [virtualizer, isAtEnd, toEnd, onAtEnd]);
  return (
    <div className={styles.body}>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.place}
                style={{ transform: `translateY(${start}px)` }}
              >
                <RowView
                  row={row}
                  call={row.kind === 'call' ? callById(state, row.callId) : undefined}
                  isSelected={row.kind === 'call' && row.callId === selected}
                  showsTime={showsTime}
                  onSelect={select}
                  onHover={hover}
                  onToggleAgent={onToggleAgent}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const WAYS_TO_SCROLL = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/**
 * Keeps the newest row in view until the person scrolls away from it, and again once they are back at the end. Only what
 * a person does lets go: a list that grows, or a panel that changes its height, must not.
 */
function useStickToEnd(
  scroller: RefObject<HTMLDivElement | null>,
  contentHeight: number,
  scrollToEnd: () => void,
): void {
  const sticks = useRef(true);
  const latest = useRef(scrollToEnd);
  latest.current = scrollToEnd;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const isAtEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight <= END_PX;
    const letGo = () => {
      sticks.current = false;
    };
    const onScroll = () => {
      if (isAtEnd()) sticks.current = true;
    };
    const onResize = new ResizeObserver(() => {
      if (sticks.current) latest.current();
    });
    for (const way of WAYS_TO_SCROLL) element.addEventListener(way, letGo, { passive: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    onResize.observe(element);
    return () => {
      for (const way of WAYS_TO_SCROLL) element.removeEventListener(way, letGo);
      element.removeEventListener('scroll', onScroll);
      onResize.disconnect();
    };
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what the end moves with
  useLayoutEffect(() => {
    if (sticks.current) latest.current();
  }, [contentHeight]);
}

/** Brings the selected call into view when another one is selected, or when its row appears; never when rows grow. */
function useScrollToSelected(rows: readonly Row[], selected: CallId | undefined, scrollTo: (at: number) => void): void {
  const shown = useRef<CallId | undefined>(undefined);
  useEffect(() => {
    if (selected === shown.current) return;
    if (selected === undefined) {
      shown.current = undefined;
      return;
    }
    const at = rows.findIndex((row) => row.kind === 'call' && row.callId === selected);
    if (at === -1) return;
    shown.current = selected;
    scrollTo(at);
  }, [rows, selected, scrollTo]);
}

/** A first guess at a row's height in pixels, until it has been measured. */
function estimatedHeight(row: Row | undefined): number {
  if (row === undefined || row.kind === 'call') return 24;
  if (row.kind === 'text' || row.kind === 'you') return 27 + 19 * Math.min(40, Math.floor(row.text.length / 110));
  return 30;
}
