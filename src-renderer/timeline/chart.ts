import { NUMBER_REACH } from '../../src-shared/chart/layout/bar.ts';
import type { LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import type { BarRect } from '../../src-shared/chart/layout/overlay.ts';
import { fixedHeightOf } from '../../src-shared/chart/layout.ts';
import { shownStretch, timeOf } from '../../src-shared/chart/viewport.ts';
import type { CallId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Fold } from '../../src-shared/timeline/axis.ts';
import { callAt, type TimelineModel } from '../../src-shared/timeline/tracks.ts';
import { type SessionTime, sessionTime } from '../../src-shared/units.ts';
import { endOfTape, leavePlayhead, playheadStore, seekToTime } from '../replay/playhead-store.ts';
import { selectCall, viewStore } from '../state/view-store.ts';
import type { ChartHandle, ClientRect } from './actions.ts';
import type { ChartSnapshot, ChartStore } from './chart-store.ts';
import type { Wish } from './interaction/gesture.ts';
import type { Hit } from './interaction/hit.ts';
import type { KeyWish } from './interaction/keys.ts';
import { neighbour } from './interaction/navigate.ts';
import { miniTime, stretchAround } from './minimap.ts';
import { type ChartElements, Picture } from './picture.ts';
import { selectedStretch, stretchOf, turnInView } from './targets.ts';

const BUTTON_ZOOM = 1.5;
/** Free room, in px, at both sides of a turn that is shown whole. */
const TURN_MARGIN = 24;
/** A bar counts as out of view when less than this of it shows. */
const EDGE = 16;

type WindowWish = Extract<Wish, { wish: 'jump' | 'move-window' | 'size-window' }>;

/** The chart on screen: does what pointer, keys, toolbar and the other regions ask for. */
export class Chart {
  private readonly picture: Picture;
  private readonly canvas: HTMLElement;
  private isOwnSelection = false;
  private isOwnSeek = false;

  constructor(elements: ChartElements, store: ChartStore) {
    this.picture = new Picture(elements, store);
    this.canvas = elements.canvas;
  }

  get store(): ChartStore {
    return this.picture.store;
  }

  show(state: SessionState | undefined, of?: string): void {
    this.picture.show(state, of);
  }

  /** What the person chose has changed: selection, follow, collapsed agents, a cascade. */
  choose(change: { readonly selectionChanged: boolean; readonly modelChanged: boolean }): void {
    if (change.modelChanged) this.picture.rebuild();
    if (change.selectionChanged && !this.isOwnSelection) this.revealSelection();
    this.picture.schedule();
  }

  setReducedMotion(on: boolean): void {
    this.picture.camera.reducedMotion = on;
  }

  setFocus(on: boolean): void {
    this.picture.hasFocus = on;
    this.picture.schedule();
  }

  repaintAll(): void {
    this.picture.repaintAll();
  }

  resize(width: number, height: number): void {
    this.picture.resize(width, height);
  }

  scrollTo(scrollY: number): void {
    if (Math.abs(this.picture.camera.current.scrollY - scrollY) < 1) return;
    this.picture.camera.scrollTo(scrollY);
    this.picture.schedule();
  }

  set(change: Partial<Pick<ChartSnapshot, 'clock' | 'foldedQueues'>>): void {
    this.store.setState(change);
    this.picture.rebuild();
  }

  dispose(): void {
    this.picture.dispose();
  }

  /** Does what a gesture asked for. */
  grant(wish: Wish): void {
    const { input, camera, axis } = this.picture;
    if (input === undefined) return;
    switch (wish.wish) {
      case 'zoom':
        camera.zoom(wish.factor, wish.x);
        break;
      case 'pan':
        if (wish.dx !== 0) this.stopFollowing();
        camera.panBy(wish.dx, wish.dy);
        break;
      case 'hover':
        this.hover(this.picture.hit(wish.x, wish.y), wish.x, wish.y);
        return;
      case 'unhover':
        this.hover(undefined, 0, 0);
        return;
      case 'click':
        this.click(this.picture.hit(wish.x, wish.y));
        return;
      case 'measure':
        this.picture.measured = stretchOf(timeOf(axis, input.view, wish.fromX), timeOf(axis, input.view, wish.toX));
        break;
      case 'measured':
        this.store.setState({ isMeasuring: false });
        break;
      case 'unmeasure':
        this.clearMeasured();
        return;
      case 'seek':
        this.seek(timeOf(axis, input.view, Math.max(0, Math.min(wish.x, input.view.width))));
        break;
      case 'jump':
      case 'move-window':
      case 'size-window':
        this.moveWindow(wish, input);
        break;
    }
    this.picture.schedule();
  }

  private moveWindow(wish: WindowWish, { model, now, view }: LayoutInput): void {
    this.stopFollowing();
    const { camera, axis } = this.picture;
    const mini = this.picture.miniScale(model, now);
    const shown = shownStretch(axis, view);
    if (wish.wish === 'jump') camera.show(stretchAround(mini, wish.x, shown));
    else if (wish.wish === 'move-window') camera.panBy((-wish.dx / mini.perMs) * view.scale, 0);
    else {
      const t = miniTime(mini, wish.x);
      camera.show(wish.side === 'left' ? stretchOf(t, shown.until) : stretchOf(shown.from, t));
    }
  }

  /** At the live edge nothing is past: the chart goes on. */
  private seek(t: number): void {
    playheadStore.setState({ playing: false });
    this.isOwnSeek = true;
    if (this.picture.model?.isOver === false && t >= endOfTape()) leavePlayhead();
    else seekToTime(t);
    this.isOwnSeek = false;
  }

  /** The playhead has moved. */
  movePlayhead(t: number | undefined): void {
    if (t !== undefined && !this.isOwnSeek) this.picture.revealPlayhead(t);
    this.hover(undefined, 0, 0);
    this.picture.schedule();
  }

  isRuler(y: number): boolean {
    return y < this.store.getState().rows.metrics.ruler;
  }

  private hover(hit: Hit, x: number, y: number): void {
    const { model } = this.picture;
    const callId = hit?.kind === 'call' && model !== undefined ? callAt(model, hit.item).callId : undefined;
    if (viewStore.getState().hoveredCall !== callId) viewStore.setState({ hoveredCall: callId });
    const before = this.store.getState().hover;
    if (hit === undefined && before === undefined) return;
    if (hit !== undefined && before !== undefined && sameHit(hit, before.hit)) return;
    this.store.setState({ hover: hit === undefined ? undefined : { hit, x, y } });
  }

  private click(hit: Hit): void {
    const { model } = this.picture;
    if (model === undefined) return;
    switch (hit?.kind) {
      case 'fold': {
        const fold = this.picture.foldAt(hit.index);
        if (fold !== undefined) this.picture.toggleFold(fold);
        this.hover(undefined, 0, 0);
        return;
      }
      case 'pill': {
        const { callId } = callAt(model, hit.culprit);
        viewStore.setState((view) => ({ focusedCascade: view.focusedCascade === callId ? undefined : callId }));
        return;
      }
      case 'call':
        this.select(callAt(model, hit.item).callId);
        return;
      case 'hook':
        this.select(model.state.hookRuns[hit.index]?.callId);
        return;
      case 'shell':
        this.select(model.state.shells[hit.index]?.callId);
        return;
      case 'request':
      case 'process':
        return;
      case undefined:
        this.clearMeasured();
        this.select(undefined);
    }
  }

  private select(callId: CallId | undefined): void {
    this.isOwnSelection = true;
    selectCall(callId);
    this.isOwnSelection = false;
  }

  private stopFollowing(): void {
    if (viewStore.getState().follow && this.picture.model?.isOver === false) viewStore.setState({ follow: false });
  }

  private clearMeasured(): void {
    this.picture.measured = undefined;
    this.store.setState({ isMeasuring: false });
    this.picture.schedule();
  }

  /** Escape has something to clear here. */
  get isMeasuring(): boolean {
    return this.picture.measured !== undefined || this.store.getState().isMeasuring;
  }

  /** Does what a key asked for. */
  obey(wish: KeyWish): void {
    const { camera } = this.picture;
    const { width } = camera.current;
    switch (wish.wish) {
      case 'zoom-by':
        camera.zoom(wish.factor, width / 2);
        break;
      case 'pan-by':
        this.stopFollowing();
        camera.panBy(wish.share * width, 0);
        break;
      case 'go':
        this.go(wish.to);
        break;
      case 'fit':
        this.handle.fit();
        break;
      case 'fit-selection':
        this.handle.fitSelection();
        break;
      case 'zoom-to-turn':
        this.handle.zoomToTurn();
        break;
      case 'follow':
        this.handle.toggleFollow();
        break;
      case 'inspect':
        if (viewStore.getState().selectedCall !== undefined) viewStore.setState({ inspectorOpen: true });
        break;
      case 'measure':
        this.store.setState((chart) => ({ isMeasuring: !chart.isMeasuring }));
        break;
      case 'clear-measure':
        this.clearMeasured();
        break;
    }
    this.picture.schedule();
  }

  private go(to: 'before' | 'after' | 'above' | 'below'): void {
    const { input, axis } = this.picture;
    if (input === undefined) return;
    const { model, rows, selected, view } = input;
    const item = neighbour(model, rows, selected, to, timeOf(axis, view, view.width / 2));
    if (item === undefined) return;
    this.select(callAt(model, item).callId);
    this.revealSelection();
  }

  private revealSelection(): void {
    const { input, axis, camera, model } = this.picture;
    const { selectedCall } = viewStore.getState();
    const rect = selectedCall === undefined ? undefined : this.picture.rectOfCall(selectedCall);
    if (rect === undefined || input === undefined || model === undefined) return;
    const { view } = input;
    if (rect.x + rect.w < EDGE || rect.x > view.width - EDGE) this.stopFollowing();
    camera.follow(viewStore.getState().follow && !model.isOver);
    const stretch = { from: timeOf(axis, view, rect.x), until: timeOf(axis, view, rect.x + rect.w) };
    camera.reveal(stretch, rect.row.y - 24, rect.row.y + rect.row.height + 8, performance.now());
    this.picture.schedule();
  }

  /** What was known at the playhead, for what is said of bars. */
  get knownThen(): TimelineModel | undefined {
    return this.picture.knownThen;
  }

  rectOfCall(callId: CallId): BarRect | undefined {
    return this.picture.rectOfCall(callId);
  }

  foldAt(index: number): Fold | undefined {
    return this.picture.foldAt(index);
  }

  toggleFold(fold: Fold): void {
    this.picture.toggleFold(fold);
  }

  /** Session time at this moment, as the chart shows it. */
  get now(): SessionTime {
    return sessionTime(this.picture.input?.playhead ?? this.picture.input?.now ?? 0);
  }

  private clientRectOf(callId: CallId): ClientRect | undefined {
    const { input } = this.picture;
    const rect = this.picture.rectOfCall(callId);
    if (rect === undefined || input === undefined) return undefined;
    const { width, height } = input.view;
    const right = rect.x + rect.w;
    if (right < 0 || rect.x > width || rect.y < fixedHeightOf(input) || rect.y + rect.h > height) return undefined;
    const canvas = this.canvas.getBoundingClientRect();
    const left = Math.max(0, rect.x);
    const reach = input.model.askNumbers.has(callId) ? NUMBER_REACH : 0;
    return {
      x: canvas.left + left,
      y: canvas.top + rect.y,
      width: Math.min(right + reach, width) - left,
      height: rect.h,
    };
  }

  /** Commands for the toolbar, the palette and the permission board. */
  readonly handle: ChartHandle = {
    fit: () => {
      this.stopFollowing();
      this.picture.camera.fit(performance.now());
      this.picture.schedule();
    },
    zoomIn: () => this.obey({ wish: 'zoom-by', factor: BUTTON_ZOOM }),
    zoomOut: () => this.obey({ wish: 'zoom-by', factor: 1 / BUTTON_ZOOM }),
    fitSelection: () => this.flyTo(selectedStretch),
    zoomToTurn: () => this.flyTo(turnInView, TURN_MARGIN),
    toggleFollow: () => {
      const isBack = playheadStore.getState().t !== undefined;
      leavePlayhead();
      viewStore.setState((view) => ({ follow: isBack || !view.follow }));
    },
    barPosition: (callId) => this.clientRectOf(callId),
    look: () => ({
      view: this.picture.camera.current,
      axis: this.picture.axis,
      gutter: this.store.getState().gutter,
    }),
  };

  private flyTo(
    target: (input: LayoutInput) => { readonly from: number; readonly until: number } | undefined,
    margin?: number,
  ): void {
    const stretch = this.picture.input === undefined ? undefined : target(this.picture.input);
    if (stretch === undefined) return;
    this.stopFollowing();
    this.picture.camera.fitTo(stretch, performance.now(), margin);
    this.picture.schedule();
  }
}

const sameHit = (a: NonNullable<Hit>, b: NonNullable<Hit>): boolean => JSON.stringify(a) === JSON.stringify(b);
