import { createStore } from 'zustand/vanilla';
import { type PathColumns, pathColumns } from '../../src-shared/critical-path/columns.ts';
import { SessionPaths } from '../../src-shared/critical-path/session-path.ts';
import type { SessionState } from '../../src-shared/session/state.ts';

/** Is the line drawn in the chart? A choice of the person, for all sessions. */
export const pathStore = createStore<{ readonly isShown: boolean }>(() => ({ isShown: false }));

export const togglePath = (): void => pathStore.setState(({ isShown }) => ({ isShown: !isShown }));

/** Work on the paths may take this long in one frame, in ms. */
const FRAME_MS = 12;
/** In a session that runs, the next look at the path comes after this many times the cost of the last one. */
const REST = 15;

/** The paths of one session for the chart, worked out a piece a frame. */
export class PathKeeper {
  private readonly paths: SessionPaths;
  private made: PathColumns | undefined;
  private of: unknown;
  private restsUntil = 0;

  constructor(state: SessionState) {
    this.paths = new SessionPaths(state);
  }

  get columns(): PathColumns | undefined {
    return this.made;
  }

  /** Works on what is missing. True: come again in the next frame, there is more to do. */
  update(clock: number): boolean {
    if (this.paths.isCurrent) return false;
    if (clock < this.restsUntil) return true;
    const from = performance.now();
    const isDone = this.paths.update(() => performance.now() - from < FRAME_MS);
    if (isDone && this.paths.paths !== this.of) {
      this.of = this.paths.paths;
      this.made = pathColumns(this.paths.paths);
    }
    if (isDone) this.restsUntil = clock + REST * (performance.now() - from);
    return !isDone;
  }
}
