import type { HookEventName } from '../../src-shared/hook/event.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import {
  type HookRunReport,
  type HookRunStart,
  type HookText,
  type MergedHooks,
  NO_HOOKS_RAN,
} from '../core/hooks/merge.ts';

/** Told of every run, in the order of what happens. `hookStarted` and `hookEnded` make the journal's events of it. */
export type HookListener = {
  readonly started: (run: HookRunStart) => void;
  /** For background hooks this comes after `run` has resolved, at the latest while `close` waits. */
  readonly ended: (run: HookRunReport) => void;
};

/** What a background hook has to say, for the model alone: it goes with the next message. */
export type BackgroundOutput = HookText & {
  /** Exit code 2 of an `asyncRewake` hook: the model is to hear of it at once, also when it is idle. */
  readonly wakes: boolean;
};

/** Runs the hooks of one session. A failing hook is a value; nothing here throws for one. */
export interface HookRunner {
  /** Is anything set for this event? */
  handles(event: HookEventName): boolean;
  /**
   * Runs all hooks that are set for this happening, side by side, and resolves when those that are waited for have
   * ended. The signal ends them at once; then the answer is `aborted` and says nothing else.
   */
  run(input: HookInput, signal: AbortSignal, on: HookListener): Promise<MergedHooks>;
  /** What background hooks have said since the last time it was asked. Ask after `ended` and before every message. */
  takeBackgroundOutput(): readonly BackgroundOutput[];
  /**
   * Ends whatever still runs; every run has been told to its listener when it resolves. Nothing starts afterwards, and
   * whatever is asked answers `aborted`.
   */
  close(): Promise<void>;
}

/** For sessions without hooks. */
export const silentHookRunner: HookRunner = {
  handles: () => false,
  run: async () => NO_HOOKS_RAN,
  takeBackgroundOutput: () => [],
  close: async () => undefined,
};
