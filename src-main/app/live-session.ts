import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId, MessageId, ShellId, TurnId } from '../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { Answer, PermissionMode } from '../../src-shared/permission/event.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { DEFAULT_STOP_CAP } from '../core/hooks/stop-loop.ts';
import type { Clock } from '../ports/clock.ts';
import { type HookRunner, silentHookRunner } from '../ports/hook-runner.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import type { CallHost, ToolRegistry } from '../ports/tool.ts';
import { AgentLoop } from './agent-loop.ts';
import { AskBoard, type Asker } from './ask-board.ts';
import { BackgroundShells } from './background-shells.ts';
import { ContextHolder } from './context-holder.ts';
import { Debugger } from './debugger.ts';
import { MessageResults } from './message-results.ts';
import { SessionHooks } from './session-hooks.ts';
import type { SessionLog } from './session-log.ts';
import { SessionRules } from './session-rules.ts';
import { TurnHooks } from './turn-hooks.ts';

export type LiveSessionDeps = {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly provider: ModelProvider;
  readonly tools: ToolRegistry;
  readonly files: ResultFiles;
  readonly newId: (prefix: string) => string;
  /** Who answers questions; the board of the window when left out. */
  readonly asker?: Asker;
  readonly hooks?: HookSetup;
  /** Rules, folders and what is forbidden; none when left out. */
  readonly settings?: SettingsSource;
};

/** What a session is given of its hooks. */
export type HookSetup = {
  readonly runner: HookRunner;
  /** The file that holds the conversation, absolute; hooks are told. */
  readonly transcriptPath: string;
  /** How often in a row Stop hooks may keep a turn going. */
  readonly stopCap?: number;
};

/** A session without hooks. */
const NO_HOOKS: HookSetup = { runner: silentHookRunner, transcriptPath: '' };

/** A session that can go on: takes messages, runs turns, asks its person. All it knows lies in its log. */
export class LiveSession {
  readonly log: SessionLog;
  /** Holds, steps, breakpoints, faults. */
  readonly debug: Debugger;
  readonly #deps: LiveSessionDeps;
  readonly #board: AskBoard;
  readonly #context: ContextHolder;
  readonly #results: MessageResults;
  readonly #hooks: SessionHooks;
  readonly #turnHooks: TurnHooks;
  readonly #rules: SessionRules;
  readonly #shells: BackgroundShells;
  readonly #host: CallHost;
  #loop: AgentLoop | undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    this.log = deps.log;
    this.debug = new Debugger({ log: deps.log, clock: deps.clock });
    this.#board = new AskBoard({ log: deps.log, newAskId: () => deps.newId('ask') as AskId });
    const { cwd } = deps.log.state;
    const settings = deps.settings ?? noSettings(cwd);
    this.#rules = new SessionRules({ log: deps.log, settings });
    const directories = [cwd, ...settings.current().directories];
    const todos = deps.log.state.todoLists.find((list) => list.agentId === MAIN_AGENT)?.todos ?? [];
    this.#context = new ContextHolder({ cwd, directories, readFiles: new Map(), todos, discovered: new Set() });
    this.#results = new MessageResults({ log: deps.log, tools: deps.tools, files: deps.files });
    const { stopCap = DEFAULT_STOP_CAP, ...hooks } = deps.hooks ?? NO_HOOKS;
    this.#hooks = new SessionHooks({ ...hooks, log: deps.log, onWake: () => this.#wake() });
    this.#shells = new BackgroundShells({ log: deps.log, clock: deps.clock });
    this.#turnHooks = new TurnHooks({
      hooks: this.#hooks,
      log: deps.log,
      newId: deps.newId,
      agentId: MAIN_AGENT,
      cwd: () => this.#context.current.cwd,
      stopCap,
      shells: this.#shells,
    });
    this.#host = {
      mayRead: () => true,
      runAgent: () => Promise.reject(new Error('no agents can be run here')),
      setMode: (mode) => this.setMode(mode),
      mode: () => this.#rules.mode,
      shells: this.#shells,
      conversation: () => apiMessages(deps.log.state, MAIN_AGENT),
    };
  }

  get running(): boolean {
    return this.#loop !== undefined;
  }

  /** Settles when the turn that runs now has ended. */
  get idle(): Promise<void> {
    return this.#turn;
  }

  /**
   * Starts a turn, or queues the message when one is running. Returns whether it was queued.
   * @throws FailureError when the session is paused or closed: a message that is taken is one that is kept.
   */
  send(text: string): boolean {
    if (this.#closed) throw new FailureError({ kind: 'busy', message: 'The session is being closed.' });
    if (this.log.failed) throw new FailureError(PAUSED);
    const messageId = this.#deps.newId('msg') as MessageId;
    const isRunning = this.#loop !== undefined;
    // Behind those that wait since before a crash, so that they keep their order; and until its hooks have seen it.
    const waits =
      isRunning || this.log.state.queuedMessages.length > 0 || this.#hooks.runner.handles('UserPromptSubmit');
    if (waits) this.log.append({ type: 'user-message-queued', messageId, text });
    else this.log.append({ type: 'user-message-added', messageId, agentId: MAIN_AGENT, text, from: 'person' });
    if (!isRunning) this.#startTurn(!waits);
    return isRunning;
  }

  unqueue(messageId: MessageId): void {
    if (!this.log.state.queuedMessages.some((message) => message.messageId === messageId)) return;
    this.log.append({ type: 'user-message-unqueued', messageId, why: 'removed' });
  }

  /** @param hasMessage what it is about is in the conversation already, and not among the messages that wait. */
  #startTurn(hasMessage: boolean): void {
    this.#rules.look();
    const loop = new AgentLoop({
      log: this.log,
      clock: this.#deps.clock,
      provider: this.#deps.provider,
      tools: this.#deps.tools,
      context: this.#context,
      agentId: MAIN_AGENT,
      settings: () => this.log.state.settings,
      newId: this.#deps.newId,
      results: this.#results,
      hooks: this.#turnHooks,
      hasMessage,
      agent: { agentType: 'main', name: '' },
      system: () => '',
      runDeps: {
        clock: this.#deps.clock,
        asker: this.#deps.asker ?? this.#board,
        rules: () => this.#rules.now,
        addRule: (text, scope) => {
          this.#rules.add(text, scope);
          this.#board.ruleAdded(text);
        },
        mode: () => this.#rules.mode,
        hooks: this.#hooks,
        files: this.#deps.files,
        saveThreshold: this.log.state.settings.saveThreshold,
        host: this.#host,
        debug: this.debug,
      },
    });
    this.#loop = loop;
    this.#turn = this.#runTurn(loop);
  }

  async #runTurn(loop: AgentLoop): Promise<void> {
    const turnId = this.#deps.newId('turn') as TurnId;
    try {
      await loop.run(turnId);
    } catch (error) {
      this.#turnBroke(turnId, error);
    } finally {
      this.#loop = undefined;
    }
    // A message that was queued after the last safe point starts a turn of its own.
    const waits = this.log.state.queuedMessages.length > 0 || this.#hooks.hasNews;
    if (waits && !this.#closed) this.#startTurn(false);
  }

  /** While a turn runs, what there is to hear goes with its next message. */
  #wake(): void {
    if (this.#loop === undefined && !this.#closed) this.#startTurn(false);
  }

  /** A bug of ours ended the turn: say so, keep the session usable. */
  #turnBroke(turnId: TurnId, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.log.append({
      type: 'notice-given',
      level: 'error',
      text: 'The turn ended by a fault in Gantry.',
      detail: message,
    });
    this.log.append({ type: 'turn-ended', turnId, agentId: MAIN_AGENT, reason: 'error', message });
  }

  /**
   * `escape` stops the turn, `interrupt` makes way for the messages that wait. False when nothing runs, or for
   * `interrupt` when nothing waits.
   */
  interrupt(reason: 'escape' | 'interrupt'): boolean {
    if (this.#loop === undefined) return false;
    if (reason === 'interrupt' && this.log.state.queuedMessages.length === 0) return false;
    this.log.append({ type: 'interrupt-requested', reason });
    this.#loop.interrupt(reason);
    return true;
  }

  /**
   * Answers a question. One that is no longer open, or belongs to another call, is refused and said (spec 2.5).
   * @throws FailureError when the answer adds something that is no rule, or a rule that cannot be kept where it is to
   * be kept. The question then waits on.
   */
  answer(callId: CallId, askId: AskId, answer: Answer): boolean {
    if (answer.kind === 'allow-and-add-rule' && this.#board.isOpen(callId, askId)) {
      this.#rules.keep(answer.rule, answer.scope);
    }
    if (this.#board.answer(callId, askId, answer)) return true;
    this.log.append({
      type: 'notice-given',
      level: 'warning',
      text: 'An answer came for a question that is no longer open. It was not applied.',
      detail: `call ${callId}, question ${askId}`,
    });
    return false;
  }

  /**
   * Ends a background shell for its person, and resolves with how it ended.
   * @throws FailureError when there is none of that name.
   */
  async killShell(shellId: ShellId): Promise<Shell> {
    if (this.#shells.find(shellId) === undefined) {
      throw new FailureError({ kind: 'not-found', message: 'There is no such background shell.' });
    }
    return this.#shells.kill(shellId, 'person');
  }

  /** @throws FailureError when settings forbid the mode. */
  setMode(mode: PermissionMode): void {
    this.#rules.checkMode(mode);
    if (mode !== this.log.state.settings.mode) this.log.append({ type: 'mode-changed', mode });
  }

  /**
   * Takes effect with the next message of the model (spec 4.3).
   * @throws FailureError when settings forbid the mode.
   */
  setSettings(settings: SessionSettings): void {
    this.#rules.checkMode(settings.mode);
    this.log.append({ type: 'settings-changed', settings });
  }

  /** Denies what waits, stops what runs, and writes the end. */
  async close(reason: 'closed' | 'quit'): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#board.close();
    this.#loop?.interrupt('shutdown');
    await this.#turn;
    await this.#shells.close();
    await this.#hooks.close();
    this.log.append({ type: 'session-ended', reason });
    this.log.close();
  }
}

const PAUSED: Failure = {
  kind: 'not-writable',
  message: 'The session is paused: its journal cannot be written.',
  hint: 'Make room on the disk. The session goes on by itself, then send the message again.',
};
