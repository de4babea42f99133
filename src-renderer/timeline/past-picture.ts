import type { LayoutInput } from '../../src-shared/chart/layout/drawing.ts';
import { rowsAt } from '../../src-shared/chart/rows-at.ts';
import { positionOf } from '../../src-shared/timeline/axis.ts';
import { TimelineBuilder } from '../../src-shared/timeline/model.ts';
import type { TimelineModel } from '../../src-shared/timeline/tracks.ts';
import { sessionTime } from '../../src-shared/units.ts';
import { playheadStore, viewAtPlayhead } from '../replay/playhead-store.ts';
import { sessionStore } from '../state/session-store.ts';
import { viewStore } from '../state/view-store.ts';

/** What lies left of the playhead: its input, and where it ends on the canvas, in px. */
export type Past = { readonly input: LayoutInput; readonly x: number };

/**
 * Keeps the model of what was known at the playhead. It is built from the state there alone, so that nothing of the future
 * can show; while the playhead goes forward it grows and costs only what is new.
 */
export class PastPicture {
  private builder: TimelineBuilder | undefined;
  private of: object | undefined;
  private version = 0;
  private known: TimelineModel | undefined;
  /** The model of the whole that it went with: a new one may have other rows, or another call selected. */
  private beside: TimelineModel | undefined;

  get model(): TimelineModel | undefined {
    return playheadStore.getState().t === undefined ? undefined : this.known;
  }

  /**
   * The picture at the playhead, in the rows, the view and the axis of the whole; undefined where nothing is scrubbed.
   * `later`: it could not be made while `mayGoOn`, and goes on with the next question.
   */
  inputFor(whole: LayoutInput, mayGoOn: () => boolean): Past | 'later' | undefined {
    const { t } = playheadStore.getState();
    const open = sessionStore.getState();
    if (t === undefined || open.phase !== 'open') {
      this.builder = undefined;
      this.of = undefined;
      this.known = undefined;
      return undefined;
    }
    const { state, version } = viewAtPlayhead(open);
    if (this.builder === undefined || this.of !== state) this.builder = new TimelineBuilder(state);
    const isCurrent = this.of === state && this.version === version && this.beside === whole.model;
    let model = this.known;
    if (model === undefined || !isCurrent) {
      const { collapsedAgents, selectedCall } = viewStore.getState();
      model = this.builder.update({ now: sessionTime(t), collapsedAgents, selectedCall }, mayGoOn);
    }
    this.of = state;
    this.version = version;
    this.beside = whole.model;
    this.known = this.builder.isWhole ? model : undefined;
    if (this.known === undefined) return 'later';
    const there = (index: number | undefined): number | undefined =>
      index === undefined || index >= state.calls.length ? undefined : index;
    const input: LayoutInput = {
      ...whole,
      model,
      rows: rowsAt(whole.rows, model),
      now: t,
      showNow: false,
      playhead: undefined,
      selected: there(whole.selected),
      hovered: there(whole.hovered),
      focused: model.cascades.find(({ culprit }) => culprit === whole.focused?.culprit),
      measured: undefined,
    };
    return { input, x: positionOf(whole.axis, whole.view.scale, t) - whole.view.offset };
  }
}
