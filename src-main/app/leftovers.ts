import type { SessionId } from '../../src-shared/ids.ts';
import type { LeftoverFinder, ProcessInfo } from '../ports/process-runner.ts';

/** A process that an earlier run has left behind. */
export type LeftProcess = ProcessInfo & {
  /** When it started, in ms since 1970; absent where the system does not tell. */
  readonly since?: number | undefined;
  readonly sessionId: SessionId | undefined;
};

export type LeftoversEnd = {
  readonly ended: number;
  /** What could not be ended. */
  readonly survivors: readonly ProcessInfo[];
};

/** What runs of this home have left behind that no host looks after any more, to be offered for ending (spec 3.6). */
export class Leftovers {
  readonly #finder: LeftoverFinder;
  readonly #prefix: string;

  /** @param markerPrefix of everything that runs of this home start; the session's id follows after a colon. */
  constructor(finder: LeftoverFinder, markerPrefix: string) {
    this.#finder = finder;
    this.#prefix = `${markerPrefix}:`;
  }

  async list(): Promise<readonly LeftProcess[]> {
    const found = await this.#finder.findLeftovers(this.#prefix);
    return found.map(({ marker, ...process }) => {
      const sessionId = marker.slice(this.#prefix.length).split(':', 1)[0];
      return { ...process, sessionId: sessionId === '' ? undefined : (sessionId as SessionId) };
    });
  }

  /** Ends those that are left behind now, with everything below them. */
  async end(): Promise<LeftoversEnd> {
    const found = await this.#finder.findLeftovers(this.#prefix);
    const survivors = await this.#finder.endLeftovers([...new Set(found.map(({ marker }) => marker))]);
    const alive = new Set(survivors.map(({ pid }) => pid));
    return { ended: found.filter(({ pid }) => !alive.has(pid)).length, survivors };
  }
}
