import type { Disposable } from '../../src-shared/disposable.ts';
import { FailureError } from '../../src-shared/failure.ts';
import { millis } from '../../src-shared/units.ts';
import type { VaultOutcome, VaultOverview, VaultState, VaultWork } from '../../src-shared/vault/view.ts';
import type { Clock } from '../ports/clock.ts';
import type { VaultKeeper, VaultWatch } from '../ports/vault-keeper.ts';

/** Progress is told at most so often, in ms. */
const TELL_MS = 400;
/** The app has started and is in nobody's way any more. */
const FIRST_MS = 60_000;
const EVERY_MS = 5 * 60_000;

export type VaultDeskDeps = {
  readonly keeper: VaultKeeper;
  readonly settings: {
    readonly read: () => { readonly folder?: string; readonly whileRunning?: boolean };
    /** Undefined takes a value away. @throws FailureError */
    readonly write: (key: 'folder' | 'whileRunning', value: unknown) => void;
  };
  /** The file of a session of the library, by its number. */
  readonly pathOf: (id: number) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly onChanged: (state: VaultState) => void;
  /** Other files count now, or files have come back: whoever lists them looks again. */
  readonly onFiles: () => void;
};

/** What the window asks of the vault, and the runs that come by themselves while the app is open. One work at a time. */
export class VaultDesk {
  readonly #deps: VaultDeskDeps;
  #state: VaultState = { kind: 'idle' };
  #working: AbortController | undefined;
  #telling: Disposable | undefined;
  #next: Disposable;

  constructor(deps: VaultDeskDeps) {
    this.#deps = deps;
    this.#next = this.#runIn(FIRST_MS);
  }

  async overview(): Promise<VaultOverview> {
    const { folder, whileRunning = false } = this.#deps.settings.read();
    const base = { whileRunning, state: this.#state };
    if (folder === undefined) return base;
    try {
      return { ...base, folder, status: await this.#deps.keeper.status(folder) };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { message, hint } = error.failure;
      return { ...base, folder, problem: { message, ...(hint === undefined ? {} : { hint }) } };
    }
  }

  /** @throws FailureError where it cannot be one */
  async choose(folder: string): Promise<void> {
    this.#ensureIdle();
    await this.#deps.keeper.start(folder);
    this.#deps.settings.write('folder', folder);
    this.#turn({ kind: 'idle' });
    this.#deps.onFiles();
  }

  leave(): void {
    this.#ensureIdle();
    this.#deps.settings.write('folder', undefined);
    this.#turn({ kind: 'idle' });
    this.#deps.onFiles();
  }

  set(whileRunning: boolean): void {
    this.#deps.settings.write('whileRunning', whileRunning ? true : undefined);
    if (whileRunning && this.#working === undefined) this.#runByItself();
  }

  run(): void {
    const folder = this.#folder();
    this.#work('run', (watch) => this.#deps.keeper.run(folder, false, watch));
  }

  verify(): void {
    const folder = this.#folder();
    this.#work('verify', (watch) => this.#deps.keeper.verify(folder, watch));
  }

  async restore(id: number, to: string | undefined): Promise<void> {
    const folder = this.#folder();
    const path = await this.#deps.pathOf(id);
    if (path === undefined) {
      throw new FailureError({
        kind: 'not-found',
        message: 'This session is no longer in the index.',
        hint: 'Look for sessions again.',
      });
    }
    const what = { path, ...(to === undefined ? {} : { to }) };
    this.#work('restore', (watch) => this.#deps.keeper.restore(folder, what, watch));
  }

  stop(): void {
    this.#working?.abort(new FailureError({ kind: 'busy', message: 'It was stopped.' }));
  }

  /** Stops what goes on and waits for nothing: a run that is cut off damages nothing. */
  close(): void {
    this.stop();
    this.#next.dispose();
    this.#telling?.dispose();
  }

  #folder(): string {
    this.#ensureIdle();
    const { folder } = this.#deps.settings.read();
    if (folder !== undefined) return folder;
    throw new FailureError({ kind: 'bad-input', message: 'No folder is chosen for the vault.', hint: 'Choose one.' });
  }

  #ensureIdle(): void {
    if (this.#working === undefined) return;
    throw new FailureError({ kind: 'busy', message: 'The vault is at work.', hint: 'Wait for it, or stop it.' });
  }

  #runIn(ms: number): Disposable {
    return this.#deps.clock.schedule(millis(ms), () => {
      this.#next = this.#runIn(EVERY_MS);
      if (this.#working === undefined && this.#deps.settings.read().whileRunning === true) this.#runByItself();
    });
  }

  #runByItself(): void {
    const { folder } = this.#deps.settings.read();
    if (folder !== undefined) this.#work('run', (watch) => this.#deps.keeper.run(folder, true, watch));
  }

  #work(work: VaultWork, task: (watch: VaultWatch) => Promise<VaultOutcome>): void {
    const mine = new AbortController();
    this.#working = mine;
    this.#turn({ kind: 'looking', work });
    const onProgress: VaultWatch['onProgress'] = ({ files, ofFiles, bytes, ofBytes }) => {
      if (this.#working === mine) this.#turn({ kind: 'busy', work, files, ofFiles, bytes, ofBytes });
    };
    task({ onProgress, signal: mine.signal })
      .catch((error: unknown) => outcomeOf(work, error))
      .then((outcome) => {
        this.#working = undefined;
        this.#turn({ kind: 'idle', outcome });
        if (work === 'restore') this.#deps.onFiles();
      });
  }

  #turn(state: VaultState): void {
    this.#state = state;
    if (this.#telling !== undefined) return;
    this.#deps.onChanged(state);
    this.#telling = this.#deps.clock.schedule(millis(TELL_MS), () => {
      this.#telling = undefined;
      // What has happened meanwhile is told once, as it is now.
      if (this.#state !== state) this.#turn(this.#state);
    });
  }
}

function outcomeOf(work: VaultWork, error: unknown): VaultOutcome {
  const { message, hint } = error instanceof FailureError ? error.failure : { message: String(error), hint: undefined };
  return { work, message, ...(hint === undefined ? {} : { hint }), first: [], problems: 0, done: false };
}
