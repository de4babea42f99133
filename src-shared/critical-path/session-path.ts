import type { SessionState, Turn } from '../session/state.ts';
import { mainTurns } from '../turns/turn-of.ts';
import { type CriticalPath, criticalPath } from './path.ts';

/** The main agent's turns; where it has none, as in files that hold a sub-agent alone, those of all agents. */
const turnsOf = (state: SessionState): readonly Turn[] => {
  const own = mainTurns(state);
  return own.length > 0 ? own : state.turns;
};

/** The critical paths of all turns of a session, oldest first. */
export const sessionPaths = (state: SessionState): readonly CriticalPath[] =>
  turnsOf(state).map((turn) => criticalPath(state, turn));

/**
 * The same of a session that grows: a finished turn is worked out once. `update` may be given until when it may work, so
 * that a page with many turns stays alive; it says whether it got through.
 */
export class SessionPaths {
  private readonly state: SessionState;
  private readonly done = new Map<Turn['turnId'], CriticalPath>();
  private known: readonly CriticalPath[] = [];
  private seq = -1;

  constructor(state: SessionState) {
    this.state = state;
  }

  /** As far as they are known, oldest first. The list is another one whenever one of its paths is. */
  get paths(): readonly CriticalPath[] {
    return this.known;
  }

  /** Has all that has happened been looked at? */
  get isCurrent(): boolean {
    return this.seq === this.state.nextSeq;
  }

  /** Works out what is missing while `mayGoOn`. True when all is there. */
  update(mayGoOn: () => boolean = () => true): boolean {
    if (this.isCurrent) return true;
    const paths: CriticalPath[] = [];
    // One is always worked out, or it would never come to an end.
    let worked = false;
    for (const turn of turnsOf(this.state)) {
      let path = this.done.get(turn.turnId);
      if (path === undefined) {
        if (worked && !mayGoOn()) {
          this.known = paths;
          return false;
        }
        path = criticalPath(this.state, turn);
        worked = true;
        if (turn.end !== undefined) this.done.set(turn.turnId, path);
      }
      paths.push(path);
    }
    this.known = paths;
    this.seq = this.state.nextSeq;
    return true;
  }

  /** The path of one turn. */
  of(turn: Turn): CriticalPath {
    const known = this.done.get(turn.turnId);
    if (known !== undefined) return known;
    const path = criticalPath(this.state, turn);
    if (turn.end !== undefined) this.done.set(turn.turnId, path);
    return path;
  }
}
