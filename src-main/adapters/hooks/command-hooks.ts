import type { HookEventName } from '../../../src-shared/hook/event.ts';
import type { HookRunId } from '../../../src-shared/ids.ts';
import { interpretBackground } from '../../core/hooks/background.ts';
import { type HookInput, hookName } from '../../core/hooks/hook-input.ts';
import { type HookEnd, type Interpretation, interpret } from '../../core/hooks/interpret.ts';
import { selectHooks } from '../../core/hooks/match.ts';
import {
  type HookRunReport,
  type HookRunStart,
  type InterpretedRun,
  type MergedHooks,
  mergeHooks,
  NO_HOOKS_RAN,
} from '../../core/hooks/merge.ts';
import { payloadLine } from '../../core/hooks/payload.ts';
import type { CommandHook } from '../../core/hooks/settings.ts';
import { aboutHook, recordedText } from '../../core/hooks/texts.ts';
import { timeoutOf } from '../../core/hooks/timeouts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BackgroundOutput, HookListener, HookRunner } from '../../ports/hook-runner.ts';
import type { ProcessTable, Tree } from '../process/process-table.ts';
import { endLeftGroup, HookProcess, type HookProcessEnd } from './hook-process.ts';
import { commandOf, environmentOf, folderFor, type Places } from './hook-program.ts';
import { saveLongTexts } from './long-texts.ts';

export type CommandHooksDeps = Places & {
  /** The hooks as they are set now, in configuration order. Asked for every happening. */
  readonly hooks: () => readonly CommandHook[];
  /** The app's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Path of the shell for commands. */
  readonly bash: string;
  /** For time limits and lengths. */
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly newRunId: () => HookRunId;
  /** Unique among all processes of all runs of the app, see `ProcessSpec.marker`. */
  readonly markerFor: (runId: HookRunId) => string;
  /** For texts that are too long. Made when it is needed. */
  readonly outputFolder: string;
};

/** Runs hooks as the programs they are. One runner a session. */
export const commandHooks = (deps: CommandHooksDeps): HookRunner => new CommandHooks(deps);

type Running = { readonly start: HookRunStart; readonly process: HookProcess; readonly startedAt: number };

class CommandHooks implements HookRunner {
  readonly #deps: CommandHooksDeps;
  readonly #running = new Set<Running>();
  /** Runs whose end has not been told yet; and those where telling it failed, which is for `close` to say. */
  readonly #background = new Set<Promise<void>>();
  readonly #waitedFor = new Set<Promise<MergedHooks>>();
  #leftGroups: Tree[] = [];
  #said: BackgroundOutput[] = [];
  #isClosed = false;
  readonly #host: string;

  constructor(deps: CommandHooksDeps) {
    this.#deps = deps;
    this.#host = `${process.pid}:${deps.table.startOf(process.pid) ?? 0}`;
  }

  handles(event: HookEventName): boolean {
    return this.#deps.hooks().some((hook) => hook.event === event);
  }

  async run(input: HookInput, signal: AbortSignal, on: HookListener): Promise<MergedHooks> {
    // After the end there is no guard any more, so nothing may go on as if there were none.
    if (signal.aborted || this.#isClosed) return { ...NO_HOOKS_RAN, aborted: true };
    const all = this.#deps.hooks();
    const selected = selectHooks(all, input, this.#deps.home);
    if (selected.length === 0) return NO_HOOKS_RAN;
    const payload = payloadLine(input, this.#deps.home);
    const started = selected.map((hook) => this.#start(hook, { input, payload, all, on }));
    for (const run of started.filter(isBackground)) this.#finishLater(run, input, on);
    const merged = this.#finishAll(
      started.filter((run) => !isBackground(run)),
      { input, signal, on },
    );
    this.#waitedFor.add(merged);
    return merged.finally(() => this.#waitedFor.delete(merged));
  }

  takeBackgroundOutput(): readonly BackgroundOutput[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running];
    for (const { process } of running) process.cancel();
    const open = [...this.#background, ...this.#waitedFor];
    this.#background.clear();
    await Promise.all(running.map(({ process }) => process.ended));
    await Promise.all(open);
    const groups = this.#leftGroups;
    this.#leftGroups = [];
    await Promise.all(groups.map((group) => endLeftGroup(group, this.#deps.table)));
  }

  #start(
    hook: CommandHook,
    {
      input,
      payload,
      all,
      on,
    }: {
      readonly input: HookInput;
      readonly payload: string;
      readonly all: readonly CommandHook[];
      readonly on: HookListener;
    },
  ): Running {
    const { clock, table, projectDir, bash, env } = this.#deps;
    const runId = this.#deps.newRunId();
    const start = { runId, hook, name: hookName(input) };
    on.started(start);
    const marker = this.#deps.markerFor(runId);
    const startedAt = clock.monotonic();
    const process = new HookProcess(
      {
        ...commandOf(hook, projectDir, bash),
        cwd: folderFor(input.session.cwd, this.#deps),
        env: environmentOf(env, input, { projectDir, marker, host: this.#host }),
        payload,
        timeout: timeoutOf(hook, all),
        marker,
      },
      { clock, table },
    );
    const running = { start, process, startedAt };
    this.#running.add(running);
    return running;
  }

  async #finishAll(
    runs: readonly Running[],
    { input, signal, on }: { readonly input: HookInput; readonly signal: AbortSignal; readonly on: HookListener },
  ): Promise<MergedHooks> {
    const stop = (): void => {
      for (const run of runs) run.process.cancel();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const finished = await Promise.all(runs.map((run) => this.#finish(run, input, on)));
      return mergeHooks(input, finished, signal.aborted || this.#isClosed);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #finish(run: Running, input: HookInput, on: HookListener): Promise<InterpretedRun> {
    const end = await this.#ended(run);
    const said = await saveLongTexts(interpret(input.event, end), this.#deps.outputFolder, run.start.runId);
    const report = this.#report(run, end, said);
    on.ended(report);
    return { report, said };
  }

  #finishLater(run: Running, input: HookInput, on: HookListener): void {
    const work = this.#finishBackground(run, input, on);
    this.#background.add(work);
    work.then(
      () => this.#background.delete(work),
      () => undefined,
    );
  }

  async #finishBackground(run: Running, input: HookInput, on: HookListener): Promise<void> {
    const end = await this.#ended(run);
    const { said, wakes } = interpretBackground(run.start.hook.mode, input.event, end);
    const short = await saveLongTexts(said, this.#deps.outputFolder, run.start.runId);
    const { name, hook } = run.start;
    for (const text of [short.context, short.systemMessage]) {
      if (text !== undefined) this.#said.push({ text, name, command: hook.command, wakes });
    }
    on.ended(this.#report(run, end, short));
  }

  async #ended(run: Running): Promise<HookProcessEnd> {
    const end = await run.process.ended;
    this.#running.delete(run);
    if (end.leftGroup !== undefined) this.#leftGroups.push(end.leftGroup);
    return end;
  }

  #report(run: Running, ended: HookProcessEnd, said: Interpretation): HookRunReport {
    return {
      ...run.start,
      exitCode: exitCodeOf(ended.end),
      durationMs: this.#deps.clock.monotonic() - run.startedAt,
      stdout: recordedText(ended.stdout),
      stderr: recordedText(ended.stderr),
      outcome: said.outcome,
      effects: said.effects,
      notice: noticeOf(run.start, said, ended.survivors.length),
    };
  }
}

const isBackground = ({ start }: Running): boolean => start.hook.mode !== 'wait';
const exitCodeOf = (end: HookEnd): number | undefined => (end.kind === 'exited' ? end.code : undefined);

/** What, and where to look for it. */
function noticeOf(run: HookRunStart, said: Interpretation, survivors: number): string | undefined {
  const warnings = [...said.warnings];
  if (survivors > 0) warnings.push(`${survivors} of its processes could not be ended.`);
  if (said.failure === undefined && warnings.length === 0) return undefined;
  const failure = said.failure === undefined ? ':' : ` ${said.failure}`;
  return [aboutHook(run) + failure, ...warnings, `(set in ${run.hook.file}, ${run.hook.path})`].join(' ');
}
