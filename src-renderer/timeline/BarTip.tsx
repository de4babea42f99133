import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { callAt } from '../../src-shared/timeline/tracks.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import styles from './BarTip.module.css';
import type { Chart } from './chart.ts';
import type { ChartSnapshot } from './chart-store.ts';
import { callTip, cascadeTip, foldTip, hookTip, processTip, requestTip, shellTip, type Tip } from './tip-words.ts';

const DELAY_MS = 120;
const AWAY = 8;

/** Says what the pointer is on, after a moment. Never over the bar it explains, and never in the pointer's way. */
export function BarTip({ chart }: { readonly chart: Chart }) {
  const hover = useStore(chart.store, (state) => state.hover);
  const [shown, setShown] = useState<ChartSnapshot['hover']>();
  useEffect(() => {
    if (hover === undefined) {
      setShown(undefined);
      return;
    }
    const timer = setTimeout(() => setShown(hover), DELAY_MS);
    return () => clearTimeout(timer);
  }, [hover]);
  return shown === undefined || hover === undefined ? null : <TipBox chart={chart} hover={shown} />;
}

type TipBoxProps = { readonly chart: Chart; readonly hover: NonNullable<ChartSnapshot['hover']> };

function TipBox({ chart, hover }: TipBoxProps) {
  useLiveNow(true);
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ x: number; y: number }>();
  const tip = tipFor(chart, hover);
  useLayoutEffect(() => {
    const { current } = box;
    const stage = current?.parentElement;
    if (current === null || stage === null || stage === undefined) return;
    const next = placeBeside(
      anchorOf(chart, hover),
      { w: current.offsetWidth, h: current.offsetHeight },
      { w: stage.clientWidth, h: stage.clientHeight },
      hover.x,
    );
    setPlace((before) => (before !== undefined && before.x === next.x && before.y === next.y ? before : next));
  });
  if (tip === undefined) return null;
  return (
    <div
      ref={box}
      role="tooltip"
      className={styles.tip}
      style={{ left: place?.x ?? 0, top: place?.y ?? 0, visibility: place === undefined ? 'hidden' : 'visible' }}
    >
      <p className={styles.sentence}>{tip.sentence}</p>
      {tip.rows.length === 0 ? null : (
        <dl className={styles.rows}>
          {tip.rows.map((row) => (
            <div key={row.label} className={styles.row}>
              <dt>
                <i className={styles.swatch} data-swatch={row.swatch} />
                {row.label}
              </dt>
              <dd>{row.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {tip.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  );
}

type Rect = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

function anchorOf(chart: Chart, { hit, x, y }: TipBoxProps['hover']): Rect {
  const { model } = chart.store.getState();
  const rect =
    hit.kind === 'call' && model !== undefined ? chart.rectOfCall(callAt(model, hit.item).callId) : undefined;
  // The pointer may be on the call's question in the permission track, away from its bar.
  return rect !== undefined && Math.abs(rect.y + rect.h / 2 - y) < 24 ? rect : { x, y: y - 10, w: 1, h: 20 };
}

/** Below the bar, else above it, else beside it: always inside the chart. */
export function placeBeside(
  anchor: Rect,
  size: { w: number; h: number },
  room: { w: number; h: number },
  pointerX: number,
): { x: number; y: number } {
  const x = Math.max(4, Math.min(Math.max(anchor.x, pointerX - 40), room.w - size.w - 4));
  const below = anchor.y + anchor.h + AWAY;
  if (below + size.h <= room.h - 4) return { x, y: below };
  const above = anchor.y - AWAY - size.h;
  if (above >= 4) return { x, y: above };
  const y = Math.max(4, Math.min(anchor.y, room.h - size.h - 4));
  const right = pointerX + 20;
  return right + size.w <= room.w - 4 ? { x: right, y } : { x: Math.max(4, pointerX - 20 - size.w), y };
}

function tipFor(chart: Chart, { hit }: TipBoxProps['hover']): Tip | undefined {
  // What was not known at the playhead is not told.
  const model = chart.knownThen;
  if (model === undefined) return undefined;
  const { now } = chart;
  const { state } = model;
  switch (hit.kind) {
    case 'call':
      return state.calls[hit.item] === undefined ? undefined : callTip(model, hit.item, now);
    case 'request': {
      const request = state.requests[hit.index];
      return request === undefined
        ? undefined
        : requestTip(request, model.requestNumbers[hit.index] ?? hit.index + 1, now);
    }
    case 'hook': {
      const run = state.hookRuns[hit.index];
      return run === undefined ? undefined : hookTip(run, now);
    }
    case 'shell': {
      const shell = state.shells[hit.index];
      return shell === undefined ? undefined : shellTip(shell, now);
    }
    case 'process': {
      const process = model.processes?.call.processes[hit.index];
      return process === undefined ? undefined : processTip(process, now);
    }
    case 'pill': {
      const mark = model.cascades.find((one) => one.culprit === hit.culprit);
      return mark === undefined ? undefined : cascadeTip(model, mark);
    }
    case 'fold': {
      const fold = chart.foldAt(hit.index);
      return fold === undefined ? undefined : foldTip(fold);
    }
  }
}
