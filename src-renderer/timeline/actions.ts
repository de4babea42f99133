import type { View } from '../../src-shared/chart/viewport.ts';
import type { CallId } from '../../src-shared/ids.ts';
import type { TimeAxis } from '../../src-shared/timeline/axis.ts';

/** A rectangle in client coordinates (CSS px from the window's top left). */
export type ClientRect = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What part of the session the chart shows, for pictures that stand below it. `gutter`: px left of the canvas. */
export type ChartLook = { readonly view: View; readonly axis: TimeAxis; readonly gutter: number };

/** What the mounted chart can do for the rest of the window. */
export type ChartHandle = {
  readonly fit: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fitSelection: () => void;
  readonly zoomToTurn: () => void;
  readonly toggleFollow: () => void;
  readonly barPosition: (callId: CallId) => ClientRect | undefined;
  readonly look: () => ChartLook | undefined;
};

let chart: ChartHandle | undefined;
const listeners = new Set<() => void>();

/**
 * Commands of the timeline, for the toolbar, the palette and the permission board. Without a mounted chart they do
 * nothing.
 */
export const timelineActions = {
  /** Shows the whole session. */
  fit: (): void => chart?.fit(),
  zoomIn: (): void => chart?.zoomIn(),
  zoomOut: (): void => chart?.zoomOut(),
  /** Shows the selected call, or the measured stretch, with a little room around it. */
  fitSelection: (): void => chart?.fitSelection(),
  /** Shows the turn of the selected call, or the one in the middle of the view. */
  zoomToTurn: (): void => chart?.zoomToTurn(),
  /** Keeps the live edge in view, or stops doing so. */
  toggleFollow: (): void => chart?.toggleFollow(),
  /**
   * Where the call's bar is on screen, with the number of its question at its right end; undefined while it is outside
   * the visible part of the chart.
   */
  barPosition: (callId: CallId): ClientRect | undefined => chart?.barPosition(callId),
  /** What is shown at the moment; undefined without a chart. */
  look: (): ChartLook | undefined => chart?.look(),
  /** Called after every frame in which bars may have moved. */
  onMoved: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
} as const;

/** The chart announces itself when it is mounted. Returns the way to take it back. */
export function registerChart(handle: ChartHandle): () => void {
  chart = handle;
  return () => {
    if (chart === handle) chart = undefined;
  };
}

/** The chart says that bars may have moved. */
export function announceMoved(): void {
  for (const listener of listeners) listener();
}
