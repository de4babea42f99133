import { Drawing, type LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import { type BarRect, rectOf } from '../../src-shared/chart/layout/overlay.ts';
import { fixedHeightOf, layout, type Scene } from '../../src-shared/chart/layout.ts';
import { gutterFor, metricsOf } from '../../src-shared/chart/metrics.ts';
import { rowsOf } from '../../src-shared/chart/rows.ts';
import { type Stretch, shownStretch, type View } from '../../src-shared/chart/viewport.ts';
import type { CallId } from '../../src-shared/ids.ts';
import { isOver } from '../../src-shared/session/is-over.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { type Fold, positionOf, type TimeAxis, timeAxis } from '../../src-shared/timeline/axis.ts';
import { TimelineBuilder } from '../../src-shared/timeline/model.ts';
import type { TimelineModel } from '../../src-shared/timeline/tracks.ts';
import { PathKeeper, pathStore } from '../critical-path/path-store.ts';
import { playheadStore } from '../replay/playhead-store.ts';
import { frameAsked, frameDrawn } from '../state/chart-frames.ts';
import { filterStore } from '../state/filter-store.ts';
import { wholeNow } from '../state/use-live-now.ts';
import { viewStore } from '../state/view-store.ts';
import { announceMoved } from './actions.ts';
import { Camera } from './camera.ts';
import { type ChartStore, rowsSignature } from './chart-store.ts';
import { type Hit, hitAt } from './interaction/hit.ts';
import { type MiniScale, miniScale, miniWindow } from './minimap.ts';
import { Painter } from './painter.ts';
import { PastPicture } from './past-picture.ts';

const METRICS = metricsOf('normal');
/** With reduced motion the live edge steps this often. */
const STEP_MS = 1000;
/** The playhead counts as out of view within this many px of the edge. */
const EDGE = 24;
/** So long a frame may work on the model, in ms; a session of a million calls takes many such frames. */
const MODEL_MS = 14;
/** From here on the chart says that bars are merged. */
const MANY_CALLS = 20_000;

/** Says whether less time has passed since now, in ms. */
function untilLater(most: number): () => boolean {
  const from = performance.now();
  return () => performance.now() - from < most;
}

/** The elements the chart draws on and moves without React. */
export type ChartElements = {
  readonly canvas: HTMLCanvasElement;
  readonly minimap: HTMLCanvasElement;
  readonly miniWindow: HTMLElement;
  readonly gutterRows: HTMLElement;
  readonly scroller: HTMLElement;
};

/**
 * Keeps the chart's picture up to date: model, camera, layout, paint. It paints at most once a frame, and only when
 * something changed or the live edge moves.
 */
export class Picture {
  readonly camera = new Camera();
  /** The picture at the playhead, which lies over that of the whole session. */
  private readonly past = new PastPicture();
  readonly store: ChartStore;
  /** The stretch a person has measured. */
  measured: Stretch | undefined;
  hasFocus = false;
  private readonly elements: ChartElements;
  private readonly painter: Painter;
  private readonly unfolded = new Set<number>();
  private builder: TimelineBuilder | undefined;
  private paths: PathKeeper | undefined;
  /** The session that is shown. */
  private of: string | undefined;
  private state: SessionState | undefined;
  private known: TimelineModel | undefined;
  private modelIsStale = true;
  /** The last model held a part of the session only. */
  private isInPieces = false;
  private timeAxis: TimeAxis = timeAxis([]);
  private foldKey = '';
  private drawn: LayoutInput | undefined;
  private scene: Scene | undefined;
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(elements: ChartElements, store: ChartStore) {
    this.elements = elements;
    this.store = store;
    this.painter = new Painter(elements.canvas, elements.minimap);
  }

  get axis(): TimeAxis {
    return this.timeAxis;
  }

  get model(): TimelineModel | undefined {
    return this.known;
  }

  /** What the next picture would be made from: selection and view as they are now, which may be ahead of the screen. */
  get input(): LayoutInput | undefined {
    return this.drawn === undefined || this.known === undefined
      ? undefined
      : this.inputFor(this.known, this.drawn.now, this.camera.current);
  }

  /**
   * Shows a session, or its next version; the same object grows.
   * @param of the session: another state of the same one is the same told anew, and is looked at from where one was.
   */
  show(state: SessionState | undefined, of?: string): void {
    const isSame = state !== undefined && of !== undefined && of === this.of;
    this.of = of;
    if (state !== this.state) {
      this.state = state;
      this.builder = state === undefined ? undefined : new TimelineBuilder(state);
      this.paths = state === undefined ? undefined : new PathKeeper(state);
      this.known = undefined;
      this.drawn = undefined;
    }
    if (!isSame) {
      this.measured = undefined;
      this.unfolded.clear();
      this.camera.reset();
    }
    this.rebuild();
  }

  /** The model has to be made anew, then the picture. */
  rebuild(): void {
    this.modelIsStale = true;
    this.schedule();
  }

  /** Theme, fonts or pixel density have changed. */
  repaintAll(): void {
    this.painter.forget();
    this.schedule();
  }

  resize(width: number, height: number): void {
    const gutter = gutterFor(width);
    this.store.setState({ gutter });
    this.camera.resize(Math.max(1, width - gutter), Math.max(1, height));
    this.schedule();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
  }

  schedule(): void {
    if (this.frame !== 0) return;
    frameAsked();
    this.frame = requestAnimationFrame((clock) => {
      this.frame = 0;
      this.draw(clock);
      frameDrawn();
    });
  }

  private draw(clock: number): void {
    if (this.builder === undefined || this.camera.current.width <= 1) return;
    const model = this.updateModel(this.builder);
    const now = model.isRunning ? Math.max(wholeNow(), model.state.now) : model.state.now;
    const { rows } = this.store.getState();
    const { t } = playheadStore.getState();
    this.camera.follow(viewStore.getState().follow && !model.isOver && t === undefined);
    const roomForRows = this.camera.current.height - METRICS.ruler - METRICS.modelRow;
    this.camera.look({ axis: this.timeAxis, now, rowsHeight: rows.height, roomForRows });
    const view = this.camera.frame(clock);
    if (pathStore.getState().isShown && this.paths?.update(clock) === true) this.schedule();
    this.drawn = this.inputFor(model, now, view);
    this.scene = layout(this.drawn);
    const past = this.past.inputFor(this.drawn, untilLater(MODEL_MS));
    // Half of what was known then would be another past: the last picture stays until all is there.
    if (past === 'later') {
      this.schedule();
      return;
    }
    this.painter.paint(this.scene, view.width, view.height, past && { ...past, scene: layout(past.input) });
    this.drawAround(this.drawn, clock);
    announceMoved();
    this.keepMoving(model);
  }

  /** The live edge moves while something runs here; the edge of a file moves only with its events. */
  private keepMoving(model: TimelineModel): void {
    if (this.camera.isMoving || this.modelIsStale) this.schedule();
    else if (!model.isRunning || isOver(model.state)) return;
    else if (!this.camera.reducedMotion) this.schedule();
    else {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.schedule(), STEP_MS);
    }
  }

  private updateModel(builder: TimelineBuilder): TimelineModel {
    if (this.known !== undefined && !this.modelIsStale) return this.known;
    const { collapsedAgents, selectedCall } = viewStore.getState();
    const model = builder.update({ now: wholeNow(), collapsedAgents, selectedCall }, untilLater(MODEL_MS));
    this.known = model;
    if (this.isInPieces) this.camera.knowMore();
    this.modelIsStale = !builder.isWhole;
    this.isInPieces = !builder.isWhole;
    this.updateAxis(model.folds);
    const rows = rowsOf(model, METRICS, { foldedQueues: this.store.getState().foldedQueues, bare: false });
    this.store.setState({
      rows,
      model,
      signature: rowsSignature(model, rows),
      isEmpty: model.state.calls.length === 0,
    });
    return model;
  }

  private updateAxis(folds: readonly Fold[]): void {
    const gaps = folds.map((fold) => ({ fold, isFolded: !this.unfolded.has(fold.from) }));
    const key = gaps.map(({ fold, isFolded }) => `${fold.from}-${fold.until}${isFolded}`).join();
    if (key === this.foldKey) return;
    this.foldKey = key;
    this.timeAxis = timeAxis(gaps.filter((gap) => gap.isFolded).map((gap) => gap.fold));
    this.store.setState({ gaps });
  }

  private inputFor(model: TimelineModel, now: number, view: View): LayoutInput {
    const { selectedCall, hoveredCall, focusedCascade } = viewStore.getState();
    const { rows, clock } = this.store.getState();
    const { matching, found } = filterStore.getState();
    const index = (id: CallId | undefined): number | undefined =>
      id === undefined ? undefined : model.state.callIndex[id];
    const culprit = index(focusedCascade);
    return {
      model,
      rows,
      view,
      axis: this.timeAxis,
      now,
      showNow: !model.isOver,
      dpr: this.painter.dpr,
      measure: this.painter.measure,
      selected: index(selectedCall),
      hovered: index(hoveredCall),
      hasFocus: this.hasFocus,
      focused: culprit === undefined ? undefined : model.cascades.find((mark) => mark.culprit === culprit),
      measured: this.measured,
      matching,
      found,
      clock,
      playhead: playheadStore.getState().t,
      path: pathStore.getState().isShown ? this.paths?.columns : undefined,
    };
  }

  /** Mini-map, gutter and scroll bar go along with the picture. */
  private drawAround({ model, now, view }: LayoutInput, clock: number): void {
    const mini = this.miniScale(model, now);
    this.painter.paintMinimap({ model, mini, now, playhead: playheadStore.getState().t }, clock);
    const { x, w } = miniWindow(mini, shownStretch(this.timeAxis, view));
    const { style } = this.elements.miniWindow;
    style.transform = `translateX(${x}px)`;
    style.width = `${w}px`;
    this.elements.gutterRows.style.transform = `translateY(${-view.scrollY}px)`;
    const { scroller } = this.elements;
    if (Math.abs(scroller.scrollTop - view.scrollY) >= 1) scroller.scrollTop = view.scrollY;
    const calls = model.state.calls.length;
    const isMerged = calls >= MANY_CALLS && (view.scale * now) / calls < 1.5;
    if (isMerged !== this.store.getState().isMerged) this.store.setState({ isMerged });
  }

  miniScale(model: TimelineModel, now: number): MiniScale {
    return miniScale(this.timeAxis, this.camera.current.width, now, !model.isOver);
  }

  /** What was known of the session at the playhead; all that is known, where nothing is scrubbed. */
  get knownThen(): TimelineModel | undefined {
    return this.past.model ?? this.known;
  }

  /** Brings the playhead into view after it was moved by anything but the pointer. */
  revealPlayhead(t: number): void {
    const { width, scale, offset } = this.camera.current;
    const x = positionOf(this.timeAxis, scale, t) - offset;
    if (x < EDGE || x > width - EDGE) this.camera.panBy(width * 0.35 - x, 0);
  }

  /** The thing under a point of the canvas. */
  hit(x: number, y: number): Hit {
    return this.drawn === undefined || this.scene === undefined ? undefined : hitAt(this.drawn, this.scene, x, y);
  }

  /** Where a call's bar lies on the canvas, in view or not. */
  rectOfCall(callId: CallId): BarRect | undefined {
    const { input } = this;
    const item = input?.model.state.callIndex[callId];
    return input === undefined || item === undefined
      ? undefined
      : rectOf(new Drawing(input, fixedHeightOf(input)), item);
  }

  /** A folded gap of the last picture. */
  foldAt(index: number): Fold | undefined {
    return this.timeAxis.folds[index];
  }

  /** Shows a folded gap at its full length, or folds it again. */
  toggleFold(fold: Fold): void {
    if (!this.unfolded.delete(fold.from)) this.unfolded.add(fold.from);
    this.rebuild();
  }
}
