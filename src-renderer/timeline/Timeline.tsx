import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import { retryWaitOf } from '../../src-shared/session/retry.ts';
import { formatCount, formatMillis, formatMoment } from '../../src-shared/timeline/words.ts';
import { pathStore } from '../critical-path/path-store.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { clearFilter, filterStore } from '../state/filter-store.ts';
import { retryWords } from '../state/retry-words.ts';
import { sessionStore } from '../state/session-store.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { useOpenSession, useWholeSession } from '../state/use-session.ts';
import { viewStore } from '../state/view-store.ts';
import { Button } from '../widgets/Button.tsx';
import { classes } from '../widgets/classes.ts';
import { AccessibleList } from './AccessibleList.tsx';
import { registerChart } from './actions.ts';
import { BarMenu } from './BarMenu.tsx';
import { BarTip } from './BarTip.tsx';
import { Chart } from './chart.ts';
import { type ChartStore, createChartStore } from './chart-store.ts';
import { Gutter } from './Gutter.tsx';
import { listenToKeys } from './interaction/listen-keys.ts';
import { listenToPointer } from './interaction/listen-pointer.ts';
import type { ChartElements } from './picture.ts';
import { watchSurroundings } from './surroundings.ts';
import styles from './Timeline.module.css';

/** The lane chart of the open session, with its mini-map, ruler and row names. */
export function Timeline() {
  const open = useOpenSession();
  return open === undefined ? null : <ChartFrame />;
}

type Elements = { [K in keyof ChartElements | 'root' | 'stage' | 'gutter']: HTMLElement | null };

function ChartFrame() {
  const [store] = useState<ChartStore>(createChartStore);
  const [chart, setChart] = useState<Chart>();
  const refs = useRef<Elements>({
    root: null,
    stage: null,
    gutter: null,
    canvas: null,
    minimap: null,
    miniWindow: null,
    gutterRows: null,
    scroller: null,
  });
  const at = (name: keyof Elements) => (element: HTMLElement | null) => {
    refs.current[name] = element;
  };
  useEffect(() => {
    const { root, stage, gutter, ...elements } = refs.current;
    if (root === null || stage === null || gutter === null) return;
    const made = new Chart(elements as unknown as ChartElements, store);
    const stops = [
      followStores(made),
      registerChart(made.handle),
      watchSurroundings(made, root),
      listenToPointer(made, {
        stage,
        gutter,
        minimap: elements.minimap?.parentElement as HTMLElement,
        scroller: elements.scroller as HTMLElement,
      }),
      listenToKeys(made, root),
    ];
    setChart(made);
    return () => {
      for (const stop of stops) stop();
      made.dispose();
    };
  }, [store]);
  return (
    <section className={styles.timeline} aria-label="Timeline" data-chart>
      <div className={styles.overview}>
        <GutterCorner store={store} />
        <div className={styles.minimap}>
          <canvas ref={at('minimap')} />
          <div ref={at('miniWindow')} className={styles.window} data-zone="window">
            <div className={classes(styles.handle, styles.left)} data-zone="left-handle" />
            <div className={classes(styles.handle, styles.right)} data-zone="right-handle" />
          </div>
        </div>
      </div>
      <div ref={at('root')} className={styles.body}>
        <div ref={at('gutter')} className={styles.gutter}>
          <Gutter store={store} chart={chart} rowsRef={at('gutterRows')} />
        </div>
        <BarMenu store={store}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the chart takes keys; its calls are the buttons of the list. */}
          <div ref={at('stage')} className={styles.stage} role="application" aria-label={STAGE_NAME} tabIndex={0}>
            <canvas ref={at('canvas')} className={styles.canvas} />
            <Scroller store={store} scrollerRef={at('scroller')} />
            <Notes store={store} />
            {chart === undefined ? null : <BarTip chart={chart} />}
          </div>
        </BarMenu>
      </div>
      <NoMatchNote store={store} />
      <AccessibleList />
      {chart === undefined ? null : <GapList chart={chart} />}
    </section>
  );
}

const STAGE_NAME = 'Chart of the calls. Arrow keys go from call to call, W and S zoom, A and D move.';

/** Feeds the chart from the stores, without React in between. */
function followStores(chart: Chart): () => void {
  const showSession = (): void => {
    const view = sessionStore.getState();
    if (view.phase === 'open') chart.show(view.state, view.sessionId);
    else chart.show(undefined);
  };
  showSession();
  const stopSession = sessionStore.subscribe(showSession);
  const stopView = viewStore.subscribe((now, before) => {
    const selectionChanged = now.selectedCall !== before.selectedCall;
    chart.choose({
      selectionChanged,
      modelChanged: selectionChanged || now.collapsedAgents !== before.collapsedAgents,
    });
  });
  const stopPlayhead = playheadStore.subscribe((now, before) => {
    if (now.t !== before.t || now.position !== before.position) chart.movePlayhead(now.t);
  });
  const stopFilter = filterStore.subscribe((now, before) => {
    if (now.version !== before.version) chart.choose({ selectionChanged: false, modelChanged: false });
  });
  const stopPath = pathStore.subscribe(() => chart.choose({ selectionChanged: false, modelChanged: false }));
  return () => {
    stopPath();
    stopFilter();
    stopPlayhead();
    stopSession();
    stopView();
  };
}

function GutterCorner({ store }: { readonly store: ChartStore }) {
  const gutter = useStore(store, (state) => state.gutter);
  return <div className={styles.corner} style={{ width: gutter }} />;
}

type ScrollerProps = { readonly store: ChartStore; readonly scrollerRef: (element: HTMLElement | null) => void };

/** The scroll bar of the rows. The canvas does not scroll; the chart follows the bar. */
function Scroller({ store, scrollerRef }: ScrollerProps) {
  const height = useStore(store, (state) => state.rows.height);
  return (
    <div ref={scrollerRef} className={styles.scroller} tabIndex={-1} aria-hidden="true">
      <div style={{ height, width: 1 }} />
    </div>
  );
}

/** What the chart says where it has little to show, or too much. */
function Notes({ store }: { readonly store: ChartStore }) {
  const isEmpty = useStore(store, (state) => state.isEmpty);
  const isMerged = useStore(store, (state) => state.isMerged);
  if (isEmpty) return <EmptyNote />;
  return isMerged ? <MergedNote /> : null;
}

/** The filter leaves nothing: all bars are dimmed. */
function NoMatchNote({ store }: { readonly store: ChartStore }) {
  const gutter = useStore(store, (state) => state.gutter);
  const open = useWholeSession();
  const matching = useStore(filterStore, (view) => view.matching);
  useStore(filterStore, (view) => view.version);
  if (open === undefined || matching === undefined || matching.size > 0 || open.state.calls.length === 0) return null;
  return (
    <div className={styles.noMatch} style={{ marginLeft: gutter }} role="status">
      0 of {formatCount(open.state.calls.length)} calls match.
      <Button onClick={clearFilter}>Clear filters</Button>
    </div>
  );
}

function EmptyNote() {
  const open = useOpenSession();
  const request = open?.state.requests.at(-1);
  const retry = open === undefined ? undefined : retryWaitOf(open.state, MAIN_AGENT);
  const isThinking = request !== undefined && request.end === undefined && open?.state.ended === undefined;
  const now = useLiveNow(isThinking || retry !== undefined);
  if (open === undefined || open.state.calls.length > 0) return null;
  return (
    <p className={styles.empty}>
      No calls yet.
      {isThinking ? ` The model is thinking, ${formatMillis(Math.max(0, now - request.from))}.` : ''}
      {retry === undefined ? '' : ` ${retryWords(retry, now)}`}
    </p>
  );
}

function MergedNote() {
  const open = useOpenSession();
  if (open === undefined) return null;
  return (
    <p className={styles.merged}>{formatCount(open.state.calls.length)} calls, merged. Zoom in to see single calls.</p>
  );
}

/** Folded gaps for the keyboard and for screen readers; the pointer clicks on the sign itself. */
function GapList({ chart }: { readonly chart: Chart }) {
  const gaps = useStore(chart.store, (state) => state.gaps);
  if (gaps.length === 0) return null;
  return (
    <ul aria-label="Gaps with nothing to see" className="visually-hidden">
      {gaps.slice(0, MOST_GAPS).map(({ fold, isFolded }) => (
        <li key={fold.from}>
          <button type="button" aria-expanded={!isFolded} onClick={() => chart.toggleFold(fold)}>
            {formatMillis(fold.until - fold.from)} with nothing to see, after {formatMoment(fold.from)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A session of weeks has more gaps than anybody walks through. */
const MOST_GAPS = 50;
