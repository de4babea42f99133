import { type AgentId, type CallId, MAIN_AGENT } from '../../src-shared/ids.ts';
import type { HookFacts, HookSession } from '../core/hooks/hook-input.ts';
import { type HookRunReport, type MergedHooks, NO_HOOKS_RAN } from '../core/hooks/merge.ts';
import { aboutHook, hookEnded, hookStarted } from '../core/hooks/texts.ts';
import type { BackgroundOutput, HookListener, HookRunner } from '../ports/hook-runner.ts';
import type { SessionLog } from './session-log.ts';

export type SessionHooksDeps = {
  readonly runner: HookRunner;
  readonly log: SessionLog;
  /** The file that holds the conversation, absolute; hooks are told. */
  readonly transcriptPath: string;
  /** A hook in the background wants the model to hear of something at once, also when it is idle. */
  readonly onWake?: () => void;
};

/** Where and for whom something happens that hooks may have a say in. */
export type Occasion = {
  readonly cwd: string;
  readonly agentId: AgentId;
  /** The call that the runs are recorded with. */
  readonly callId?: CallId;
};

/** The hooks of one session: tells them where they are, keeps their runs in the journal, and passes on their notices. */
export class SessionHooks {
  readonly runner: HookRunner;
  readonly transcriptPath: string;
  readonly #log: SessionLog;
  readonly #onWake: () => void;
  #hasNews = false;

  constructor({ runner, log, transcriptPath, onWake }: SessionHooksDeps) {
    this.runner = runner;
    this.transcriptPath = transcriptPath;
    this.#log = log;
    this.#onWake = onWake ?? (() => undefined);
  }

  /** Runs what is set for this happening. Everything that led to it is in the journal before the first program starts. */
  async run(facts: HookFacts, on: Occasion, signal: AbortSignal): Promise<MergedHooks> {
    const log = this.#log;
    log.flush();
    if (log.failed) await log.whenWritten(signal);
    if (signal.aborted) return { ...NO_HOOKS_RAN, aborted: true };
    const merged = await this.runner.run({ session: this.#session(on), ...facts }, signal, this.#listener(on.callId));
    for (const notice of merged.notices) log.append({ type: 'notice-given', level: 'warning', text: notice });
    for (const { name, text } of merged.messages) {
      log.append({ type: 'notice-given', level: 'info', text, detail: `Said by a ${name} hook.` });
    }
    return merged;
  }

  /** Lets hooks know, without waiting for what they say. */
  tell(facts: HookFacts, on: Occasion, signal: AbortSignal): void {
    this.run(facts, on, signal).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      this.#log.append({
        type: 'notice-given',
        level: 'error',
        text: `The ${facts.event} hooks could not be run.`,
        detail,
      });
    });
  }

  /** What hooks have said in the background since it was last asked for, and whether the model is to hear it at once. */
  takeBackgroundOutput(): readonly BackgroundOutput[] {
    this.#hasNews = false;
    return this.runner.takeBackgroundOutput();
  }

  /** Something waits that the model is to hear of at once. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Says that the session ends, and ends whatever hooks left running. */
  async close(): Promise<void> {
    const { state, failed } = this.#log;
    // A journal that cannot be written may never be again, and the app has to end.
    if (!failed && state.sessionId !== undefined) {
      const on = { cwd: state.cwd, agentId: MAIN_AGENT };
      await this.run({ event: 'SessionEnd', reason: 'other' }, on, new AbortController().signal);
    }
    await this.runner.close();
  }

  /** Runs are kept after the call's end too: those in the background end when they like. */
  #listener(callId: CallId | undefined): HookListener {
    const log = this.#log;
    return {
      started: (run) => {
        log.append(hookStarted(run, callId));
        log.flush();
      },
      ended: (run) => {
        log.append(hookEnded(run));
        // Of those that are waited for the notices come with the answer.
        if (run.hook.mode !== 'wait' && run.notice !== undefined) {
          log.append({ type: 'notice-given', level: 'warning', text: run.notice, detail: backgroundOf(run) });
        }
        if (run.hook.mode !== 'wake' || run.exitCode !== 2) return;
        this.#hasNews = true;
        this.#onWake();
      },
    };
  }

  #session({ cwd, agentId }: Occasion): HookSession {
    const { state } = this.#log;
    if (state.sessionId === undefined) throw new Error('hooks of a session that has not begun');
    const message = state.entries.findLast((entry) => entry.kind === 'user' && entry.from === 'person');
    const agent = agentId === MAIN_AGENT ? undefined : state.agents.find((one) => one.agentId === agentId);
    return {
      sessionId: state.sessionId,
      transcriptPath: this.transcriptPath,
      cwd,
      permissionMode: state.settings.mode,
      promptId: message?.kind === 'user' ? message.messageId : undefined,
      agent: agent && { agentId, agentType: agent.agentType },
    };
  }
}

const backgroundOf = (run: HookRunReport): string => `${aboutHook(run)} ran in the background.`;
