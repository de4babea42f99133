import type { HookEventName } from '../../src-shared/hook/event.ts';
import type { HookInput } from '../core/hooks/hook-input.ts';
import { type HookRunReport, type MergedHooks, NO_HOOKS_RAN } from '../core/hooks/merge.ts';
import type { CommandHook } from '../core/hooks/settings.ts';
import type { BackgroundOutput, HookListener, HookRunner } from './hook-runner.ts';

type Answer = Partial<MergedHooks> | undefined;

/**
 * Answers happenings as the test says, without programs. Every run is told as started and ended; one that `answer` keeps
 * back with a promise ends when that resolves or the signal aborts.
 */
export class FakeHookRunner implements HookRunner {
  /** What has been asked, oldest first. */
  readonly inputs: HookInput[] = [];
  readonly #answer: (input: HookInput) => Answer | Promise<Answer>;
  #background: BackgroundOutput[] = [];
  isClosed = false;

  constructor(answer: (input: HookInput) => Answer | Promise<Answer> = () => undefined) {
    this.#answer = answer;
  }

  /** Hooks of these are set; what `answer` says of the others is asked all the same. */
  readonly handled = new Set<HookEventName>();

  handles(event: HookEventName): boolean {
    return this.handled.has(event);
  }

  async run(input: HookInput, signal: AbortSignal, on: HookListener): Promise<MergedHooks> {
    this.inputs.push(input);
    if (signal.aborted) return { ...NO_HOOKS_RAN, aborted: true };
    const answer = this.#answer(input);
    if (answer === undefined) return NO_HOOKS_RAN;
    const start = {
      runId: `hook-${this.inputs.length}` as HookRunReport['runId'],
      hook: hookFor(input),
      name: input.event,
    };
    on.started(start);
    const said = await Promise.race([answer, aborted(signal)]);
    const merged: MergedHooks = said === 'aborted' ? { ...NO_HOOKS_RAN, aborted: true } : { ...NO_HOOKS_RAN, ...said };
    const report: HookRunReport = { ...start, ...reportOf(merged) };
    on.ended(report);
    return { ...merged, runs: [report] };
  }

  /** Lets a background hook have said this. */
  say(output: BackgroundOutput): void {
    this.#background.push(output);
  }

  takeBackgroundOutput(): readonly BackgroundOutput[] {
    const taken = this.#background;
    this.#background = [];
    return taken;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

const aborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));

const hookFor = ({ event }: HookInput): CommandHook => ({
  event,
  matcher: undefined,
  command: 'fake-hook',
  args: undefined,
  shell: 'bash',
  condition: undefined,
  timeoutMs: undefined,
  mode: 'wait',
  statusMessage: undefined,
  scope: 'user',
  file: '/home/fake/.claude/settings.json',
  path: `hooks.${event}[0].hooks[0]`,
});

const reportOf = ({ aborted, verdict, preventContinuation }: MergedHooks) =>
  ({
    exitCode: aborted ? undefined : 0,
    durationMs: 0,
    stdout: '',
    stderr: '',
    outcome: aborted
      ? 'cancelled'
      : preventContinuation !== undefined
        ? 'stopped'
        : verdict.verdict === 'none'
          ? 'ok'
          : verdict.verdict,
    effects: [],
    notice: undefined,
  }) as const;
