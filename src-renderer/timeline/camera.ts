import {
  between,
  clampScale,
  easeOut,
  fitStretch,
  followOffset,
  followOffsetInJumps,
  followScale,
  keepInside,
  pan,
  type Stretch,
  timeOf,
  type View,
  xOf,
  zoomAt,
} from '../../src-shared/chart/viewport.ts';
import { STRAIGHT, type TimeAxis } from '../../src-shared/timeline/axis.ts';

/** What the camera has to know of the session it looks at. */
export type Subject = {
  readonly axis: TimeAxis;
  /** Time of the live edge, or of the end. */
  readonly now: number;
  readonly rowsHeight: number;
  /** Height of the canvas that rows scroll in. */
  readonly roomForRows: number;
};

const ZOOM_MS = 220;

type Flight = { readonly from: View; readonly to: View; readonly startedAt: number };

/**
 * Decides what part of the session is on screen: by hand, by flying to a place, or by following the live edge. Knows no
 * canvas; `frame` is given the time, so that tests move it by hand.
 */
export class Camera {
  private view: View = { width: 0, height: 0, scale: 0.05, offset: 0, scrollY: 0 };
  private subject: Subject = { axis: STRAIGHT, now: 0, rowsHeight: 0, roomForRows: 0 };
  private flight: Flight | undefined;
  private isFollowing = false;
  /** The person has chosen a scale: following keeps it. */
  private hasOwnScale = false;
  private wantsFit = true;
  /** Nobody has zoomed or panned since the whole session was fitted: another width, or more of it, is fitted again. */
  private showsWhole = false;
  reducedMotion = false;

  get current(): View {
    return this.view;
  }

  get isMoving(): boolean {
    return this.flight !== undefined;
  }

  /** A new session: forget where the old one was looked at. */
  reset(): void {
    this.flight = undefined;
    this.hasOwnScale = false;
    this.showsWhole = false;
    this.wantsFit = true;
    this.view = { ...this.view, offset: 0, scrollY: 0 };
  }

  resize(width: number, height: number): void {
    const wasEmpty = this.view.width === 0;
    const isOther = this.view.width !== width;
    this.view = { ...this.view, width, height };
    if (wasEmpty || (isOther && this.showsWhole)) this.wantsFit = true;
  }

  follow(on: boolean): void {
    if (on && !this.isFollowing) this.flight = undefined;
    this.isFollowing = on;
  }

  /** More of the session has become known, with its gaps: who looks at all of it still does. */
  knowMore(): void {
    if (this.showsWhole) this.wantsFit = true;
  }

  /** What it looks at has changed. When gaps fold or unfold, the time at the left edge stays where it is. */
  look(subject: Subject): void {
    const before = this.subject;
    this.subject = subject;
    if (this.showsWhole && subject.now > before.now) this.wantsFit = true;
    if (before.axis !== subject.axis && !this.wantsFit && !this.isFollowing) {
      const left = timeOf(before.axis, this.view, 0);
      this.view = { ...this.view, offset: this.view.offset + xOf(subject.axis, this.view, left) };
    }
  }

  /** The view of this frame. @param clock milliseconds of any steady clock. */
  frame(clock: number): View {
    if (this.view.width === 0) return this.view;
    if (this.wantsFit && this.subject.now > 0) {
      this.wantsFit = false;
      if (!this.isFollowing) {
        this.view = { ...this.whole(), scrollY: this.view.scrollY };
        this.showsWhole = true;
      }
    }
    if (this.flight !== undefined) {
      const share = Math.min(1, (clock - this.flight.startedAt) / ZOOM_MS);
      this.view = between(this.subject.axis, this.flight.from, this.flight.to, easeOut(share));
      if (share >= 1) this.flight = undefined;
    } else if (this.isFollowing) this.view = this.followed();
    const { axis, now, rowsHeight, roomForRows } = this.subject;
    this.view = keepInside(axis, this.view, now, rowsHeight, roomForRows);
    return this.view;
  }

  private followed(): View {
    const { axis, now } = this.subject;
    const scale = this.hasOwnScale ? this.view.scale : followScale(this.view, now);
    // Steps of the scale are taken at a glide, so that bars do not jump.
    const eased = this.reducedMotion || this.hasOwnScale ? scale : this.view.scale * (scale / this.view.scale) ** 0.18;
    const near = Math.abs(eased / scale - 1) < 0.002 ? scale : eased;
    const view = { ...this.view, scale: this.view.offset === 0 && now < 1 ? scale : near };
    const offset = this.reducedMotion ? followOffsetInJumps(axis, view, now) : followOffset(axis, view, now);
    return { ...view, offset };
  }

  private whole(): View {
    return fitStretch(this.subject.axis, this.view, { from: 0, until: Math.max(1, this.subject.now) });
  }

  /** Zooms by hand. While following, the live edge stays where it is. */
  zoom(factor: number, x: number): void {
    this.flight = undefined;
    this.hasOwnScale = true;
    this.showsWhole = false;
    const { axis, now } = this.subject;
    this.view = zoomAt(axis, this.view, factor, this.isFollowing ? xOf(axis, this.view, now) : x);
  }

  panBy(dx: number, dy: number): void {
    this.flight = undefined;
    if (dx !== 0) this.showsWhole = false;
    this.view = pan(this.view, dx, dy);
  }

  scrollTo(scrollY: number): void {
    this.view = { ...this.view, scrollY };
  }

  fit(clock: number): void {
    this.hasOwnScale = false;
    this.flyTo({ ...this.whole(), scrollY: this.view.scrollY }, clock);
    this.showsWhole = !this.isFollowing;
  }

  fitTo(stretch: Stretch, clock: number, margin = this.view.width * 0.12): void {
    this.hasOwnScale = true;
    this.showsWhole = false;
    this.flyTo(fitStretch(this.subject.axis, this.view, stretch, margin), clock);
  }

  /** Shows exactly this stretch, at once: the mini-map's window is dragged. */
  show(stretch: Stretch): void {
    this.flight = undefined;
    this.hasOwnScale = true;
    this.showsWhole = false;
    this.view = fitStretch(this.subject.axis, this.view, stretch, 0);
  }

  /** Moves only as far as needed to bring a place into view. */
  reveal(stretch: Stretch, rowTop: number, rowBottom: number, clock: number): void {
    const { axis, roomForRows } = this.subject;
    const left = xOf(axis, this.view, stretch.from);
    const right = xOf(axis, this.view, stretch.until);
    let { offset, scrollY } = this.view;
    if (right < 16 || left > this.view.width - 16) {
      const length = right - left;
      offset +=
        length > this.view.width * 0.8 ? left - this.view.width * 0.1 : (left + right) / 2 - this.view.width / 2;
    }
    if (rowTop < scrollY) scrollY = rowTop;
    else if (rowBottom > scrollY + roomForRows) scrollY = rowBottom - roomForRows;
    if (offset !== this.view.offset || scrollY !== this.view.scrollY) {
      this.flyTo({ ...this.view, offset, scrollY }, clock);
    }
  }

  private flyTo(to: View, clock: number): void {
    const { axis, now, rowsHeight, roomForRows } = this.subject;
    const target = keepInside(axis, { ...to, scale: clampScale(to.scale) }, now, rowsHeight, roomForRows);
    if (this.reducedMotion) {
      this.flight = undefined;
      this.view = target;
    } else this.flight = { from: this.view, to: target, startedAt: clock };
  }
}
