import { type AgentId, MAIN_AGENT } from '../ids.ts';
import type { Agent, SessionState } from '../session/state.ts';

/** The indent ends here; deeper agents carry the names above them in their title. */
export const MAX_INDENT = 3;

export type AgentPlace = {
  readonly agentId: AgentId;
  readonly name: string;
  /** Names from the first sub-agent down to this one. */
  readonly path: readonly string[];
  readonly depth: number;
};

/** `Explore agent` where the name is only the kind of agent, otherwise the name it was given. */
export function agentName(agent: Pick<Agent, 'name' | 'agentType'>): string {
  const name = agent.name === '' ? agent.agentType : agent.name;
  return name === agent.agentType && !/agent$/i.test(name) ? `${name} agent` : name;
}

/** Its kind, where the name does not say it. */
export const agentKind = ({ name, agentType }: Pick<Agent, 'name' | 'agentType'>): string | undefined =>
  agentType === '' || name === '' || name === agentType ? undefined : agentType;

const nameOf = (agent: Agent | undefined, agentId: AgentId): string => {
  if (agentId === MAIN_AGENT) return 'main agent';
  return agent === undefined ? `agent ${agentId}` : agentName(agent);
};

/**
 * Main first, then every sub-agent under its parent, siblings by start. Agents that only show up in calls (a file that
 * lost their beginning) stand under main, last.
 */
export function agentOrder(state: SessionState, known: readonly AgentId[]): readonly AgentPlace[] {
  const children = new Map<AgentId, Agent[]>();
  const declared = new Set<AgentId>([MAIN_AGENT]);
  for (const agent of state.agents) {
    if (declared.has(agent.agentId)) continue;
    declared.add(agent.agentId);
    const parentIndex = agent.parentCallId === undefined ? undefined : state.callIndex[agent.parentCallId];
    const parent = parentIndex === undefined ? undefined : state.calls[parentIndex]?.agentId;
    const under = parent ?? MAIN_AGENT;
    const list = children.get(under);
    if (list === undefined) children.set(under, [agent]);
    else list.push(agent);
  }
  const places: AgentPlace[] = [];
  const placed = new Set<AgentId>();
  const visit = (agentId: AgentId, agent: Agent | undefined, path: readonly string[], depth: number): void => {
    if (placed.has(agentId)) return;
    placed.add(agentId);
    const name = nameOf(agent, agentId);
    const here = depth === 0 ? [] : [...path, name];
    places.push({ agentId, name, path: here, depth });
    const below = children.get(agentId) ?? [];
    for (const child of below.toSorted((a, b) => a.from - b.from)) visit(child.agentId, child, here, depth + 1);
  };
  visit(MAIN_AGENT, undefined, [], 0);
  for (const agent of state.agents) visit(agent.agentId, agent, [], 1);
  for (const agentId of known) visit(agentId, undefined, [], 1);
  return places;
}

/** The header's text: the name alone, or the way down to it where it lies deeper than the indent goes. */
export const titleOf = (path: readonly string[]): string =>
  path.length <= MAX_INDENT ? (path.at(-1) ?? 'main agent') : path.join(' › ');
