import { type AgentId, MAIN_AGENT, type ShellId } from '../../src-shared/ids.ts';
import type { ShellEnd } from '../../src-shared/shell/event.ts';
import { type Shell, shellById } from '../../src-shared/shell/state.ts';
import { endedReminder } from '../core/shells/texts.ts';
import type { CallShells, ShellOrder, ShellStart } from '../ports/call-shells.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProcessProgress, ProcessResult } from '../ports/process-runner.ts';
import { CallAborted } from '../ports/tool.ts';
import { progressGate } from './progress-gate.ts';
import type { SessionLog } from './session-log.ts';

type Running = {
  readonly controller: AbortController;
  /** Why it was told to end. */
  why: ShellEnd | undefined;
  /** Settles when its end is in the journal. */
  readonly done: Promise<void>;
};

/**
 * The background shells of one session: what was launched, what of it runs, and what the model has not been told yet.
 * Stopping a turn leaves them alone; closing the session ends them.
 */
export class BackgroundShells implements CallShells {
  readonly #log: SessionLog;
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  /** The look that is under way, by shell. */
  readonly #looks = new Map<string, Promise<unknown>>();
  readonly #untold: Set<ShellId>;
  #closed = false;

  constructor({ log, clock }: { readonly log: SessionLog; readonly clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
    this.#untold = untoldIn(log);
  }

  get all(): readonly Shell[] {
    return this.#log.state.shells;
  }

  find(shellId: string): Shell | undefined {
    return shellById(this.all, shellId);
  }

  async start(order: ShellOrder, signal: AbortSignal): Promise<ShellStart> {
    if (signal.aborted || this.#closed) throw new CallAborted();
    const controller = new AbortController();
    const stop = () => controller.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const start = await this.#launch(order, controller, () => signal.removeEventListener('abort', stop));
      if (start.kind === 'not-started' && start.result.end.kind === 'cancelled') throw new CallAborted();
      return start;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #launch(order: ShellOrder, controller: AbortController, onStarted: () => void): Promise<ShellStart> {
    const gate = progressGate({ clock: this.#clock });
    let shellId: ShellId | undefined;
    let settle = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      settle = resolve;
    });
    return new Promise((resolve, reject) => {
      const hooks = {
        signal: controller.signal,
        onSpawn: () => {
          if (shellId !== undefined) return;
          onStarted();
          shellId = this.#began(order);
          this.#running.set(shellId, { controller, why: undefined, done });
          resolve({ kind: 'started', shell: this.#must(shellId) });
        },
        onProgress: (progress: ProcessProgress) => {
          if (shellId !== undefined && gate()) this.#progressed(shellId, progress);
        },
      };
      const over = (result: ProcessResult | undefined): void => {
        if (shellId !== undefined) this.#ended(shellId, result);
        settle();
      };
      order.run(hooks).then(
        (result) => {
          over(result);
          if (shellId === undefined) resolve({ kind: 'not-started', result });
        },
        (error: unknown) => {
          // A bug; whoever waits for the start hears of it, and a shell that had begun has an end all the same.
          over(undefined);
          reject(error);
        },
      );
    });
  }

  #began({ callId, agentId, command, path }: ShellOrder): ShellId {
    const shellId = `bash_${this.all.length + 1}` as ShellId;
    this.#log.append({ type: 'shell-started', shellId, callId, agentId, command, path });
    return shellId;
  }

  #progressed(shellId: ShellId, { bytes, lines, tail }: ProcessProgress): void {
    this.#log.append({ type: 'shell-progressed', shellId, bytes, lines, tail });
  }

  #ended(shellId: ShellId, result: ProcessResult | undefined): void {
    const end = endOf(result, this.#running.get(shellId)?.why);
    this.#running.delete(shellId);
    if (!wasKilledByModel(end)) this.#untold.add(shellId);
    this.#log.append({
      type: 'shell-ended',
      shellId,
      end,
      ...(result === undefined ? {} : { bytes: result.bytes, survivors: [...result.survivors] }),
    });
    this.#log.flush();
  }

  #must(shellId: string): Shell {
    const shell = this.find(shellId);
    if (shell === undefined) throw new Error(`there is no background shell ${shellId}`);
    return shell;
  }

  async read<T>(
    shellId: string,
    look: (shell: Shell) => Promise<{ readonly until: number; readonly value: T }>,
  ): Promise<T> {
    const before = this.#looks.get(shellId) ?? Promise.resolve();
    const mine = before.then(
      () => this.#look(shellId, look),
      () => this.#look(shellId, look),
    );
    this.#looks.set(shellId, mine);
    try {
      return await mine;
    } finally {
      if (this.#looks.get(shellId) === mine) this.#looks.delete(shellId);
    }
  }

  async #look<T>(
    shellId: string,
    look: (shell: Shell) => Promise<{ readonly until: number; readonly value: T }>,
  ): Promise<T> {
    const shell = this.#must(shellId);
    const { until, value } = await look(shell);
    if (until !== shell.readUntil) this.#log.append({ type: 'shell-read', shellId: shell.shellId, until });
    // The look itself said how it ended.
    if (shell.end !== undefined) this.#untold.delete(shell.shellId);
    return value;
  }

  async kill(shellId: string, by: 'model' | 'person'): Promise<Shell> {
    await this.#end(shellId, { kind: 'killed', by });
    return this.#must(shellId);
  }

  async #end(shellId: string, why: ShellEnd): Promise<void> {
    const running = this.#running.get(shellId);
    if (running === undefined) return;
    running.why ??= why;
    running.controller.abort();
    await running.done;
  }

  /** What the agent is to be told with its next message. The main agent hears of shells whose own agent has gone. */
  takeNews(agentId: AgentId): readonly string[] {
    const mine = [...this.#untold].filter((shellId) => this.#hearerOf(this.#must(shellId)) === agentId);
    for (const shellId of mine) this.#untold.delete(shellId);
    return mine.map((shellId) => endedReminder(this.#must(shellId)));
  }

  #hearerOf({ agentId }: Shell): AgentId {
    const agent = this.#log.state.agents.findLast((one) => one.agentId === agentId);
    return agent !== undefined && agent.until === undefined ? agentId : MAIN_AGENT;
  }

  /** Ends them all, and resolves when nothing of them is left or what is left is written down. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.keys()].map((shellId) => this.#end(shellId, { kind: 'session-closed' })));
  }
}

const wasKilledByModel = (end: ShellEnd): boolean => end.kind === 'killed' && end.by === 'model';

function endOf(result: ProcessResult | undefined, why: ShellEnd | undefined): ShellEnd {
  switch (result?.end.kind) {
    case 'exited':
      return { kind: 'exited', code: result.end.code };
    case 'signalled':
      return { kind: 'signalled', signal: result.end.signal };
    case 'output-limit':
      return { kind: 'output-limit', limitBytes: result.end.limitBytes };
    case 'cancelled':
      return why ?? { kind: 'session-closed' };
    case 'host-lost':
      return { kind: 'host-lost' };
    case 'timed-out':
    case 'spawn-failed':
    case undefined:
      return { kind: 'unknown' };
  }
}

/** Those that ended after the main agent's last request: with it the model was told of all before. */
function untoldIn({ events }: SessionLog): Set<ShellId> {
  const untold: ShellId[] = [];
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    if (event?.type === 'request-started' && event.agentId === MAIN_AGENT) break;
    if (event?.type === 'shell-ended' && !wasKilledByModel(event.end)) untold.unshift(event.shellId);
  }
  return new Set(untold);
}
