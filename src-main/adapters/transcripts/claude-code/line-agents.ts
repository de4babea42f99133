import { type Fields, textAt } from '../common/fields.ts';
import { type AgentStory, MAIN_KEY, type Place } from '../common/story.ts';
import type { Line } from './lines.ts';

type Seen = AgentStory & {
  readonly made: Place;
  firstTimed: Place | undefined;
  lastTimed: Place | undefined;
};

/** Whose line is it? Sub-agents were written in four different ways over the years (reference, section 2). */
export class Agents {
  readonly #agents = new Map<string, Seen>();
  /** Lines of sub-agents that stand in the session's own file, by uuid. */
  readonly #sides = new Map<string, string>();
  #lastSide: string | undefined;
  /** From results: which call started which agent. */
  readonly #callOfAgent = new Map<string, string>();

  /** The agent of a line of the session's own file (or of a stream). */
  keyOf(line: Line): string {
    if (line.parent_tool_use_id) return `call:${line.parent_tool_use_id}`;
    if (line.isSidechain !== true) return MAIN_KEY;
    if (line.agentId !== undefined) return line.agentId;
    // The oldest kind: no id at all, a tree of its own. Several of them lie interleaved in one file.
    const parent = line.parentUuid ? this.#sides.get(line.parentUuid) : undefined;
    const startsOne = line.type === 'user' && !line.parentUuid;
    const key = parent ?? (startsOne || this.#lastSide === undefined ? `side:${line.uuid ?? 'first'}` : this.#lastSide);
    if (line.uuid !== undefined) this.#sides.set(line.uuid, key);
    this.#lastSide = key;
    return key;
  }

  /** The agent has a line here. */
  touch(key: string, place: Place): AgentStory {
    const agent = this.#agents.get(key) ?? this.#create(key, place);
    if (place.timed) {
      if (agent.firstTimed === undefined || place.at < agent.firstTimed.at) agent.firstTimed = place;
      if (agent.lastTimed === undefined || place.at >= agent.lastTimed.at) agent.lastTimed = place;
    }
    agent.last = place;
    return agent;
  }

  #create(key: string, place: Place): Seen {
    const agent: Seen = {
      key,
      made: place,
      agentId: key.replace(/^(?:side|call):/, 'agent-'),
      first: place,
      last: place,
      prompt: undefined,
      parentCallId: key.startsWith('call:') ? key.slice('call:'.length) : undefined,
      description: undefined,
      agentType: undefined,
      spawnDepth: undefined,
      firstTimed: undefined,
      lastTimed: undefined,
    };
    this.#agents.set(key, agent);
    return agent;
  }

  get(key: string): AgentStory | undefined {
    return this.#agents.get(key);
  }

  has(key: string): boolean {
    return this.#agents.has(key);
  }

  /** Results of the calls that start agents name them. */
  noteResult(callId: string, facts: Fields): void {
    const agentId = textAt(facts, 'agentId') ?? textAt(facts, 'agent_id');
    if (agentId !== undefined && !this.#callOfAgent.has(agentId)) this.#callOfAgent.set(agentId, callId);
  }

  settle(end: Place): ReadonlyMap<string, AgentStory> {
    const list = [...this.#agents].sort(([, a], [, b]) => a.made.ord - b.made.ord);
    for (const [, agent] of list) {
      agent.first = agent.firstTimed ?? agent.first;
      agent.last = agent.lastTimed ?? agent.last;
      if (Number.isNaN(agent.last.at)) agent.last = end;
      agent.parentCallId ??= this.#callOfAgent.get(agent.key);
    }
    return new Map(list);
  }
}
