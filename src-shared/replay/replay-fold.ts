import type { SessionEvent } from '../session/event.ts';
import { apply, emptySession, type SessionState } from '../session/state.ts';
import { copyWithoutIndex, indexOf, type Snapshot } from './copy-state.ts';

/** No more snapshots than this are kept; the distance between them grows with the session. */
const MOST_SNAPSHOTS = 128;
const LEAST_DISTANCE = 512;

/** A state, and the number of events it is made of. */
type Kept = { readonly position: number; readonly snapshot: Snapshot };

/**
 * The state of a session after any number of its events. Going on from where it stands costs the new events alone and
 * lets the same object grow; going back starts at the nearest snapshot with another object.
 */
export class ReplayFold {
  private readonly events: readonly SessionEvent[];
  private state: SessionState = emptySession();
  private at = 0;
  private kept: Kept[] = [];
  private distance = LEAST_DISTANCE;

  /** The list may grow while the session goes on. */
  constructor(events: readonly SessionEvent[]) {
    this.events = events;
  }

  /** How many snapshots are kept. */
  get snapshots(): number {
    return this.kept.length;
  }

  /**
   * The state after the first `position` events, the same as a fresh fold of them. The object belongs to the fold: it
   * grows at the next call that goes forward.
   */
  stateAt(position: number): SessionState {
    const wanted = Math.max(0, Math.min(this.events.length, Math.floor(position)));
    const nearest = this.kept.findLast((one) => one.position <= wanted);
    if (wanted < this.at || (nearest !== undefined && nearest.position > this.at)) this.restore(nearest);
    while (this.at < wanted) {
      apply(this.state, this.events[this.at] as SessionEvent);
      this.at++;
      if (this.at % this.distance === 0) this.keep();
    }
    return this.state;
  }

  private restore(kept: Kept | undefined): void {
    this.at = kept?.position ?? 0;
    this.state =
      kept === undefined ? emptySession() : { ...copyWithoutIndex(kept.snapshot), callIndex: indexOf(kept.snapshot) };
  }

  private keep(): void {
    const before = this.kept.findLastIndex(({ position }) => position <= this.at);
    if (this.kept[before]?.position === this.at) return;
    this.kept.splice(before + 1, 0, { position: this.at, snapshot: copyWithoutIndex(this.state) });
    if (this.kept.length <= MOST_SNAPSHOTS) return;
    this.distance *= 2;
    this.kept = this.kept.filter(({ position }) => position % this.distance === 0);
  }
}
