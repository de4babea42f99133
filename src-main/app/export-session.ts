import { setImmediate } from 'node:timers/promises';
import { tableMeasure } from '../../src-shared/chart/font-widths.ts';
import { type Poster, poster } from '../../src-shared/chart/poster.ts';
import type { ExportStretch } from '../../src-shared/export/formats.ts';
import type { RedactionReport } from '../../src-shared/export/redaction.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { apply, emptySession, type SessionState } from '../../src-shared/session/state.ts';
import { type ExportChoice, exported } from '../core/export/exporters.ts';
import { type OwnPattern, ownDetector } from '../core/redact/own-patterns.ts';
import { Redactor } from '../core/redact/redactor.ts';
import type { Clock } from '../ports/clock.ts';
import type { ExportFile } from '../ports/export-file.ts';

export type ExportDeps = {
  readonly clock: Clock;
  /** `Gantry 0.1.0`. */
  readonly generator: string;
  /** The built page of `html`. @throws FailureError when it is not there. */
  readonly loadPage: () => Promise<string>;
};

export type Redaction = {
  readonly homes: readonly string[];
  readonly patterns: readonly OwnPattern[];
  readonly advisor: boolean;
};

/** A session as it will be written. */
export type Prepared = {
  readonly state: SessionState;
  readonly events: readonly SessionEvent[];
  /** Undefined: nothing was looked for. */
  readonly report: RedactionReport | undefined;
};

export type ExportProgress = {
  readonly phase: 'reading' | 'writing';
  /** Share of the events that is read, 0 to 1; undefined where it is not known. */
  readonly share: number | undefined;
  /** Characters written. */
  readonly written: number;
};

export type Running = {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
};

/** Other work waits at most so long, in ms. */
const TURN_MS = 12;
const PROGRESS_MS = 100;

/** Takes turns with whatever else the process does, tells how far it has come, and stops when it is asked to. */
class Pace {
  readonly #clock: Clock;
  readonly #running: Running;
  #turnedAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, running: Running) {
    this.#clock = clock;
    this.#running = running;
    this.#turnedAt = clock.monotonic();
  }

  get isDue(): boolean {
    return this.#clock.monotonic() - this.#turnedAt >= TURN_MS;
  }

  async turn(progress: ExportProgress): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - this.#toldAt >= PROGRESS_MS) {
      this.#toldAt = now;
      this.#running.onProgress?.(progress);
    }
    await setImmediate();
    this.#running.signal.throwIfAborted();
    this.#turnedAt = this.#clock.monotonic();
  }
}

/** Prepares and writes sessions, in small steps: neither window nor terminal waits for a large one. */
export class SessionExporter {
  readonly #deps: ExportDeps;

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /**
   * The session's events, redacted where that is wanted, and what they fold to.
   * @throws FailureError when a pattern takes too long; the signal's reason.
   */
  async prepare(
    events: readonly SessionEvent[],
    redaction: Redaction | undefined,
    running: Running,
  ): Promise<Prepared> {
    const { clock } = this.#deps;
    const pace = new Pace(clock, running);
    running.signal.throwIfAborted();
    const state = emptySession();
    const passes = redaction === undefined ? 1 : 2;
    const step = async (done: number, pass: number): Promise<void> => {
      if (!pace.isDue) return;
      const share = (pass + done / events.length) / passes;
      await pace.turn({ phase: 'reading', share, written: 0 });
    };
    if (redaction === undefined) {
      for (const [n, event] of events.entries()) {
        apply(state, event);
        await step(n, 0);
      }
      return { state, events, report: undefined };
    }
    const own = redaction.patterns.map((pattern) => ownDetector(pattern, () => clock.monotonic()));
    const redactor = new Redactor({ homes: redaction.homes, advisor: redaction.advisor, own });
    for (const [n, event] of events.entries()) {
      redactor.learn(event);
      await step(n, 0);
    }
    const redacted: SessionEvent[] = [];
    for (const [n, event] of events.entries()) {
      const shown = redactor.redact(event);
      redacted.push(shown);
      apply(state, shown);
      await step(n, 1);
    }
    return { state, events: redacted, report: redactor.report() };
  }

  /**
   * Writes a prepared session piece by piece.
   * @param write takes a piece; the next one is made when it has been taken.
   * @returns characters written.
   */
  async write(
    prepared: Prepared,
    choice: Omit<ExportChoice, 'page'> & { readonly stretch: ExportStretch | undefined },
    write: (text: string) => Promise<void>,
    running: Running,
  ): Promise<number> {
    const { clock, generator, loadPage } = this.#deps;
    const page = choice.format === 'html' ? await loadPage() : '';
    const input = { state: prepared.state, events: prepared.events, stretch: choice.stretch, generator };
    const pace = new Pace(clock, running);
    let written = 0;
    running.signal.throwIfAborted();
    for (const piece of exported(input, { format: choice.format, theme: choice.theme, page })) {
      await write(piece);
      written += piece.length;
      if (pace.isDue) await pace.turn({ phase: 'writing', share: undefined, written });
    }
    return written;
  }

  /** The same into a file, which is there as a whole or not at all. */
  async writeFile(
    prepared: Prepared,
    choice: Parameters<SessionExporter['write']>[1],
    file: ExportFile,
    running: Running,
  ): Promise<number> {
    try {
      const written = await this.write(prepared, choice, (text) => file.write(text), running);
      await file.keep();
      return written;
    } catch (error) {
      await file.drop();
      throw error;
    }
  }

  /** The chart of a prepared session as strokes, for a window to paint. */
  picture(
    prepared: Prepared,
    options: { readonly width: number; readonly stretch: ExportStretch | undefined },
  ): Poster {
    return poster(prepared.state, { ...options, measure: tableMeasure });
  }
}
