import type { Disposable } from '../../../../src-shared/disposable.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import { millis } from '../../../../src-shared/units.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { FollowWish, TranscriptFollower } from '../../../ports/transcript-follower.ts';
import { claudeCode } from '../claude-code.ts';
import { type Located, locate } from '../locate.ts';
import { ClaudeReading } from './claude-reading.ts';
import type { OnRead } from './file-tail.ts';
import { newsBetween } from './news.ts';
import { type GrowingReading, yieldTurn } from './reading.ts';
import { stampOf } from './stamp.ts';
import { WholeReading } from './whole-reading.ts';

/**
 * A file that has not grown for this long is written by nobody, in ms, by what goes on at its end. A command may run for
 * long and write nothing; a model that thinks is not silent for so long.
 */
export const QUIET_MS = { nothing: 2 * 60_000, turn: 5 * 60_000, call: 30 * 60_000 } as const;
/** Folders are looked at this often whatever the system says: it says nothing of network folders. */
export const LOOK_MS = 1_000;
/** The same for sessions of the past. */
export const LOOK_AT_REST_MS = 5_000;
/** Lines come in bursts; they are read together. */
export const BURST_MS = 80;
/** Reading and telling may take one part in so many of the time. */
const SHARE = 8;
/** But no pause is longer: a machine that slept in the middle of a look was not busy with it. */
export const MOST_PAUSE_MS = 10_000;

export type FollowDeps = {
  readonly clock: Clock;
  /** Calls back when something in one of the folders has changed. What it misses is found by looking. */
  readonly watch: (folders: readonly string[], onChange: () => void) => Disposable;
  readonly onRead?: OnRead;
};

/** Reads transcripts on while other programs write them. */
export const transcriptFollower =
  (deps: FollowDeps): TranscriptFollower =>
  (wish) => {
    const follow = new Follow(deps, wish);
    follow.begin();
    return follow;
  };

/** One session. Rests until its files change or its last line is recent; then it is read and told as it grows. */
class Follow implements Disposable {
  readonly #deps: FollowDeps;
  readonly #wish: FollowWish;
  #reading: GrowingReading | undefined;
  #events: readonly SessionEvent[] = [];
  #findings: readonly Finding[] = [];
  #stamp: string | undefined;
  /** When it last grew, or what the file says of that, as wall time. */
  #lastLineAt: number;
  #isLive = false;
  #work: keyof typeof QUIET_MS = 'nothing';
  #isBusy = false;
  /** Something changed while it was being looked at. */
  #hasMore = false;
  #wasTold = false;
  #isDisposed = false;
  #timer: Disposable | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  #watching: { readonly folders: string; readonly stop: Disposable } | undefined;
  #notBefore = 0;

  constructor(deps: FollowDeps, wish: FollowWish) {
    this.#deps = deps;
    this.#wish = wish;
    this.#lastLineAt = wish.lastLineAt ?? Number.NEGATIVE_INFINITY;
  }

  begin(): void {
    const age = this.#deps.clock.now() - this.#lastLineAt;
    this.#isLive = !this.#wish.isOver && age < QUIET_MS.call;
    this.#lookIn(0);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#watching?.stop.dispose();
  }

  /** Looks after `ms`, or sooner if that was planned already. */
  #lookIn(ms: number): void {
    const { clock } = this.#deps;
    if (this.#isDisposed) return;
    const due = Math.max(clock.monotonic() + ms, this.#notBefore);
    if (this.#timer !== undefined && this.#timerDue <= due) return;
    this.#timer?.dispose();
    this.#timerDue = due;
    this.#timer = clock.schedule(millis(Math.max(0, due - clock.monotonic())), () => {
      this.#timer = undefined;
      this.#timerDue = Number.POSITIVE_INFINITY;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isDisposed) return;
    if (this.#isBusy) {
      this.#hasMore = true;
      return;
    }
    this.#isBusy = true;
    this.#hasMore = false;
    const { clock } = this.#deps;
    const from = clock.monotonic();
    try {
      if (this.#reading === undefined) await this.#lookAtRest();
      if (this.#reading !== undefined) await this.#readOn(this.#reading);
    } catch (error) {
      this.#noteTrouble(error);
    } finally {
      this.#isBusy = false;
      const took = clock.monotonic() - from;
      this.#notBefore = clock.monotonic() + Math.min(MOST_PAUSE_MS, took * SHARE);
      this.#lookIn(this.#hasMore ? BURST_MS : this.#isLive ? LOOK_MS : LOOK_AT_REST_MS);
    }
  }

  /** A session of the past: is it written again? */
  async #lookAtRest(): Promise<void> {
    const stamp = await stampOf(this.#wish.path);
    const hasChanged = stamp !== undefined && this.#stamp !== undefined && stamp.text !== this.#stamp;
    this.#stamp = stamp?.text ?? this.#stamp;
    if (stamp === undefined) return;
    this.#watch([stamp.folder]);
    if (hasChanged) this.#noteGrowth();
    if (!this.#isLive) return;
    const { signal } = new AbortController();
    const located = await locate(this.#wish.path, { onFinding: () => {}, signal });
    this.#reading = await readingOf(located, this.#deps.onRead ?? (() => {}));
  }

  #watch(folders: readonly string[]): void {
    const key = folders.join('\n');
    if (this.#watching?.folders === key || this.#isDisposed) return;
    this.#watching?.stop.dispose();
    const stop = this.#deps.watch(folders, () => this.#lookIn(BURST_MS));
    this.#watching = { folders: key, stop };
  }

  #noteGrowth(): void {
    this.#lastLineAt = this.#deps.clock.now();
    this.#isLive = true;
  }

  async #readOn(reading: GrowingReading): Promise<void> {
    const { grown, gone } = await reading.grow();
    this.#watch(reading.folders);
    if (this.#isDisposed) return;
    if (!this.#wasTold) {
      await this.#tellFirst(reading);
      return;
    }
    if (grown) this.#noteGrowth();
    const wasLive = this.#isLive;
    this.#isLive = !gone && this.#isRecent();
    if (grown || wasLive !== this.#isLive) await this.#tell(reading);
  }

  /** Was there a line so lately that more are to come? */
  #isRecent(): boolean {
    const quiet = this.#deps.clock.now() - this.#lastLineAt;
    return quiet < QUIET_MS[this.#work];
  }

  /** Whether something goes on at its end shows only now. A session that is over stays as it was opened. */
  async #tellFirst(reading: GrowingReading): Promise<void> {
    const { events } = await reading.tell(true);
    this.#work = workAtEnd(events);
    this.#isLive = this.#isRecent();
    if (this.#isLive) await this.#tell(reading);
    else this.#reading = undefined;
  }

  async #tell(reading: GrowingReading): Promise<void> {
    const { events, findings, texts } = await reading.tell(this.#isLive);
    await yieldTurn();
    const { keep, events: fresh, amended } = newsBetween(this.#events, events);
    if (this.#isDisposed) return;
    this.#events = events;
    this.#work = workAtEnd(events);
    this.#wasTold = true;
    this.#findings = findings;
    const lastLineAt = this.#isLive ? this.#lastLineAt : undefined;
    this.#wish.onNews({ keep, events: fresh, amended, findings, texts, lastLineAt });
  }

  /** What was read stays. It is tried again, and is told once. */
  #noteTrouble(error: unknown): void {
    if (this.#isDisposed) return;
    const words = error instanceof Error ? error.message : String(error);
    const message = `It cannot be followed: ${words}. It is tried again.`;
    const finding: Finding = { file: this.#wish.path, line: 0, kind: 'not-followed', message };
    if (this.#findings.some((one) => one.kind === finding.kind) || !this.#wasTold) return;
    this.#findings = [...this.#findings, finding];
    const { length } = this.#events;
    const lastLineAt = this.#isLive ? this.#lastLineAt : undefined;
    const news = { keep: length, events: [], amended: [], texts: undefined };
    this.#wish.onNews({ ...news, findings: this.#findings, lastLineAt });
  }
}

async function readingOf({ importer, source }: Located, onRead: OnRead): Promise<GrowingReading> {
  return importer === claudeCode ? ClaudeReading.start(source, onRead) : new WholeReading(importer, source, onRead);
}

/** What goes on at the end. */
function workAtEnd(events: readonly SessionEvent[]): keyof typeof QUIET_MS {
  let calls = 0;
  let turns = 0;
  for (const { type } of events) {
    if (type === 'call-queued') calls++;
    else if (type === 'call-completed') calls--;
    else if (type === 'turn-started') turns++;
    else if (type === 'turn-ended') turns--;
    else if (type === 'session-ended') return 'nothing';
  }
  return calls > 0 ? 'call' : turns > 0 ? 'turn' : 'nothing';
}
