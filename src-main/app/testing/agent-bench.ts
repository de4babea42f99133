import type { CallId } from '../../../src-shared/ids.ts';
import { type AgentId, MAIN_AGENT } from '../../../src-shared/ids.ts';
import { callById } from '../../../src-shared/session/state.ts';
import { resultText } from '../../../src-shared/tool-call/content.ts';
import { agentTool } from '../../adapters/tools/agent.ts';
import { BUILT_IN_AGENTS } from '../../core/agents/built-in.ts';
import type { AgentDefinition, AgentFinding } from '../../core/agents/definition.ts';
import { apiMessages } from '../../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../../core/conversation/request-validator.ts';
import type { AgentDefinitions } from '../../ports/agent-definitions.ts';
import type { ModelItem } from '../../ports/model-provider.ts';
import type { AnyTool } from '../../ports/tool.ts';
import { quiet } from './bench.ts';
import { begins, ends, type HandStream, says } from './hand-model.ts';
import { HandTools } from './hand-tools.ts';
import { SessionBench, type SessionBenchOptions, told } from './session-bench.ts';

/** Definitions in a test's hand, beside the built-in ones. */
export class HandDefinitions implements AgentDefinitions {
  own: readonly AgentDefinition[] = [];
  findings: readonly AgentFinding[] = [];
  looks = 0;

  get current() {
    return { definitions: [...this.own, ...BUILT_IN_AGENTS], findings: this.findings };
  }

  look() {
    this.looks++;
    return this.current;
  }

  define(name: string, more: Partial<AgentDefinition> = {}): void {
    const from = { kind: 'user', file: `/agents/${name}.md` } as const;
    this.own = [...this.own, { name, description: name, prompt: `You are ${name}.`, withoutTools: [], from, ...more }];
  }
}

export type AgentBenchOptions = SessionBenchOptions & { readonly moreTools?: (hand: HandTools) => readonly AnyTool[] };

/** A session whose agents, models and tools are in the test's hand. An agent is found by what its order calls it. */
export class AgentBench extends SessionBench {
  readonly hand: HandTools;
  readonly definitions: HandDefinitions;

  constructor(options: AgentBenchOptions = {}) {
    const definitions = new HandDefinitions();
    const more = options.moreTools?.(new HandTools()) ?? [];
    const hand: HandTools = new HandTools([...more, agentTool({ definitions, tools: () => hand.all })]);
    const settings = { agentConcurrency: 'always', ...options.settings } as const;
    super({ ...options, settings, tools: hand, more: { ...options.more, agents: definitions } });
    this.hand = hand;
    this.definitions = definitions;
  }

  /** The newest stream of an agent; of the main agent without a name. */
  of(name = ''): HandStream {
    const stream = this.model.streams.findLast(({ request }) => request.agent.name === name);
    if (stream === undefined) throw new Error(`${name} has not asked the model`);
    return stream;
  }

  /** One whole message of an agent: items, then its end. */
  async say(name: string, ...items: readonly ModelItem[]): Promise<void> {
    const calls = items.some((item) => item.type === 'tool-use');
    await this.of(name).send(begins(), ...items, ends(calls ? 'tool-use' : 'end-turn'));
  }

  async says(name: string, words: string): Promise<void> {
    await this.say(name, says(words));
  }

  agentId(name: string): AgentId {
    if (name === '') return MAIN_AGENT;
    const agent = this.log.state.agents.findLast((one) => one.name === name);
    if (agent === undefined) throw new Error(`there is no agent ${name}`);
    return agent.agentId;
  }

  tell(name: string): readonly string[] {
    return told(apiMessages(this.log.state, this.agentId(name)));
  }

  result(id: string): string | undefined {
    const call = callById(this.log.state, id as CallId);
    return call !== undefined && 'end' in call ? resultText(call.end.result) : undefined;
  }

  outcome(id: string): string | undefined {
    const call = callById(this.log.state, id as CallId);
    return call !== undefined && 'end' in call ? call.end.outcome : undefined;
  }

  async answer(id: string, answer: Parameters<SessionBench['session']['answer']>[2]): Promise<void> {
    const askId = callById(this.log.state, id as CallId)?.asks.at(-1)?.askId;
    if (askId === undefined) throw new Error(`${id} has asked nothing`);
    this.session.answer(id as CallId, askId, answer);
    await quiet();
  }

  /** Of all agents: what a server would refuse. */
  get faults(): readonly string[] {
    const agents = [MAIN_AGENT, ...this.log.state.agents.map(({ agentId }) => agentId)];
    return agents.flatMap((agentId) => faultsOfRequest(apiMessages(this.log.state, agentId)));
  }

  /** What was begun and has no end: calls, agents, turns, requests. */
  get open(): readonly string[] {
    const { calls, agents, turns, requests } = this.log.state;
    return [
      ...calls.flatMap((call) => ('end' in call ? [] : [call.callId])),
      ...agents.flatMap((agent) => (agent.until === undefined ? [agent.name] : [])),
      ...turns.flatMap((turn) => (turn.end === undefined ? [turn.turnId] : [])),
      ...requests.flatMap((request) => (request.end === undefined ? [request.requestId] : [])),
    ];
  }
}

/** A call of the Agent tool. */
export const starts = (id: string, description: string, more: Record<string, unknown> = {}): ModelItem => ({
  type: 'tool-use',
  id,
  name: 'Agent',
  input: { description, prompt: `Do: ${description}`, ...more },
});
