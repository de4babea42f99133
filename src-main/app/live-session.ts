import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId, MessageId, ShellId, TurnId } from '../../src-shared/ids.ts';
import { MAIN_AGENT } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { MessageImage } from '../../src-shared/model/image.ts';
import type { Answer, PermissionMode } from '../../src-shared/permission/event.ts';
import type { SessionSettings } from '../../src-shared/session/settings.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import { planCompaction } from '../core/compaction/plan.ts';
import { DEFAULT_STOP_CAP } from '../core/hooks/stop-loop.ts';
import { type AgentDefinitions, builtInAgents } from '../ports/agent-definitions.ts';
import { type Classifier, ruleClassifier } from '../ports/classifier.ts';
import type { Clock } from '../ports/clock.ts';
import { type HookRunner, silentHookRunner } from '../ports/hook-runner.ts';
import { type McpServers, noMcpServers } from '../ports/mcp-servers.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import type { AgentLoop } from './agent-loop.ts';
import { type Agent, AgentRunner } from './agent-runner.ts';
import { AskBoard, type Asker } from './ask-board.ts';
import { BackgroundShells } from './background-shells.ts';
import { Debugger } from './debugger.ts';
import { resumedContext } from './resumed-context.ts';
import { SessionHooks } from './session-hooks.ts';
import type { SessionLog } from './session-log.ts';
import { type PreparePrompt, SessionPrompts } from './session-prompts.ts';
import { SessionRules } from './session-rules.ts';
import { SessionServers } from './session-servers.ts';
import { SessionTitle } from './session-title.ts';

export type LiveSessionDeps = {
  readonly log: SessionLog;
  readonly clock: Clock;
  /** Answers as long as no model is chosen. */
  readonly provider: ModelProvider;
  /** The provider of the model that is chosen. Never throws: what is wrong with a choice fails its requests. */
  readonly providerFor?: (choice: ModelChoice) => ModelProvider;
  /** Makes the prompts of agents that a model answers for. */
  readonly preparePrompt?: PreparePrompt;
  readonly tools: ToolRegistry;
  readonly files: ResultFiles;
  readonly newId: (prefix: string) => string;
  /** Who answers questions; the board of the window when left out. */
  readonly asker?: Asker;
  readonly hooks?: HookSetup;
  /** Rules, folders and what is forbidden; none when left out. */
  readonly settings?: SettingsSource;
  /** The session's MCP servers; none when left out. */
  readonly mcp?: McpServers;
  /** The kinds of sub-agents; those that are built in when left out. */
  readonly agents?: AgentDefinitions;
  /** Looks at calls in mode auto; the built-in rules when left out. */
  readonly classifier?: Classifier;
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
  readonly #hooks: SessionHooks;
  readonly #rules: SessionRules;
  readonly #shells: BackgroundShells;
  readonly #agents: AgentRunner;
  readonly #main: Agent;
  readonly #prompts: SessionPrompts;
  readonly #title: SessionTitle;
  readonly #servers: SessionServers;
  #chosen: { readonly model: ModelChoice; readonly provider: ModelProvider } | undefined;
  #loop: AgentLoop | undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    this.log = deps.log;
    this.debug = new Debugger({ log: deps.log, clock: deps.clock });
    this.#board = new AskBoard({ log: deps.log, newAskId: () => deps.newId('ask') as AskId });
    const settings = deps.settings ?? noSettings(deps.log.state.cwd);
    this.#rules = new SessionRules({ log: deps.log, settings });
    const { stopCap = DEFAULT_STOP_CAP, ...hooks } = deps.hooks ?? NO_HOOKS;
    this.#hooks = new SessionHooks({ ...hooks, log: deps.log, onWake: () => this.#wake() });
    this.#shells = new BackgroundShells({ log: deps.log, clock: deps.clock });
    this.#prompts = new SessionPrompts(deps.log, deps.preparePrompt);
    this.#title = new SessionTitle(deps.log);
    this.#servers = new SessionServers({ log: deps.log, clock: deps.clock, servers: deps.mcp ?? noMcpServers });
    this.#agents = new AgentRunner({
      log: deps.log,
      clock: deps.clock,
      provider: () => this.#provider(),
      tools: deps.tools,
      files: deps.files,
      newId: deps.newId,
      hooks: this.#hooks,
      stopCap,
      shells: this.#shells,
      definitions: deps.agents ?? builtInAgents,
      system: ({ agentId, prompt, tools, context }) =>
        this.#prompts.of({ agentId, prompt, tools: tools.all }, { cwd: context.cwd, mode: this.#rules.mode }),
      host: { setMode: (mode) => this.setMode(mode) },
      ready: (signal) => this.#servers.ready(signal),
      run: {
        asker: deps.asker ?? this.#board,
        rules: () => this.#rules.now,
        addRule: (text, scope) => {
          this.#rules.add(text, scope);
          this.#board.ruleAdded(text);
        },
        mode: () => this.#rules.mode,
        debug: this.debug,
        classifier: deps.classifier ?? ruleClassifier,
      },
    });
    this.#main = this.#agents.mainAgent(resumedContext(deps.log.state, settings.current().directories));
    // One that is only opened to be looked at starts no programs until it goes on.
    if (deps.log.state.turns.length === 0) this.#servers.look();
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
  send(text: string, images: readonly MessageImage[] = []): boolean {
    if (this.#closed) throw new FailureError({ kind: 'busy', message: 'The session is being closed.' });
    if (this.log.failed) throw new FailureError(PAUSED);
    const messageId = this.#deps.newId('msg') as MessageId;
    const isRunning = this.#loop !== undefined;
    // Behind those that wait since before a crash, so that they keep their order; and until its hooks have seen it.
    const waits =
      isRunning || this.log.state.queuedMessages.length > 0 || this.#hooks.runner.handles('UserPromptSubmit');
    const message = { messageId, text, ...(images.length === 0 ? {} : { images: [...images] }) };
    if (waits) this.log.append({ type: 'user-message-queued', ...message });
    else this.log.append({ type: 'user-message-added', ...message, agentId: MAIN_AGENT, from: 'person' });
    this.#title.fromMessage(text);
    if (!isRunning) this.#startTurn(!waits);
    return isRunning;
  }

  /** Takes a message back that waits. False when it does not wait any more: it was sent meanwhile. */
  unqueue(messageId: MessageId, why: 'removed' | 'edited' = 'removed'): boolean {
    if (!this.log.state.queuedMessages.some((message) => message.messageId === messageId)) return false;
    this.log.append({ type: 'user-message-unqueued', messageId, why });
    return true;
  }

  rename(title: string): void {
    this.#title.rename(title);
  }

  /**
   * Another model answers from the next turn on.
   * @throws FailureError while a turn runs: its messages belong to one model.
   */
  setModel(model: ModelChoice): void {
    if (this.#loop !== undefined) throw new FailureError(MODEL_IN_USE);
    this.log.append({ type: 'model-chosen', model });
    this.log.sync();
  }

  #provider(): ModelProvider {
    const { providerFor, provider } = this.#deps;
    const { model } = this.log.state;
    if (model === undefined || providerFor === undefined) return provider;
    if (this.#chosen?.model !== model) this.#chosen = { model, provider: providerFor(model) };
    return this.#chosen.provider;
  }

  /** @param hasMessage what it is about is in the conversation already, and not among the messages that wait. */
  #startTurn(hasMessage: boolean): void {
    this.#rules.look();
    this.#addFolders();
    this.#agents.look();
    this.#servers.look();
    const loop = this.#agents.newTurn(this.#main, hasMessage);
    this.#loop = loop;
    this.#turn = this.#runTurn(loop, (turnId) => loop.run(turnId));
  }

  /**
   * Puts a summary in the place of what was said so far: now, or before the next request of the turn that runs.
   * @param instructions what the person wants of the summary; may be empty.
   * @returns whether it waits for the turn that runs.
   * @throws FailureError when there is nothing to compact, or the session is paused or closed.
   */
  compact(instructions: string): boolean {
    if (this.#closed) throw new FailureError({ kind: 'busy', message: 'The session is being closed.' });
    if (this.log.failed) throw new FailureError(PAUSED);
    if (this.#loop !== undefined) {
      this.#loop.compactSoon(instructions);
      return true;
    }
    if (planCompaction(this.log.state, MAIN_AGENT) === undefined) throw new FailureError(NOTHING_TO_COMPACT);
    this.#startCompaction(instructions);
    return false;
  }

  #startCompaction(instructions: string): void {
    this.#rules.look();
    this.#servers.look();
    const loop = this.#agents.newTurn(this.#main, true);
    this.#loop = loop;
    this.#turn = this.#runTurn(loop, (turnId) => loop.compact(turnId, instructions));
  }

  /** Folders that settings have come to add since the session began: the person has trusted what comes with its folder. */
  #addFolders(): void {
    const { context } = this.#main;
    const { directories } = context.current;
    const added = this.#rules.directories.filter((folder) => !directories.includes(folder));
    if (added.length > 0) context.modify((now) => ({ ...now, directories: [...directories, ...added] }));
  }

  async #runTurn(loop: AgentLoop, run: (turnId: TurnId) => Promise<unknown>): Promise<void> {
    const turnId = this.#deps.newId('turn') as TurnId;
    try {
      await run(turnId);
    } catch (error) {
      this.#turnBroke(turnId, error);
    } finally {
      this.#loop = undefined;
    }
    if (this.#deps.settings?.current().titles === 'model') void this.#title.fromModel(this.#provider());
    const { wantsCompaction } = loop;
    if (wantsCompaction !== undefined && !this.#closed) return this.#startCompaction(wantsCompaction);
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
   * Answers several questions in one step, so that the end of the turn that a denial brings about comes after all of
   * them. @returns how many were no longer open.
   */
  answerAll(
    asks: readonly { readonly callId: CallId; readonly askId: AskId }[],
    answer: Extract<Answer, { kind: 'allow-once' | 'deny' }>,
  ): number {
    return asks.filter(({ callId, askId }) => !this.answer(callId, askId, answer)).length;
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

  /** The last window that showed the session has closed: what waits is denied (spec 2.5). */
  denyWaiting(): void {
    this.#board.denyWaiting();
  }

  /** Puts what a person should know into the conversation's record, and looks at the settings anew. */
  tell(notice: { readonly text: string; readonly detail?: string }): void {
    if (this.#closed) return;
    this.log.append({ type: 'notice-given', level: 'info', ...notice });
    this.#rules.look();
  }

  /** Starts an MCP server anew. @throws FailureError when there is no such server. */
  reconnectServer(server: string): void {
    this.#servers.reconnect(server);
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
    this.#title.close();
    this.#board.close();
    this.#loop?.interrupt('shutdown');
    await this.#turn;
    await this.#shells.close();
    await this.#hooks.close();
    await this.#servers.close();
    this.log.append({ type: 'session-ended', reason });
    this.log.close();
  }
}

const MODEL_IN_USE: Failure = {
  kind: 'busy',
  message: 'A turn is running. The model can be changed when it has ended.',
};

const NOTHING_TO_COMPACT: Failure = {
  kind: 'unsupported',
  message: 'There is nothing to compact yet: the model has not answered.',
};

const PAUSED: Failure = {
  kind: 'not-writable',
  message: 'The session is paused: its journal cannot be written.',
  hint: 'Make room on the disk. The session goes on by itself, then send the message again.',
};
