import type { Disposable } from '../../src-shared/disposable.ts';
import { FailureError } from '../../src-shared/failure.ts';
import { type AgentId, type CallId, MAIN_AGENT, type MessageId, type TurnId } from '../../src-shared/ids.ts';
import type { PermissionMode } from '../../src-shared/permission/event.ts';
import { callById, type SessionState } from '../../src-shared/session/state.ts';
import type { CancelReason } from '../../src-shared/tool-call/event.ts';
import { millis } from '../../src-shared/units.ts';
import { type AgentDefinition, definitionOf, modelNamed, stricterMode } from '../core/agents/definition.ts';
import { type AgentEnd, reportText, unknownAgent } from '../core/agents/words.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { describeCall } from '../core/results/texts.ts';
import type { AgentDefinitions } from '../ports/agent-definitions.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { ResultFiles } from '../ports/result-files.ts';
import {
  type AgentOrder,
  type AgentReport,
  CallAborted,
  type CallHost,
  type ToolContext,
  type ToolRegistry,
} from '../ports/tool.ts';
import { AgentLoop, type LoopDeps } from './agent-loop.ts';
import { restrictTools } from './agent-tools.ts';
import type { BackgroundShells } from './background-shells.ts';
import { ContextHolder } from './context-holder.ts';
import { FileReading } from './file-reading.ts';
import { MessageResults } from './message-results.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { SessionLog } from './session-log.ts';
import { TurnHooks } from './turn-hooks.ts';

/** The main agent is at depth 0. Deeper than this an agent would work for an agent that nobody remembers. */
export const MOST_DEPTH = 5;
/** A message that interrupts waits so long for calls that should not be cut off; less than the call above is given. */
const INTERRUPT_PATIENCE_MS = 15_000;

/** What an agent is told of itself is made of this. */
export type AgentAbout = {
  readonly agentId: AgentId;
  /** `main`, or the name of its definition. */
  readonly agentType: string;
  /** What its definition tells it; undefined for the main agent. */
  readonly prompt: string | undefined;
  /** As its tools stand now. */
  readonly context: ToolContext;
  readonly tools: ToolRegistry;
  /** A model of its own. */
  readonly model: string | undefined;
};

type RunDeps = LoopDeps['runDeps'];

/** What all agents of a session have in common. */
export type AgentRunnerDeps = {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly provider: () => ModelProvider;
  readonly tools: ToolRegistry;
  readonly files: ResultFiles;
  readonly newId: (prefix: string) => string;
  readonly hooks: SessionHooks;
  /** How often in a row Stop hooks may keep a turn going. */
  readonly stopCap: number;
  readonly run: Pick<RunDeps, 'asker' | 'rules' | 'addRule' | 'mode' | 'debug' | 'classifier'>;
  readonly host: Pick<CallHost, 'setMode'>;
  readonly shells: BackgroundShells;
  readonly definitions: AgentDefinitions;
  readonly system: (about: AgentAbout) => string;
  /** What a turn of the main agent waits for before it asks the model. */
  readonly ready?: (signal: AbortSignal) => Promise<void>;
};

/** One agent of a session: what is its own. */
export type Agent = {
  readonly agentId: AgentId;
  readonly depth: number;
  readonly agentType: string;
  /** What its order calls it; empty for the main agent. */
  readonly name: string;
  readonly definition: AgentDefinition | undefined;
  readonly model: string | undefined;
  readonly tools: ToolRegistry;
  readonly context: ContextHolder;
  readonly results: MessageResults;
  readonly hooks: TurnHooks;
};

/**
 * Makes the agents of a session and runs those that work below a call. Each has its own conversation, context, loop,
 * executor and lanes; log, rules, person, hooks and files are shared. So calls of two agents may run at once although
 * neither is safe: the lock is an executor's own (`agents.concurrency` decides which agents may work side by side).
 */
export class AgentRunner {
  readonly #deps: AgentRunnerDeps;
  readonly #told = new Set<string>();

  constructor(deps: AgentRunnerDeps) {
    this.#deps = deps;
  }

  /** @param start where it works, and what it knew when the session was opened. */
  mainAgent(start: ToolContext): Agent {
    const { tools } = this.#deps;
    const main = { agentId: MAIN_AGENT, depth: 0, agentType: 'main', name: '', definition: undefined };
    return this.#agent({ ...main, model: undefined, tools, context: new ContextHolder(start) });
  }

  #agent(own: Omit<Agent, 'results' | 'hooks'>): Agent {
    const { log, tools, files, hooks, newId, stopCap, shells } = this.#deps;
    const { agentId, context } = own;
    return {
      ...own,
      results: new MessageResults({ log, tools, files, agentId }),
      hooks: new TurnHooks({ hooks, log, newId, agentId, cwd: () => context.current.cwd, stopCap, shells }),
    };
  }

  /** Looks what agents are defined now, and tells once what is wrong with their files. */
  look(): void {
    for (const { file, line, message } of this.#deps.definitions.look().findings) {
      const text = `An agent’s file, ${file}:${line}: ${message}`;
      if (!this.#told.has(text)) this.#deps.log.append({ type: 'notice-given', level: 'warning', text });
      this.#told.add(text);
    }
  }

  /** A turn of an agent. @param hasMessage what it is about is in the conversation already. */
  newTurn(agent: Agent, hasMessage: boolean): AgentLoop {
    const { log, clock, provider, newId, hooks, files, run } = this.#deps;
    const { agentId, agentType, name, definition, model, tools, context, results } = agent;
    return new AgentLoop({
      log,
      clock,
      provider: provider(),
      tools,
      context,
      agentId,
      settings: () => log.state.settings,
      newId,
      results,
      hooks: agent.hooks,
      hasMessage,
      agent: { agentType, name },
      ...(model === undefined ? {} : { model }),
      ...(agent.depth === 0 ? { ready: this.#deps.ready } : {}),
      ...(definition?.mostRequests === undefined ? {} : { mostRequests: definition.mostRequests }),
      system: () =>
        this.#deps.system({ agentId, agentType, prompt: definition?.prompt, context: context.current, tools, model }),
      runDeps: {
        ...run,
        mode: () => this.#modeOf(agent),
        clock,
        hooks,
        files,
        saveThreshold: log.state.settings.saveThreshold,
        host: this.#hostOf(agent),
      },
    });
  }

  #modeOf = ({ definition }: Agent): PermissionMode => stricterMode(this.#deps.run.mode(), definition?.mode);

  #hostOf(agent: Agent): CallHost {
    const { log, host, shells, run, clock } = this.#deps;
    const reading = new FileReading({ rules: run.rules, context: () => agent.context.current, clock });
    return {
      ...host,
      mayRead: (path, within) => reading.mayRead(path, within),
      mayReadAll: (folder) => reading.mayReadAll(folder),
      shells,
      mode: () => this.#modeOf(agent),
      conversation: () => apiMessages(log.state, agent.agentId),
      runAgent: (call, order) => this.#runBelow(agent, call, order),
    };
  }

  /**
   * Runs an agent below a call until its turn has ended. It ends with the call's signal: then everything it and the
   * agents below it had started has ended when this returns.
   * @throws CallAborted; FailureError when there is no such agent or it would lie too deep.
   */
  async #runBelow(
    parent: Agent,
    call: { readonly callId: CallId; readonly signal: AbortSignal },
    order: AgentOrder,
  ): Promise<AgentReport> {
    if (call.signal.aborted) throw new CallAborted();
    const { log, clock } = this.#deps;
    const agent = this.#below(parent, order);
    const { agentId } = agent;
    const from = clock.monotonic();
    this.#begin(agent, call.callId, order);
    const end = await this.#turn(agent, call);
    const took = tookBy(log.state, agentId);
    log.append({ type: 'agent-ended', agentId, reason: end.reason, ...took });
    if (call.signal.aborted) throw new CallAborted();
    return {
      agentId,
      text: reportText(end, lastWords(log.state, agentId)),
      isError: end.reason !== 'completed',
      wasRefused: end.reason === 'rejected',
      ...took,
      durationMs: Math.round(clock.monotonic() - from),
    };
  }

  #below(parent: Agent, order: AgentOrder): Agent {
    const { definitions, newId } = this.#deps;
    if (parent.depth >= MOST_DEPTH) throw new FailureError(tooDeep);
    const definition = definitionOf(definitions.current, order.agentType);
    if (definition === undefined) {
      throw new FailureError({ kind: 'bad-input', message: unknownAgent(order.agentType, definitions.current) });
    }
    return this.#agent({
      agentId: newId('agent') as AgentId,
      depth: parent.depth + 1,
      agentType: definition.name,
      name: order.description,
      definition,
      model: modelNamed(order.model, definition.model) ?? parent.model,
      // What its parent may not use it may not use either.
      tools: restrictTools(parent.tools, definition),
      context: contextOf({ ...placeOf(parent), todos: [], discovered: new Set() }),
    });
  }

  #begin(
    { agentId, depth, agentType, name, definition, model, tools }: Agent,
    callId: CallId,
    order: AgentOrder,
  ): void {
    const { log, newId } = this.#deps;
    const { prompt } = order;
    log.append({
      type: 'agent-started',
      agentId,
      parentCallId: callId,
      depth,
      name,
      agentType,
      prompt,
      ...(definition === undefined || definition.from.kind === 'built-in' ? {} : { definedIn: definition.from.file }),
      tools: tools.all.map((tool) => tool.name),
      ...(model === undefined ? {} : { model }),
    });
    const messageId = newId('msg') as MessageId;
    log.append({ type: 'user-message-added', messageId, agentId, text: prompt, from: 'program' });
  }

  async #turn(
    agent: Agent,
    { callId, signal }: { readonly callId: CallId; readonly signal: AbortSignal },
  ): Promise<AgentEnd> {
    const { log, clock, newId } = this.#deps;
    const turnId = newId('turn') as TurnId;
    const loop = this.newTurn(agent, true);
    let patience: Disposable | undefined;
    const stop = (): void => {
      const reason = signal.reason as CancelReason;
      loop.end(reason, callById(log.state, callId)?.cancellation?.culprit);
      if (reason !== 'interrupt') return;
      patience = clock.schedule(millis(INTERRUPT_PATIENCE_MS), () => loop.end('escape', undefined));
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { reason, message } = await loop.run(turnId);
      return { reason, message, refused: refusedCall(log.state, agent.agentId) };
    } catch (error) {
      // A bug of ours costs this agent, not the turn it works for.
      const message = error instanceof Error ? error.message : String(error);
      const text = `The agent ${agent.name} ended by a fault in Gantry.`;
      log.append({ type: 'notice-given', level: 'error', text, detail: message });
      log.append({ type: 'turn-ended', turnId, agentId: agent.agentId, reason: 'error', message });
      return { reason: 'error', message: `There was a fault in Gantry: ${message}`, refused: undefined };
    } finally {
      signal.removeEventListener('abort', stop);
      patience?.dispose();
    }
  }
}

const tooDeep = {
  kind: 'unsupported',
  message: `Agents work at most ${MOST_DEPTH} deep, one below the other. This one would be deeper.`,
  hint: 'Do the work here.',
} as const;

/** An agent works where its parent does, and has read nothing yet. */
const placeOf = ({ context }: Agent) => {
  const { cwd, directories } = context.current;
  return { cwd, directories };
};

const contextOf = (own: Pick<ToolContext, 'cwd' | 'directories' | 'todos' | 'discovered'>): ContextHolder =>
  new ContextHolder({ ...own, readFiles: new Map() });

/** The text of its last message that has any. */
function lastWords({ entries }: SessionState, agentId: AgentId): string {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind !== 'assistant' || entry.agentId !== agentId || entry.discarded) continue;
    const words = entry.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n');
    if (words.trim() !== '') return words;
  }
  return '';
}

function refusedCall(state: SessionState, agentId: AgentId): string | undefined {
  const call = state.calls.findLast((one) => one.agentId === agentId && 'end' in one && one.end.outcome === 'rejected');
  return call && describeCall(call);
}

/** Calls and tokens of an agent and of all below it. */
function tookBy(state: SessionState, agentId: AgentId): { readonly calls: number; readonly tokens: number } {
  const family = new Set<AgentId>([agentId]);
  // Whoever is below has started later.
  for (const agent of state.agents) {
    const parent = agent.parentCallId === undefined ? undefined : callById(state, agent.parentCallId)?.agentId;
    if (parent !== undefined && family.has(parent)) family.add(agent.agentId);
  }
  let tokens = 0;
  for (const { agentId: asker, end } of state.requests) {
    if (!family.has(asker) || end?.kind !== 'completed') continue;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = end.usage;
    tokens += inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens;
  }
  return { calls: state.calls.filter((call) => family.has(call.agentId)).length, tokens };
}
