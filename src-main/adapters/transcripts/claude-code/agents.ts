import { type Fields, fieldsOf, textAt } from '../common/fields.ts';
import type { LinkedAgent } from '../common/judged.ts';
import { type AgentStory, type CallStory, MAIN_KEY, type Story } from '../common/story.ts';
import { isAgentTool } from './safety.ts';

/**
 * Finds the call that started each sub-agent: named by a file or a line, else the one with the same prompt (the oldest
 * transcripts have nothing better). Also notes at those calls when their agent was first seen.
 */
export function linkAgents(story: Story): ReadonlyMap<string, LinkedAgent> {
  const agents = [...story.agents.values()].filter((agent) => agent.key !== MAIN_KEY);
  const parents = new Map<string, CallStory>();
  const taken = new Set<CallStory>();
  for (const agent of agents) {
    const call = story.calls.get(agent.parentCallId ?? '');
    if (call === undefined || call.agentKey === agent.key) continue;
    parents.set(agent.key, call);
    taken.add(call);
  }
  const byPrompt = callsByPrompt(story, taken);
  const unlinked = agents.filter((agent) => !parents.has(agent.key)).sort((a, b) => a.first.at - b.first.at);
  for (const agent of unlinked) {
    const call = byPrompt.get(agent.prompt ?? '')?.find((one) => !taken.has(one) && one.agentKey !== agent.key);
    if (call === undefined) continue;
    parents.set(agent.key, call);
    taken.add(call);
  }
  noteStarts(agents, parents);
  const unseen = unseenAgents(story, new Set(parents.values()));
  for (const { agent, call } of unseen) parents.set(agent.key, call);
  return describeAgents([...agents, ...unseen.map(({ agent }) => agent)], parents);
}

function callsByPrompt(story: Story, taken: ReadonlySet<CallStory>): ReadonlyMap<string, CallStory[]> {
  const byPrompt = new Map<string, CallStory[]>();
  for (const call of story.calls.values()) {
    const prompt = textAt(fieldsOf(call.input), 'prompt');
    if (prompt === undefined || taken.has(call) || !isAgentTool(call.tool)) continue;
    byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), call]);
  }
  return byPrompt;
}

/** The call came back at once; its agent, or the teammate it called in, works on. */
const wasLaunched = (facts: Fields): boolean => facts.isAsync === true || facts.status === 'teammate_spawned';

/**
 * Agents that were launched into the background and whose lines are in no file: only their launch and the notification
 * of their end are known, which is enough for a bar behind that of the call.
 */
function unseenAgents(story: Story, taken: ReadonlySet<CallStory>) {
  const unseen: { readonly agent: AgentStory; readonly call: CallStory }[] = [];
  for (const call of story.calls.values()) {
    const { result, background } = call;
    if (taken.has(call) || !isAgentTool(call.tool) || result === undefined || !wasLaunched(result.facts)) continue;
    const agentId = textAt(result.facts, 'agentId') ?? textAt(result.facts, 'agent_id') ?? `agent-of-${call.id}`;
    const agent: AgentStory = {
      key: `background:${call.id}`,
      agentId,
      first: result.place,
      last: background?.place ?? story.last,
      prompt: textAt(fieldsOf(call.input), 'prompt'),
      parentCallId: call.id,
      description: undefined,
      agentType: undefined,
      spawnDepth: undefined,
    };
    unseen.push({ agent, call });
  }
  return unseen;
}

function noteStarts(agents: readonly AgentStory[], parents: ReadonlyMap<string, CallStory>): void {
  for (const agent of agents) {
    const call = parents.get(agent.key);
    if (call === undefined || !agent.first.timed || agent.first.at < call.queued.at) continue;
    if (call.evidence.agentStart === undefined) call.evidence = { ...call.evidence, agentStart: agent.first.at };
  }
}

function describeAgents(
  agents: readonly AgentStory[],
  parents: ReadonlyMap<string, CallStory>,
): ReadonlyMap<string, LinkedAgent> {
  const linked = new Map<string, LinkedAgent>();
  const ids = new Set<string>([MAIN_KEY]);
  for (const agent of agents) {
    const parentCall = parents.get(agent.key);
    const input = fieldsOf(parentCall?.input);
    let agentId = agent.agentId.slice(0, 390) || 'agent';
    while (ids.has(agentId)) agentId = `${agentId}+`;
    ids.add(agentId);
    const agentType = agent.agentType ?? textAt(input, 'subagent_type') ?? 'agent';
    linked.set(agent.key, {
      story: agent,
      agentId,
      parentCall,
      depth: depthOf(agent, parents),
      name: agent.description ?? textAt(input, 'description') ?? (agent.prompt === 'Warmup' ? 'Warmup' : agentType),
      agentType,
      prompt: agent.prompt ?? textAt(input, 'prompt') ?? '',
    });
  }
  return linked;
}

/** 1 for an agent that the main agent started. Files may contradict themselves, so a circle ends the count. */
function depthOf(agent: AgentStory, parents: ReadonlyMap<string, CallStory>): number {
  const seen = new Set<string>([agent.key]);
  let depth = 1;
  for (let call = parents.get(agent.key); call !== undefined && call.agentKey !== MAIN_KEY; depth++) {
    if (seen.has(call.agentKey)) return 1;
    seen.add(call.agentKey);
    call = parents.get(call.agentKey);
  }
  return parents.has(agent.key) ? depth : Math.max(1, agent.spawnDepth ?? 1);
}
