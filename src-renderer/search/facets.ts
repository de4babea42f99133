import { type CallOutcome, nameOfAgent, outcomeOf } from '../../src-shared/filter/call-filter.ts';
import type { AgentId } from '../../src-shared/ids.ts';
import type { SessionState } from '../../src-shared/session/state.ts';

/** One thing that calls can be chosen by, and how many calls have it. */
export type Facet<Value extends string> = { readonly value: Value; readonly label: string; readonly calls: number };

export type Facets = {
  readonly tools: readonly Facet<string>[];
  readonly outcomes: readonly Facet<CallOutcome>[];
  readonly agents: readonly Facet<AgentId>[];
};

const OUTCOME_NAMES: Readonly<Record<CallOutcome, string>> = {
  ok: 'ok',
  error: 'error',
  rejected: 'rejected',
  denied: 'denied',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  discarded: 'discarded',
  unknown: 'unknown',
  open: 'not ended yet',
};

/** What there is to choose from: tools by name, outcomes and agents in their usual order. What is chosen stays listed. */
export function facetsOf(
  state: SessionState,
  chosen: { readonly tools: readonly string[]; readonly outcomes: readonly CallOutcome[] },
): Facets {
  const tools = new Map<string, number>(chosen.tools.map((tool) => [tool, 0]));
  const outcomes = new Map<CallOutcome, number>(chosen.outcomes.map((outcome) => [outcome, 0]));
  const agents = new Map<AgentId, number>();
  for (const call of state.calls) {
    count(tools, call.tool);
    count(outcomes, outcomeOf(call));
    count(agents, call.agentId);
  }
  const order = Object.keys(OUTCOME_NAMES);
  return {
    tools: [...tools]
      .map(([value, calls]) => ({ value, label: value, calls }))
      .sort((a, b) => a.label.localeCompare(b.label, 'en')),
    outcomes: [...outcomes]
      .map(([value, calls]) => ({ value, label: OUTCOME_NAMES[value], calls }))
      .sort((a, b) => order.indexOf(a.value) - order.indexOf(b.value)),
    agents: [...agents].map(([value, calls]) => ({ value, label: nameOfAgent(state, value), calls })),
  };
}

const count = <Key>(map: Map<Key, number>, key: Key): void => void map.set(key, (map.get(key) ?? 0) + 1);
