import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Measure } from '../../src-shared/chart/fonts.ts';
import { lanesHeight, STRIP_HEIGHT } from '../../src-shared/chart/lanes-only.ts';
import { xOf } from '../../src-shared/chart/viewport.ts';
import { ghostOf } from '../../src-shared/what-if/ghost.ts';
import type { Outcome } from '../../src-shared/what-if/what-if.ts';
import { differencesText } from '../../src-shared/what-if/words.ts';
import { selectCall, viewStore } from '../state/view-store.ts';
import { currentTheme } from '../theme/theme-switch.ts';
import { type ChartLook, timelineActions } from '../timeline/actions.ts';
import { paintOps } from '../timeline/paint.ts';
import { fitCanvas, pageMeasure, paintsFor } from '../timeline/painter.ts';
import { callUnder, type GhostModel, ghostModel, layoutGhost } from './ghost-picture.ts';
import styles from './WhatIf.module.css';
import type { Subject } from './what-if-store.ts';

type GhostRowProps = { readonly subject: Subject; readonly outcome: Outcome };

/** The lanes of the turn as they would have been, in time with the chart above. */
export function GhostRow({ subject, outcome }: GhostRowProps) {
  const made = useMemo(() => ghostModel(ghostOf(subject.question, outcome)), [subject, outcome]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLParagraphElement>(null);
  const [gutter, setGutter] = useState(() => timelineActions.look()?.gutter ?? 0);
  const differs = differencesText(subject.state, outcome.differences);
  useEffect(() => {
    if (canvas.current === null) return;
    return followChart(canvas.current, labels.current, made, setGutter);
  }, [made]);
  const lanes = made.rows.rows.filter(({ kind }) => kind === 'lane');
  return (
    <div className={styles.ghost} data-testid="ghost-row">
      <div className={styles.gutter} style={{ width: gutter, height: lanesHeight(made) }}>
        {lanes.map((row) => (
          <span key={row.key} className={styles.lane} style={{ top: row.y, height: row.height }}>
            lane {row.index + 1}
          </span>
        ))}
      </div>
      <div className={styles.picture}>
        {/* The keyboard selects calls in the chart; here the pointer does what it does there. */}
        <canvas
          ref={canvas}
          onPointerDown={(event) => selectUnder(made, event)}
          role="img"
          aria-label={differs === undefined ? SAME : `The turn differs: ${differs}.`}
        />
        <p ref={labels} className={styles.parting} style={{ height: STRIP_HEIGHT }}>
          {differs === undefined ? (
            <span className={styles.same}>{SAME}</span>
          ) : (
            <>
              <span className={styles.before}>same until here</span>
              <span className={styles.after}>differs: {differs}</span>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function selectUnder(made: GhostModel, { nativeEvent: { offsetX, offsetY } }: PointerEvent): void {
  const look = timelineActions.look();
  const callId = look === undefined ? undefined : callUnder(made, look, offsetX, offsetY);
  if (callId !== undefined) selectCall(callId);
}

const SAME = 'Nothing differs from the recording.';

/** Paints after every frame of the chart, and when selection, theme or fonts change. Returns the way to stop. */
function followChart(
  canvas: HTMLCanvasElement,
  labels: HTMLElement | null,
  made: GhostModel,
  onGutter: (width: number) => void,
): () => void {
  const ctx = canvas.getContext('2d');
  if (ctx === null) return () => undefined;
  let measure: Measure = pageMeasure();
  let frame = 0;
  const paint = (): void => {
    frame = 0;
    const look = timelineActions.look();
    if (look === undefined || look.view.width <= 1) return;
    onGutter(look.gutter);
    paintGhost(canvas, ctx, made, look, measure);
    if (labels !== null) placeLabels(labels, made, look);
  };
  const schedule = (): void => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  };
  const again = (): void => {
    measure = pageMeasure();
    schedule();
  };
  const themed = new MutationObserver(schedule);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  document.fonts.addEventListener('loadingdone', again);
  const stops = [timelineActions.onMoved(schedule), viewStore.subscribe(schedule)];
  paint();
  return () => {
    cancelAnimationFrame(frame);
    themed.disconnect();
    document.fonts.removeEventListener('loadingdone', again);
    for (const stop of stops) stop();
  };
}

function paintGhost(
  canvas: HTMLCanvasElement,
  ctx: CanvasRenderingContext2D,
  made: GhostModel,
  look: ChartLook,
  measure: Measure,
): void {
  const dpr = window.devicePixelRatio;
  const height = lanesHeight(made);
  const { selectedCall } = viewStore.getState();
  const selected = selectedCall === undefined ? undefined : made.ghost.state.callIndex[selectedCall];
  fitCanvas(canvas, ctx, look.view.width, height, dpr);
  ctx.clearRect(0, 0, look.view.width, height);
  paintOps(ctx, layoutGhost(made, { look, dpr, measure, selected }), paintsFor(currentTheme(), dpr, ctx));
  ctx.globalAlpha = 1;
}

/** Room in px that the words behind the dotted line need; with less they stand before it. */
const LEAST_ROOM = 280;

/** The words stand left and right of the dotted line; where that is out of view, at the edge it lies beyond. */
function placeLabels(labels: HTMLElement, { ghost }: GhostModel, { view, axis }: ChartLook): void {
  const at = ghost.differsAt === undefined ? 0 : xOf(axis, view, ghost.differsAt);
  const x = Math.round(Math.min(view.width, Math.max(0, at)));
  labels.style.setProperty('--parting', `${x}px`);
  labels.dataset.side = view.width - x < LEAST_ROOM && x > LEAST_ROOM ? 'left' : 'right';
}
